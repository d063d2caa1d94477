"""Groups of nets of one layer that negotiate anew (see ``group_kernels``)."""

from __future__ import annotations

from nlrouter.engine.find.group_kernels import improve
from nlrouter.engine.find.working import Neighbourhood, Working


class Groups(Neighbourhood):
    """Lets some groups of nets that are near each other negotiate anew."""

    name = "groups"

    def change(self, working: Working) -> None:
        """Improve a layer: one on which nets overlap, if there is any."""
        z = working.pick_layer()
        members, settings = working.members[z], working.config.improve
        if not working.lengths[members].all():
            return
        working.make_room(2 * int(working.lengths[members].max()))
        working.overlaps[z], working.costs[z] = improve(
            members,
            working.layer(z),
            working.routed,
            (settings.smallest, settings.largest),
            settings.negotiate.pressure(),
            settings.rounds,
            working.config.tries,
        )
