"""Pictures of positions as arrays of pixels. Needs the extra `envs`."""

from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt

from service.rulesets.pictures.drawing import LIGHT, Scene, Sitting, Words
from service.rulesets.ruleset import Position

PICTURE_WIDTH = 800  # pixels


def draw_pixels(position: Position) -> npt.NDArray[np.uint8]:
    """Return the picture of the table as RGB, (height, PICTURE_WIDTH, 3). Raises ValueError if the ruleset has none."""
    import resvg_py
    from PIL import Image

    ruleset = position.ruleset
    if ruleset.picture is None:
        raise ValueError(f"{ruleset.id} has no picture")
    sittings = [Sitting(str(1 + seat), score, position.seat == seat) for seat, score in enumerate(position.scores)]
    scene = Scene(ruleset.view(position), ruleset.wire.components(), sittings, Words(ruleset.texts, "en"))
    svg = ruleset.picture(scene).to_svg(ruleset.id, position.notation, LIGHT)
    png = resvg_py.svg_to_bytes(svg_string=svg, width=PICTURE_WIDTH)
    return np.array(Image.open(io.BytesIO(png)).convert("RGB"))
