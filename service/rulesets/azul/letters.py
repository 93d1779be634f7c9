"""Letters of pieces in text pictures and notation."""

from __future__ import annotations

from service.rulesets.azul.rules.components import COLOURS
from service.rulesets.pictures.text_drawing import START_TOKEN

LETTERS = dict(zip(COLOURS, "byrkw", strict=True))
FLOOR_LETTERS = {**LETTERS, "start_token": START_TOKEN}
