"""The rule sets of NumberLink, by their names."""

from __future__ import annotations

from enum import StrEnum


class Rules(StrEnum):
    """What makes an answer."""

    ADC = "adc"
    """The contest's: cells may stay empty, and a line does not touch itself."""
    NIKOLI = "nikoli"
    """Cells may stay empty, and a line may run beside itself."""
    FLOW = "flow"
    """Every cell is filled, and a line may run beside itself."""
