"""Proofs: works that raise the bound of a part until it meets the cost.

Knows nothing of the heuristics that find answers.
"""
