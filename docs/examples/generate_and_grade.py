"""Make boards, grade them by what the router needs, and draw the hardest one.

Writes ``hardest.txt`` and ``hardest.svg`` into the folder at hand.
"""

import nlrouter

ORDER = ["easy", "medium", "hard", "open"]

graded: list[tuple[int, int, nlrouter.Problem, nlrouter.Answer]] = []
for kind in ("random", "channel", "switchbox"):
    for seed in (1, 2):
        problem, hidden = nlrouter.generate(kind, (12, 10, 2), seed=seed)
        # Work is counted, not time: the same grade on every machine.
        difficulty = nlrouter.difficulty(problem, 5.0)
        result = difficulty.result
        assert result.cost is not None and result.answer is not None
        costs = f"hidden {nlrouter.cost(hidden).total}  best {result.cost.total}"
        print(f"{kind:<10} seed {seed}  {len(problem.lines):2} lines  {costs}  {difficulty.grade}")
        graded.append((ORDER.index(difficulty.grade), len(problem.lines), problem, result.answer))

_, _, problem, answer = max(graded, key=lambda row: row[:2])
nlrouter.write_problem("hardest.txt", problem)
nlrouter.draw(problem, output="hardest.svg", title="The hardest")

# What makes its answer dear?
explanation = nlrouter.explain(problem, answer)
for z, cost in enumerate(explanation.layers, start=1):
    print(f"layer {z}: {cost}")
for detour in explanation.detours:
    print(f"LINE#{detour.line} costs {detour.cost - detour.least} more than alone")
