"""nlrouter: router, checker and prover for multi-layer NumberLink boards (ADC2016)."""

__version__ = "0.1.0"
