"""Answers: heuristics that find a routing of a part and make it cheaper.

Knows nothing of proofs.
"""
