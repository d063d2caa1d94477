"""Judging an answer: by the rules (`rules`), as the contest did (`contest`), and its `cost`.

Knows problems and answers only: nothing of any solver, so that it can stand between one and
the disk.
"""

CONTEST_RULES = ("ADC2014", "ADC2015", "ADC2016")
"""The years whose rules the contest's checker can be asked to apply."""
