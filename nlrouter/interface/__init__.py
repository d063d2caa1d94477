"""The public functions beside `route` and the readers and writers.

Each is what the command of the same purpose does, with the same checks, and commands ask it where
they do no more; those of numbers are in `nlrouter.arguments`. Heavy modules are loaded by the
function that needs them.
"""
