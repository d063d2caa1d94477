"""Settings of the search for answers, apart from it: its neighbourhoods have them as well."""

from __future__ import annotations

from dataclasses import dataclass, field

from nlrouter.engine.bounds.dual import DualConfig
from nlrouter.engine.bounds.volume import VolumeConfig
from nlrouter.engine.find.bidding import BiddingConfig
from nlrouter.engine.find.displace import DisplaceConfig
from nlrouter.engine.find.group_kernels import ReworkConfig
from nlrouter.engine.find.negotiate import NegotiateConfig


@dataclass(frozen=True)
class ViaMoveConfig:
    """Settings of changes of vias."""

    heat: float = 6.0
    """Price difference that makes a swap e times less likely to be tried."""
    far: float = 40.0
    """What vias pay more than need be beyond which they are hardly ever taken, so that their
    prices may be too low: on large boards there is no search of whole layers."""
    chain_lines: int = 24
    """Lines of a class from which a chain is drawn: their prices take a search per net."""
    most_charge: float = 8.0
    """Charge for a cell that another net holds, drawn for each set of prices: in some places a
    net makes way for nothing, in others it cannot at all."""
    chain_noise: float = 2.0
    """Mean of what is added to the prices at random, so that chains from a line and via differ."""


@dataclass(frozen=True)
class FinderConfig:
    """Settings of the search for answers."""

    dual: DualConfig = field(default_factory=lambda: DualConfig(volume=VolumeConfig(patience=5)))
    """Prices before any answer, with more patience than a proof has: with 3 rounds 26 instead of 35
    of 40 seeds find the best of a board of 14x14x2 with twelve vias in 120 steps."""
    negotiate: NegotiateConfig = field(default_factory=NegotiateConfig)
    rework: ReworkConfig = field(default_factory=ReworkConfig)
    bidding: BiddingConfig = field(default_factory=BiddingConfig)
    displace: DisplaceConfig = field(default_factory=DisplaceConfig)
    via_move: ViaMoveConfig = field(default_factory=ViaMoveConfig)
    rounds: int = 150
    """Rounds of the first negotiation; what is not settled by then is repaired in groups."""
    dual_seconds: float = 0.6
    """Work of the dual before the first negotiation at the most: 20 to 60 rounds of full boards of
    36x36x8. In 2.0 there are 70 to 140, and the first answer comes as much later."""
    in_the_way: float = 3.0
    """Price of a drawn net's cell for one that is missing: detours of some cells are better."""
    tries: int = 15
    """Negotiations of a group per step: a few hundredths of a second."""
    via_tries: int = 4
    """Changes of vias per step where no nets overlap, each of which routes eight nets and more anew
    on two layers: with 15 such a step took six times as long as others, and on a board of two and
    three vias of a span two thirds of the time."""
    swap_size: int = 8
    """Nets ripped up on a layer when two lines swap vias; one more for each further line."""
    swap_slack: int = 60
    """What a swap may cost on one layer in the hope that the other makes up for it."""
    uphill: float = 0.2
    """Mean of what a swap or a chain may cost more, drawn for each and rounded down: one of 150 may
    cost 1. From 0.15 to 0.3 there is hardly a difference."""
    patience: float = 4.0
    """Steps without improvement, times the square root of the nets, before it turns elsewhere."""
    stuck: int = 8
    """The same while nets overlap, times Luby's sequence: where repair is going to get there, it
    mostly does so at once."""
    trials: int = 4
    """Layers of the best routing that are tried anew one by one, once its neighbours are no better;
    each of them once if there are more."""
    trial_patience: float = 2.0
    """Steps without improvement, times the square root of its nets, before a layer is given up."""
    far: float = 1.5
    """How much dearer an answer from elsewhere may be to give up an own, unsettled one for it. It
    counts where vias are open."""
    shake: float = 0.15
    """Random share of the prices when starting over."""
