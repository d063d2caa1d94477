"""Formats of pictures, by the endings of their files, and the pace of a GIF. Light to import."""

STILL = ("svg", "png", "pdf")
"""Those of a single picture."""

FORMATS = (*STILL, "gif")
"""All; a GIF shows one picture after another."""

QUICKEST, SLOWEST = 0.05, 60.0
"""Seconds for each frame: browsers show no quicker ones, and nobody waits for slower ones."""
