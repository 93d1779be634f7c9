"""SVG pictures of results, for light and dark colour schemes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from research.matches.match import Result
from research.matches.statistics import sequences
from research.matches.statistics.elo import Rating
from service.levels import LEVELS
from service.rulesets.ai_levels import Strength
from service.rulesets.pictures.drawing import AUTO, Sheet
from service.rulesets.pictures.materials import Styles, both_themes

WIDTH = 760.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 24.0, 64.0, 44.0
PANEL = 300.0  # height of a panel
STARTS_AT = next(iter(LEVELS))  # the level with Elo 0
ROW, HEAD = 26.0, 40.0  # height of a level, and of a ladder's heading
NAMES = 110.0
MAX_POINTS = 300  # of a line
STYLES: Styles = {
    "ground": ("fill:#faf6ec", "fill:#171a21"),
    "axis": both_themes("stroke:{};stroke-width:1;fill:none", ("#bfae8f", "#5b657c")),
    "bound": both_themes("stroke:{};stroke-width:1.5;stroke-dasharray:5 4;fill:none", ("#6d6353", "#a3adbf")),
    "band": ("fill:#2b6cb0;fill-opacity:.18", "fill:#7db4ee;fill-opacity:.22"),
    "line": both_themes("stroke:{};stroke-width:2.5;fill:none", ("#2b6cb0", "#7db4ee")),
    "dot": ("fill:#2b6cb0", "fill:#7db4ee"),
}


class Scale(NamedTuple):
    """Coordinates of numbers: `start` for `least`, `end` for `most`."""

    least: float
    most: float
    start: float
    end: float

    def place(self, number: float) -> float:
        """Return the coordinate of a number."""
        return self.start + (self.end - self.start) * (number - self.least) / (self.most - self.least)


def of_match(result: Result, bounds: Sequence[float] = ()) -> str:
    """Draw the first player's share of wins by deals, with its interval and the bounds."""
    match, deals = result.match, result.deals
    title = f"{match.players[0]} against {match.players[1]}"
    caption = f"wins {result.win_share:.1%} ({result.interval_words}) of {len(result.counted_games)} games"
    heading = f"{match.ruleset} {'+'.join(match.variants)}, {match.seats} seats"
    x_scale, y_scale = Scale(0, max(1, len(deals)), LEFT, WIDTH - RIGHT), Scale(0, 1, TOP + PANEL, TOP)
    labels = {x_scale.place(number): str(number) for number in _ticks(0, len(deals))}
    lines = {y_scale.place(share): f"{share:.0%}" for share in (0, 0.25, 0.5, 0.75, 1)}
    sheet = _panel(title, f"{heading}: {caption}", labels, lines, WIDTH - RIGHT)
    sheet.text(WIDTH / 2, TOP + PANEL + 34, "deals", "faint", 12, "middle")
    seen = sorted({1 + (len(deals) - 1) * step // MAX_POINTS for step in range(MAX_POINTS + 1)} if deals else ())
    bands = [(x_scale.place(count), *map(y_scale.place, sequences.interval(deals[:count]))) for count in seen]
    if bands:
        sheet.polygon([*((x, high) for x, _, high in bands), *((x, low) for x, low, _ in reversed(bands))], "band")
        _line(sheet, [(x_scale.place(count), y_scale.place(sum(deals[:count]) / count)) for count in seen])
    for bound in bounds:
        sheet.path(f"M{LEFT:g} {y_scale.place(bound):g}H{WIDTH - RIGHT:g}", "bound")
    return sheet.to_svg(title, f"{heading}. {title}: {caption}.", AUTO) + "\n"


def of_ladders(strength: Mapping[str, Sequence[Strength]]) -> str:
    """Draw the Elo of each ruleset's levels at two seats, with intervals, on one scale."""
    known = {name: {one.level: one for one in rows if one.elo is not None} for name, rows in strength.items()}
    most = max((one.elo_high or 0 for rows in known.values() for one in rows.values()), default=0) or 400
    least = min((0.0, *(one.elo_low or 0 for rows in known.values() for one in rows.values())))
    height = HEAD + ROW * len(LEVELS)
    sheet = Sheet(WIDTH, TOP + height * len(known) + BOTTOM, STYLES)
    sheet.text(LEFT, 28, "How strong the levels are", "ink", 18)
    sheet.text(LEFT, 50, "Elo at two seats, 95 % intervals; random is 0", "faint", 13)
    scale = Scale(least, most, LEFT + NAMES, WIDTH - RIGHT - 60)
    ticks = {tick: scale.place(tick) for tick in _ticks(least, most)}
    caption = []
    for number, (ruleset, rows) in enumerate(known.items()):
        with sheet.group(0, TOP + number * height, ruleset):
            sheet.text(LEFT, HEAD / 2 + 4, ruleset, "ink", 15)
            for x in ticks.values():
                sheet.path(f"M{x:.1f} {HEAD:g}V{height:g}", "axis")
            for row, level in enumerate(LEVELS):
                y = HEAD + ROW * (row + 0.5)
                sheet.text(scale.start - 12, y, level, "ink", 13, "end")
                one = rows.get(level)
                if level == STARTS_AT:
                    sheet.circle(scale.place(0), y, 5, "dot")
                if one is None or one.elo is None or one.elo_low is None or one.elo_high is None:
                    continue
                low, high = scale.place(one.elo_low), scale.place(one.elo_high)
                sheet.rect(low, y - 6, high - low, 12, "band", 6)
                sheet.circle(scale.place(one.elo), y, 5, "dot")
                sheet.text(WIDTH - RIGHT, y, f"{one.elo:.0f}", "ink", 13, "end")
                caption.append(f"{ruleset} {level} {one.elo:.0f} ({one.elo_low:.0f} to {one.elo_high:.0f})")
    for tick, x in ticks.items():
        sheet.text(x, sheet.height - BOTTOM + 18, tick, "faint", 12, "middle")
    return sheet.to_svg("How strong the levels are", "; ".join(caption) or "No results.", AUTO) + "\n"


def of_growth(ruleset: str, lines: Mapping[str, Sequence[tuple[float, Rating]]]) -> str:
    """Draw Elo by seconds per decision, on a logarithmic scale. `lines`: points by name."""
    every = [point for line in lines.values() for point in line]
    seconds = sorted({seconds for seconds, _ in every})
    least, most = min(one.low for _, one in every), max(one.high for _, one in every)
    spacing, right = _spacing(most - least), WIDTH - RIGHT - NAMES
    ticks = range(spacing * math.floor(least / spacing), spacing * math.ceil(most / spacing) + 1, spacing)
    y_scale = Scale(ticks[0], ticks[-1], TOP + PANEL, TOP)
    x_scale = Scale(0, math.log(seconds[-1] / seconds[0]) or 1.0, LEFT + 24, right)
    x_of = {time: x_scale.place(math.log(time / seconds[0])) for time in seconds}
    title, caption = f"{ruleset}: Elo by time", []
    labels = {x: f"{time:g} s" for time, x in x_of.items()}
    heading = "two seats, 95 % intervals; the shortest time has 0"
    sheet = _panel(title, heading, labels, {y_scale.place(tick): str(tick) for tick in ticks}, right + 16)
    sheet.text((LEFT + right) / 2, TOP + PANEL + 34, "for each decision", "faint", 12, "middle")
    for name, line in lines.items():
        for time, one in line:
            low, high = y_scale.place(one.low), y_scale.place(one.high)
            sheet.rect(x_of[time] - 6, high, 12, max(1.0, low - high), "band", 6)
        _line(sheet, [(x_of[time], y_scale.place(one.elo)) for time, one in line])
        for time, one in line:
            sheet.circle(x_of[time], y_scale.place(one.elo), 5, "dot")
            caption.append(f"{name} with {time:g} s {one.elo:.0f} ({one.low:.0f} to {one.high:.0f})")
        last, one = line[-1]
        sheet.text(x_of[last] + 24, y_scale.place(one.elo), f"{name} {one.elo:.0f}", "ink", 13)
    return sheet.to_svg(title, "; ".join(caption) + ".", AUTO) + "\n"


def _panel(title: str, heading: str, labels: Mapping[float, str], lines: Mapping[float, str], right: float) -> Sheet:
    """Return a panel with titles, labels below it by x, and labelled lines up to `right` by y."""
    sheet = Sheet(WIDTH, TOP + PANEL + BOTTOM, STYLES)
    sheet.text(LEFT, 24, title, "ink", 18)
    sheet.text(LEFT, 46, heading, "faint", 13)
    for y, label in lines.items():
        sheet.path(f"M{LEFT:g} {y:.1f}H{right:g}", "axis")
        sheet.text(LEFT - 8, y, label, "faint", 12, "end")
    for x, label in labels.items():
        sheet.text(x, TOP + PANEL + 16, label, "faint", 12, "middle")
    return sheet


def _line(sheet: Sheet, points: Sequence[tuple[float, float]]) -> None:
    sheet.path("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points), "line")


def _ticks(least: float, most: float) -> range:
    """Return about eight numbers between the limits."""
    spacing = _spacing(most - least)
    return range(spacing * math.ceil(least / spacing), int(most) + 1, spacing)


def _spacing(span: float) -> int:
    """Return the distance for about eight ticks: 1, 2 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(max(span, 10.0) / 8))
    return int(max(1, next(step * power for step in (1, 2, 5, 10) if step * power >= span / 8)))
