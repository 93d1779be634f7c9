"""SVG pictures of results, for light and dark colour schemes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from research.matches.match import Result
from research.matches.statistics import sequences
from research.matches.statistics.elo import Rating
from service.levels import LEVELS
from service.rulesets.ai_levels import Strength
from service.rulesets.pictures.drawing import AUTO, Sheet
from service.rulesets.pictures.materials import Styles

WIDTH = 760.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 24.0, 64.0, 44.0
PANEL = 300.0  # height of a panel
STARTS_AT = next(iter(LEVELS))  # the level with Elo 0
ROW, HEAD = 26.0, 40.0  # height of a level, and of a ladder's heading
NAMES = 110.0
MAX_POINTS = 300  # of a line
STYLES: Styles = {
    "ground": ("fill:#faf6ec", "fill:#171a21"),
    "axis": ("stroke:#bfae8f;stroke-width:1;fill:none", "stroke:#5b657c;stroke-width:1;fill:none"),
    "bound": (
        "stroke:#6d6353;stroke-width:1.5;stroke-dasharray:5 4;fill:none",
        "stroke:#a3adbf;stroke-width:1.5;stroke-dasharray:5 4;fill:none",
    ),
    "band": ("fill:#2b6cb0;fill-opacity:.18", "fill:#7db4ee;fill-opacity:.22"),
    "line": ("stroke:#2b6cb0;stroke-width:2.5;fill:none", "stroke:#7db4ee;stroke-width:2.5;fill:none"),
    "dot": ("fill:#2b6cb0", "fill:#7db4ee"),
}


def of_match(result: Result, bounds: Sequence[float] = ()) -> str:
    """Draw the first player's share of wins by deals, with its interval and the bounds."""
    match, deals = result.match, result.deals
    sheet = Sheet(WIDTH, TOP + PANEL + BOTTOM, STYLES)
    title = f"{match.players[0]} against {match.players[1]}"
    sheet.text(LEFT, 24, title, "ink", 18)
    caption = f"wins {result.win_share:.1%} ({result.interval_words}) of {len(result.counted_games)} games"
    heading = f"{match.ruleset} {'+'.join(match.variants)}, {match.seats} seats"
    sheet.text(LEFT, 46, f"{heading}: {caption}", "faint", 13)

    def x_of(deal: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * deal / max(1, len(deals))

    def y_of(share: float) -> float:
        return TOP + PANEL * (1 - share)

    for share in (0, 0.25, 0.5, 0.75, 1):
        sheet.path(f"M{LEFT:g} {y_of(share):g}H{WIDTH - RIGHT:g}", "axis")
        sheet.text(LEFT - 8, y_of(share), f"{share:.0%}", "faint", 12, "end")
    for number in _ticks(len(deals)):
        sheet.text(x_of(number), TOP + PANEL + 16, number, "faint", 12, "middle")
    sheet.text(WIDTH / 2, TOP + PANEL + 34, "deals", "faint", 12, "middle")
    seen = sorted({1 + (len(deals) - 1) * step // MAX_POINTS for step in range(MAX_POINTS + 1)} if deals else ())
    bands = [(x_of(count), *sequences.interval(deals[:count])) for count in seen]
    if bands:
        upper, lower = [(x, y_of(high)) for x, _, high in bands], [(x, y_of(low)) for x, low, _ in reversed(bands)]
        sheet.polygon([*upper, *lower], "band")
        line = [f"{x_of(count):.1f} {y_of(sum(deals[:count]) / count):.1f}" for count in seen]
        sheet.path("M" + "L".join(line), "line")
    for bound in bounds:
        sheet.path(f"M{LEFT:g} {y_of(bound):g}H{WIDTH - RIGHT:g}", "bound")
    return sheet.to_svg(title, f"{heading}. {title}: {caption}.", AUTO) + "\n"


def of_ladders(strength: Mapping[str, Sequence[Strength]]) -> str:
    """Draw the Elo of each ruleset's levels at two seats, with intervals, on one scale."""
    known = {name: {one.level: one for one in rows if one.elo is not None} for name, rows in strength.items()}
    most = max((one.elo_high or 0 for rows in known.values() for one in rows.values()), default=0) or 400
    least = min((0.0, *(one.elo_low or 0 for rows in known.values() for one in rows.values())))
    spacing = _spacing(most - least)
    ticks = range(spacing * math.ceil(least / spacing), int(most) + 1, spacing)
    height = HEAD + ROW * len(LEVELS)
    sheet = Sheet(WIDTH, TOP + height * len(known) + BOTTOM, STYLES)
    sheet.text(LEFT, 28, "How strong the levels are", "ink", 18)
    sheet.text(LEFT, 50, "Elo at two seats, 95 % intervals; random is 0", "faint", 13)
    first = LEFT + NAMES

    def x_of(elo: float) -> float:
        return first + (WIDTH - RIGHT - 60 - first) * (elo - least) / (most - least)

    caption = []
    for number, (ruleset, rows) in enumerate(known.items()):
        with sheet.group(0, TOP + number * height, ruleset):
            sheet.text(LEFT, HEAD / 2 + 4, ruleset, "ink", 15)
            for tick in ticks:
                sheet.path(f"M{x_of(tick):.1f} {HEAD:g}V{height:g}", "axis")
            for row, level in enumerate(LEVELS):
                y = HEAD + ROW * (row + 0.5)
                sheet.text(first - 12, y, level, "ink", 13, "end")
                one = rows.get(level)
                if level == STARTS_AT:
                    sheet.circle(x_of(0), y, 5, "dot")
                if one is None or one.elo is None or one.elo_low is None or one.elo_high is None:
                    continue
                sheet.rect(x_of(one.elo_low), y - 6, x_of(one.elo_high) - x_of(one.elo_low), 12, "band", 6)
                sheet.circle(x_of(one.elo), y, 5, "dot")
                sheet.text(WIDTH - RIGHT, y, f"{one.elo:.0f}", "ink", 13, "end")
                caption.append(f"{ruleset} {level} {one.elo:.0f} ({one.elo_low:.0f} to {one.elo_high:.0f})")
    for tick in ticks:
        sheet.text(x_of(tick), sheet.height - BOTTOM + 18, tick, "faint", 12, "middle")
    return sheet.to_svg("How strong the levels are", "; ".join(caption) or "No results.", AUTO) + "\n"


def of_growth(ruleset: str, lines: Mapping[str, Sequence[tuple[float, Rating]]]) -> str:
    """Draw Elo by seconds per decision, on a logarithmic scale. `lines`: points by name."""
    every = [point for line in lines.values() for point in line]
    seconds = sorted({seconds for seconds, _ in every})
    least, most = min(one.low for _, one in every), max(one.high for _, one in every)
    spacing = _spacing(most - least)
    ticks = range(spacing * math.floor(least / spacing), spacing * math.ceil(most / spacing) + 1, spacing)
    sheet = Sheet(WIDTH, TOP + PANEL + BOTTOM, STYLES)
    title = f"{ruleset}: Elo by time"
    sheet.text(LEFT, 24, title, "ink", 18)
    sheet.text(LEFT, 46, "two seats, 95 % intervals; the shortest time has 0", "faint", 13)
    right = WIDTH - RIGHT - NAMES

    def x_of(time: float) -> float:
        span = math.log(seconds[-1] / seconds[0]) or 1.0
        return LEFT + 24 + (right - LEFT - 24) * math.log(time / seconds[0]) / span

    def y_of(elo: float) -> float:
        return TOP + PANEL * (ticks[-1] - elo) / (ticks[-1] - ticks[0])

    for tick in ticks:
        sheet.path(f"M{LEFT:g} {y_of(tick):.1f}H{right + 16:g}", "axis")
        sheet.text(LEFT - 8, y_of(tick), tick, "faint", 12, "end")
    for time in seconds:
        sheet.text(x_of(time), TOP + PANEL + 16, f"{time:g} s", "faint", 12, "middle")
    sheet.text((LEFT + right) / 2, TOP + PANEL + 34, "for each decision", "faint", 12, "middle")
    caption = []
    for name, line in lines.items():
        for time, one in line:
            sheet.rect(x_of(time) - 6, y_of(one.high), 12, max(1.0, y_of(one.low) - y_of(one.high)), "band", 6)
        sheet.path("M" + "L".join(f"{x_of(time):.1f} {y_of(one.elo):.1f}" for time, one in line), "line")
        for time, one in line:
            sheet.circle(x_of(time), y_of(one.elo), 5, "dot")
            caption.append(f"{name} with {time:g} s {one.elo:.0f} ({one.low:.0f} to {one.high:.0f})")
        last, one = line[-1]
        sheet.text(x_of(last) + 24, y_of(one.elo), f"{name} {one.elo:.0f}", "ink", 13)
    return sheet.to_svg(title, "; ".join(caption) + ".", AUTO) + "\n"


def _spacing(span: float) -> int:
    """Return the distance for about eight ticks: 1, 2 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(max(span, 10.0) / 8))
    return int(max(1, next(step * power for step in (1, 2, 5, 10) if step * power >= span / 8)))


def _ticks(most: int) -> range:
    return range(0, most + 1, _spacing(most))
