"""What the options of ``nlsubmit`` need to know; light to import."""

BOARD_TIME = 120.0
"""Seconds that a board gets by default where there is no deadline to share the time before."""

OWN_PROBLEMS = (1, 2, 3)
"""The numbers that problems of one's own can have."""
