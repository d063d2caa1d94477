"""Pictures one after another, as an animated GIF."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image, ImageOps


@dataclass(frozen=True)
class AnimationConfig:
    """Pace and size of an animation.

    Parameters
    ----------
    resolution
        Pixels per inch, as long as that makes no frame wider than `widest`.
    widest
        Pixels: what most screens show at once, and pages can carry many times over.
    hold
        Milliseconds for each frame: enough to see what has changed.
    hold_last
        Milliseconds for the last frame: time to read it before all starts again.
    colours
        Colours of a frame; nine of lines, some greys and what lies between at the edges.
    """

    resolution: float = 100.0
    widest: int = 1600
    hold: int = 900
    hold_last: int = 3000
    colours: int = 128


LAYERS = AnimationConfig(hold=2000)
"""For one layer after another: time to find on each the line that one follows."""


def animate(figures: Iterable[Figure], config: AnimationConfig | None = None) -> bytes:
    """Return a GIF that shows figures one after another, for ever.

    Parameters
    ----------
    figures
        The frames, at least one. A smaller one is shown in the upper left of the largest.
    config
        Pace and size.
    """
    config = config or AnimationConfig()
    frames = [_rasterise(figure, config) for figure in figures]
    size = max(frame.width for frame in frames), max(frame.height for frame in frames)
    frames = [_enlarge(frame, size) for frame in frames]
    buffer = io.BytesIO()
    frames[0].save(
        buffer,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=[config.hold] * (len(frames) - 1) + [config.hold_last],
        loop=0,
    )
    return buffer.getvalue()


def _rasterise(figure: Figure, config: AnimationConfig) -> Image.Image:
    figure.set_dpi(min(config.resolution, config.widest / figure.get_figwidth()))
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    image = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    return image.quantize(config.colours, dither=Image.Dither.NONE)


def _enlarge(frame: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Add paper to the right of a frame and below."""
    border = 0, 0, size[0] - frame.width, size[1] - frame.height
    # The corner is paper, whatever its place among the frame's colours.
    paper = int(np.asarray(frame)[0, 0])
    return ImageOps.expand(frame, border, fill=paper) if any(border) else frame
