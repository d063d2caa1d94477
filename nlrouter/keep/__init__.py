"""What a run keeps on disk: the best checked answer, and the history of its cost."""
