"""A board to draw on: a page in the browser, and the server on this machine that judges it."""
