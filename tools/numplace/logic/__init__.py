"""Deduction as a person does it, step by step."""
