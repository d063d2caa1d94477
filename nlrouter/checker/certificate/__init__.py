"""Checks the certificate of a lower bound, in whole numbers, step by step.

Shares no code with the engine: what is verified here rests on this folder alone.
"""
