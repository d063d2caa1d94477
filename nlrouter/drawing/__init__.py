"""Pictures of boards and answers: for a file (`picture`, `animation`) and a terminal (`terminal`).

`palette` colours lines by the board alone, `words` has the captions of each language. Only
`picture`, `animation` and `fonts` need matplotlib.

Knows problems, answers and what the checker says of them; nothing of files or of any solver.
"""
