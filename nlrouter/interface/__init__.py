"""The public functions beside `route` and the readers and writers.

Each is what the command of the same purpose does, with the same checks; heavy modules are
loaded by the function that needs them.
"""
