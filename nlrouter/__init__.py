r"""Router, checker and prover for the multi-layer NumberLink boards of ADC2016.

>>> import nlrouter
>>> problem = nlrouter.parse_problem("SIZE 3X2X1\nLINE_NUM 1\nLINE#1 (0,0,1) (2,1,1)\n")
>>> result = nlrouter.route(problem, time_limit=10)
>>> print(result.status, result.cost, result.lower_bound)
optimal cost 5 = 4 cells + 1 bends 5

``__init__.pyi`` lists the public interface, and where each name stands. Modules are loaded when
one of their names is first asked for, so importing this takes a moment only.
"""

import lazy_loader

__version__ = "1.0.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
