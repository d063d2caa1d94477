"""What pieces of work cost, in seconds of a typical machine: how a `WorkClock` goes on.

Measured as processor time on boards of the contest, of ``problems`` and drawn afresh: the sums of
whole runs of a second and more were 0.8 to 1.3 of it on 15 of 16, and with searches by buckets 0.8
to 1.1 on six drawn anew.
"""

EDGE = 2.4e-6
"""A round of the dual, for each edge that nets take."""

PASSAGE = 0.7
"""The same for each passage of a net, in shares of what it has without any."""

VIA_CELL = 4e-8
"""The same, and that of reduced costs, for each open via and cell of its layer."""

TIED_STATE = 2e-7
"""A state of the search for what a tied net pays."""

CONFLICT_CELL = 2.5e-7
"""A search for conflicts of vias, per cell."""

WALK = 1e-5
"""A walk that routings are made up of: most of 600 are the same."""

FINDER_STEP = 0.024
"""A step of the finder, on average."""

PROOF_STEP = 0.001
"""A step of a proof besides what it calls."""

CORE_CONFLICT = 1.1e-5
"""A conflict of MaxSAT."""

ASSUMED = 7e-7
"""A literal that MaxSAT assumes in a call."""

CORE_CLAUSE = 1.1e-6
"""Making a clause of MaxSAT."""
