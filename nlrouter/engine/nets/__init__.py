"""The board as the engine sees it: nets, independent parts, and first reasons of infeasibility."""
