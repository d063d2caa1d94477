"""Settings of the search for answers, apart from it: its neighbourhoods have them as well."""

from __future__ import annotations

from dataclasses import dataclass, field

from nlrouter.engine.bounds.dual import DualConfig
from nlrouter.engine.find.box import BoxConfig
from nlrouter.engine.find.displace import DisplaceConfig
from nlrouter.engine.find.displace_bundles import BundleConfig
from nlrouter.engine.find.improve import ImproveConfig
from nlrouter.engine.find.negotiate import NegotiateConfig
from nlrouter.engine.find.negotiate_lines import NegotiateLinesConfig
from nlrouter.engine.find.recombine import PoolConfig
from nlrouter.engine.find.via_moves import ViaMoveConfig
from nlrouter.engine.find.windows import WindowConfig


@dataclass(frozen=True)
class FinderConfig:
    """Settings of the search for answers."""

    dual: DualConfig = field(default_factory=DualConfig)
    negotiate: NegotiateConfig = field(default_factory=NegotiateConfig)
    negotiate_lines: NegotiateLinesConfig = field(default_factory=NegotiateLinesConfig)
    improve: ImproveConfig = field(default_factory=ImproveConfig)
    box: BoxConfig = field(default_factory=BoxConfig)
    displace: DisplaceConfig = field(default_factory=DisplaceConfig)
    bundle: BundleConfig = field(default_factory=BundleConfig)
    window: WindowConfig = field(default_factory=WindowConfig)
    via_move: ViaMoveConfig = field(default_factory=ViaMoveConfig)
    pool: PoolConfig = field(default_factory=PoolConfig)
    step_seconds: float = 0.024
    """Work of a step, for a `WorkClock`: 2 to 170 ms, on average of 15 boards."""
    rounds: int = 150
    """Rounds of the first negotiation; what is not settled by then is repaired in groups."""
    dual_rounds: int = 150
    """Rounds of the dual before the first negotiation: prices that are about right will do."""
    dual_seconds: float = 2.0
    """Work of the dual before the first negotiation at the most, which counts on large boards."""
    in_the_way: float = 3.0
    """Price of a drawn net's cell for one that is missing: detours of some cells are better."""
    box_rounds: int = 40
    """Rounds of the first negotiation of a large layer: what is left is settled sooner in boxes."""
    box_tries: int = 5
    """Negotiations in each box of a large layer."""
    tries: int = 15
    """Negotiations of a group per step: a few hundredths of a second."""
    repair_turn: int = 2
    """Of so many steps without an answer, one repairs overlaps; in the others lines push others
    out. Boards 85 % full have their first answer sooner than with 4, where vias are open."""
    repair_idle: float = 1.0
    """Steps without fewer overlaps, times the square root of the nets, before lines push each other
    out: on boards with room, repair is done by then, and keeps what is good."""
    bundle_turn: int = 2
    """Of so many steps without an answer, bundles of lines push each other out in one, where most
    lines are in bundles: mostly the first few such steps are enough."""
    windows: int = 6
    """Windows per step: a few hundredths of a second as well."""
    swap_size: int = 8
    """Nets ripped up on a layer when two lines swap vias; one more for each further line."""
    swap_slack: int = 60
    """What a swap may cost on one layer in the hope that the other makes up for it."""
    uphill: float = 0.2
    """Mean of what a swap or a chain may cost more, drawn for each and rounded down: one of 150 may
    cost 1. From 0.15 to 0.3 there is hardly a difference."""
    patience: float = 10.0
    """Steps without improvement, times the square root of the nets, before starting over: routings
    are put together, so several that are far from each other are worth more than one that is worked
    on for long."""
    flags: float = 37.5
    """Steps without improvement, times the square root of the nets, after which the best routing
    counts as one that finding will not beat soon."""
    pauses: float = 9.4
    """Such steps after which it is polished: with many more, little of the time is left for it."""
    rest: float = 2.0
    """Steps without improvement, times the square root of the nets, before a kick: vias that are
    going to get better mostly do so at once."""
    stuck: int = 8
    """The same while nets overlap, times Luby's sequence: where repair is going to get there, it
    mostly does so at once."""
    far: float = 1.5
    """How much dearer an answer from elsewhere may be to give up an own, unsettled one for it."""
    shake: float = 0.15
    """Random share of the prices when starting over."""
