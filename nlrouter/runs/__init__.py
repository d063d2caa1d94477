"""Runs of nlroute as processes of their own: for a contest day, and for many boards."""
