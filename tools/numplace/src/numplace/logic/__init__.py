"""Solving as a person does: notes, techniques from singles to chains, and steps told in words."""
