"""What holds in every position that play can reach: on the wire, and straight on the record for millions of them."""

from __future__ import annotations

import numpy as np

from service.rulesets.kernel import DECIDING, DRAWING, OVER, Record, helper
from service.rulesets.summer_pavilion.rules.state import ACQUIRING, COLOURED, PLAYING, TAKING_BONUS
from tests.rulesets.summer_pavilion.build import COLOURS, FACTORIES, TILES, Json, colours_of, size

SUPPLY_SPACES, FACTORY_SPACES, CORNER_SPACES, ROUNDS = 10, 4, 4, 6
OWN_COLOUR = np.array([COLOURS.index(star) for star in ("orange", "red", "blue", "yellow", "green", "purple")])


def faults(view: Json) -> list[str]:
    """What is wrong with a position in wire form; nothing where play can reach it."""
    results = [f"{number} {colour} tiles" for colour, number in colours_of(view).items() if number != TILES]
    if len(view["factories"]) != FACTORIES[len(view["seats"])]:
        results.append(f"{len(view['factories'])} factories")
    results += [f"a factory of {size(tiles)}" for tiles in view["factories"] if size(tiles) > FACTORY_SPACES]
    if size(view["supply"]) > SUPPLY_SPACES:
        results.append(f"a supply of {size(view['supply'])}")
    for seat, board in enumerate(view["seats"]):
        results += [f"seat {seat}: {fault}" for fault in seat_faults(board, view["variant"], view["phase"])]
    return results + phase_faults(view)


def seat_faults(board: Json, variant: str, phase: str) -> list[str]:
    """What is wrong with a seat."""
    results = [f"the {star} star" for star, tiles in board["stars"].items() if not lawful(star, tiles, variant)]
    if board["score"] < 1:
        results.append(f"a score of {board['score']}")
    if size(board["corners"]) > CORNER_SPACES:
        results.append(f"{size(board['corners'])} tiles in the corners")
    if board["corners"] and not board["passed"]:
        results.append("tiles in the corners before it passed")
    if board["hand"] and board["passed"]:
        results.append("a hand after it passed")
    if not 0 <= board["leftover_penalty"] <= (CORNER_SPACES if phase == "over" else 0):
        results.append(f"a penalty of {board['leftover_penalty']} in phase {phase}")
    return results


def lawful(star: str, tiles: list[str | None], variant: str) -> bool:
    """Whether a star may look like this on that side."""
    there = [tile for tile in tiles if tile is not None]
    if variant == "coloured" and star != "centre":
        return set(there) <= {star}
    different = len(set(there)) == len(there)
    return different or (variant == "grey" and len(set(there)) == 1)


def phase_faults(view: Json) -> list[str]:
    """What does not fit the phase."""
    phase, passed = view["phase"], [seat["passed"] for seat in view["seats"]]
    on_table = bool(view["centre"]) or any(view["factories"])
    left = size(view["bag"]) + size(view["tower"])
    short = size(view["supply"]) < SUPPLY_SPACES
    mover = view["next_seat"] if phase == "refill" else view["to_decide"]
    wild = COLOURS[view["round"] - 1] if view["round"] else None
    wrong = {
        "tiles to acquire": on_table != (phase == "acquire"),
        "bonus tiles owed": (view["bonus_owed"] > 0) != (phase == "take_bonus"),
        "more bonus tiles owed than there are": view["bonus_owed"] > size(view["supply"]),
        "the seat to decide": (view["to_decide"] is not None) != (phase in {"acquire", "play", "take_bonus"}),
        "the next seat": (view["next_seat"] is not None) != (phase == "refill"),
        "a mover that has passed": mover is not None and passed[mover],
        "seats that have passed": any(passed) if phase == "acquire" or not view["round"] else False,
        "seats that have not passed": view["round"] > 0 and phase in {"deal", "over"} and not all(passed),
        "a supply left short": phase in {"acquire", "play"} and short and left > 0,
        "a refill of nothing": phase == "refill" and not (short and left),
        "the wild colour": view["wild"] != wild,
        "the round": not 0 <= view["round"] <= ROUNDS or (phase == "over" and view["round"] != ROUNDS),
        "a deal after the last round": phase == "deal" and view["round"] == ROUNDS,
        "the seat that started": view["start_seat"] is None and view["round"] > 0,
    }
    return [f"{name} in phase {phase}" for name, is_wrong in wrong.items() if is_wrong]


# ------------------------------------------------------------------------------ straight on the record

