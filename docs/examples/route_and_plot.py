"""Route a board, follow the search, and draw the answer.

Writes ``answer.txt`` and the pictures ``board.svg`` and ``answer.svg`` into the folder at hand.
"""

from pathlib import Path

import nlrouter

BOARD = Path(__file__).parents[2] / "problems" / "switchbox_12x12x2.txt"


def tell(moment: nlrouter.Progress) -> None:
    """Print one moment of the search."""
    print(f"{moment.seconds:5.1f} s  {moment.cost}  bound {moment.lower_bound}")


problem = nlrouter.read_problem(BOARD)
print(f"{problem.width} columns, {problem.height} rows, {problem.layers} layers")

# Better answers go into the file at once, so that none is lost if the program is ended.
result = nlrouter.route(problem, time_limit=60, output="answer.txt", on_progress=tell)
print(result)

# The answer is an array of line numbers, 0 where nothing is.
assert result.answer is not None
for z, layer in enumerate(result.answer, start=1):
    print(f"layer {z}: {(layer > 0).mean():.0%} filled")

nlrouter.draw(problem, output="board.svg", title="The board")
nlrouter.draw(
    problem, result.answer, "answer.svg", title="Its answer", bound=result.lower_bound, stack=True
)
