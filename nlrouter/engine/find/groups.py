"""Groups of nets of one layer that negotiate anew (see ``group_kernels``)."""

from __future__ import annotations

from nlrouter.engine.find.negotiate import NO_LIMIT
from nlrouter.engine.find.working import Neighbourhood, Working


class Groups(Neighbourhood):
    """Lets some groups of nets that are near each other negotiate anew."""

    name = "groups"

    def change(self, working: Working) -> None:
        """Improve a layer: one on which nets overlap, if there is any."""
        z, settings = working.pick_layer(), working.config.rework
        for _ in range(working.config.tries):
            size = working.random.randint(settings.smallest, settings.largest)
            overlaps = int(working.overlaps[z])
            working.rework(z, (), size, NO_LIMIT if overlaps else 0, overlaps)