TILE_FAULTS = ("a number of tiles", "the supply", "a factory", "the holders", "less than nothing")
SEAT_FAULTS = ("a score", "the corners", "the leftovers", "a hand after passing", "corners before passing", "a star")
STAGE_FAULTS = (
    "tiles to acquire",
    "bonus tiles owed",
    "bonus tiles that are not there",
    "a mover that has passed",
    "passed too early",
    "not passed",
    "a supply left short",
    "a refill of nothing",
    "the round",
    "a passed seat that does not play",
)


def faults_of_record(table_state: Record) -> list[str]:
    """What is wrong with a record; nothing where play can reach it. Compiled: soaking asks it a million times."""
    results = [(TILE_FAULTS, tile_faults(table_state)), (STAGE_FAULTS, stage_faults(table_state))]
    results += [(SEAT_FAULTS, seat_faults_of(table_state, seat)) for seat in range(table_state["seats"])]
    return [name for names, mask in results if mask for bit, name in enumerate(names) if mask >> bit & 1]


@helper
def flags(*wrong: bool) -> int:
    """A mask of what is wrong."""
    mask = 0
    for bit in range(len(wrong)):
        mask |= int(wrong[bit]) << bit
    return mask


@helper
def tile_faults(game: Record) -> int:
    """Tiles of each colour, and the places they share."""
    wrong_total = wrong_holders = negative = wrong_factory = False
    for colour in range(6):
        total = int(game.bag[colour]) + game.tower[colour] + game.supply[colour]
        negative = negative or min(game.bag[colour], game.tower[colour], game.supply[colour]) < 0
        for source in range(10):
            total += game.tiles[source, colour]
            negative = negative or game.tiles[source, colour] < 0
            wrong_holders = wrong_holders or (game.tiles[source, colour] > 0) != (game.holders[colour] >> source & 1)
        for seat in range(game.seats):
            board = game.boards[seat]
            total += int(board.hand[colour]) + board.corners[colour] + (board.stars == colour + 1).sum()
            negative = negative or min(board.hand[colour], board.corners[colour]) < 0
        wrong_total = wrong_total or total != TILES
    for factory in range(9):
        most = FACTORY_SPACES if factory < 2 * game.seats + 1 else 0
        wrong_factory = wrong_factory or game.tiles[factory].sum() > most
    return flags(wrong_total, game.supply.sum() > SUPPLY_SPACES, wrong_factory, wrong_holders, negative)


@helper
def seat_faults_of(game: Record, seat: int) -> int:
    """A seat's score, tiles and stars."""
    board = game.boards[seat]
    passed = (game.passed >> seat & 1) == 1
    lost, kept = board.leftover_penalty, board.corners.sum()
    wrong_star = False
    for star in range(7):
        wrong_star = wrong_star or not lawful_star(board, star, game.variant)
    return flags(
        game.score[seat] < 1,
        kept > CORNER_SPACES,
        lost < 0 or lost > (CORNER_SPACES if game.status == OVER else 0),
        passed and board.hand.sum() > 0,
        not passed and kept > 0,
        wrong_star,
    )


@helper
def lawful_star(board: Record, star: int, variant: int) -> bool:
    """Whether a star may look like this on that side, and its mask tells what lies there."""
    colours = filled = 0
    twice = False
    for slot in range(6):
        tile = board.stars[star, slot]
        if tile:
            twice = twice or (colours >> tile & 1) == 1
            colours |= 1 << tile
            filled |= 1 << slot
    if filled != board.filled[star]:
        return False
    if variant == COLOURED and star < 6:
        return colours in (0, 2 << OWN_COLOUR[star])
    return not twice or (variant != COLOURED and (colours & (colours - 1)) == 0)


@helper
def stage_faults(game: Record) -> int:
    """What does not fit what the table is busy with."""
    deciding, drawing, everybody = game.status == DECIDING, game.status == DRAWING, (1 << game.seats) - 1
    acquiring, taking = deciding and game.stage == ACQUIRING, deciding and game.stage == TAKING_BONUS
    between = game.round_number > 0 and (game.status == OVER or (drawing and game.stage == ACQUIRING))
    short, left = game.supply.sum() < SUPPLY_SPACES, game.bag.sum() + game.tower.sum() > 0
    mover_passed = (deciding or (drawing and game.stage == PLAYING)) and (game.passed >> game.seat & 1) == 1
    return flags(
        (game.tiles.sum() > 0) != acquiring,
        (game.bonus_owed > 0) != taking,
        game.bonus_owed > game.supply.sum(),
        mover_passed,
        game.passed != 0 and (acquiring or game.round_number == 0),
        between and game.passed != everybody,
        deciding and not taking and short and left,
        drawing and game.stage == PLAYING and not (short and left),
        game.round_number > ROUNDS or (game.status == OVER and game.round_number != ROUNDS),
        game.passed > everybody,
    )
