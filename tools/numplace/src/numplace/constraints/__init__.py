"""The constraints of all kinds of puzzles: pure data and its meaning, nothing of any solver."""

from numplace.constraints.arithmetic import Arithmetic
from numplace.constraints.base import Constraint, Violation
from numplace.constraints.cage import Cage
from numplace.constraints.digit_line import DigitLine
from numplace.constraints.hidden_thermometers import HiddenThermometers
from numplace.constraints.house import House
from numplace.constraints.pair import Different, Joint, Less, LessEqual, NotJoint
from numplace.constraints.parity import Parity
from numplace.constraints.sandwich import Sandwich
from numplace.constraints.thermometer import Thermometer

__all__ = [
    "Arithmetic",
    "Cage",
    "Constraint",
    "Different",
    "DigitLine",
    "HiddenThermometers",
    "House",
    "Joint",
    "Less",
    "LessEqual",
    "NotJoint",
    "Parity",
    "Sandwich",
    "Thermometer",
    "Violation",
]
