"""Prove that no answer is better, and let a checker that knows nothing of the search agree.

Writes ``shared_span_8x8x2.json`` into the folder at hand.
"""

from pathlib import Path

import nlrouter

BOARD = Path(__file__).parents[2] / "problems" / "shared_span_8x8x2.txt"

problem = nlrouter.read_problem(BOARD)
result = nlrouter.route(problem, deterministic=True, certify=True)
print(result)
assert result.certificate is not None
assert result.cost is not None and result.answer is not None

# The answer: by the rules, by the contest's own checker, and measured once more.
print("against the rules:", nlrouter.check(problem, result.answer) or "nothing")
print("the contest's checker:", nlrouter.judge(problem, result.answer))
print("measured once more:", nlrouter.cost(result.answer))

# The bound: it need not rest on the word of the search. The certificate can be checked by anyone,
# in whole numbers, and proves a bound for this board alone.
nlrouter.write_certificate("shared_span_8x8x2.json", result.certificate)
certificate = nlrouter.read_certificate("shared_span_8x8x2.json")
bound = nlrouter.verify(problem, certificate)
print(f"no answer costs less than {bound}: {'optimal' if bound == result.cost.total else 'open'}")

other, _ = nlrouter.generate("random", (8, 8, 2), seed=1)
try:
    nlrouter.verify(other, certificate)
except nlrouter.Refused as reason:
    print("for another board it is refused:", reason)

# Where there is no answer, that can be proven as well.
crossing = nlrouter.Problem(3, 3, 1, [((0, 1, 1), (2, 1, 1)), ((1, 0, 1), (1, 2, 1))])
print(nlrouter.route(crossing, deterministic=True))
