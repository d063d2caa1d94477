"""Pictures of boards and answers: for a file (`picture`, `animation`) and a terminal (`terminal`).

Knows problems, answers and what the checker says of them; nothing of files or of any solver.
"""
