"""The decoders of the rulesets: snapshots, positions as JSON, actions and draws.

Accepted input must be understood: written again it is the same, and the game continues from there to its end through
positions that are accepted themselves. A decoder may reject possible positions. It must not accept positions that the
rules do not expect, because compiled rules check no bounds.
"""

from __future__ import annotations

import functools
import random

import numpy as np
import orjson

from service.rulesets.kernel import generator
from service.rulesets.queens_garden.rules.codes import REFUSED
from service.rulesets.ruleset import (
    DamagedSnapshotError,
    IllegalActionError,
    IllegalDrawError,
    InconsistentStateError,
    Position,
    Ruleset,
)
from tests.fuzz import corpus
from tests.fuzz.corpus import GAMES
from tests.fuzz.fuzzing import Verdict, require
from tests.fuzz.mutations import By_name, Damage, by_name, damaged_bytes
from workers.search import players
from workers.search.decisions import Search

MAX_STEPS = 3_000  # no game is longer
STEPS = (1,) * 14 + (4,) * 5 + (30,)  # consecutive damages
FEW = 6  # steps played after most accepted positions
TO_THE_END = 0.1  # share of positions that are played to the end
THOUGHT = 0.005  # share of their positions that a search thinks about
MAX_ACTION = 2**63 - 1


def check_refusal(refusal: InconsistentStateError) -> None:
    """Check that a refusal has JSON pointers and texts."""
    require(refusal.errors, "the refusal has no errors")
    for pointer, text in refusal.errors.items():
        require(text and (pointer == "" or pointer.startswith("/")), f"no pointer, or no words: {pointer[:80]!r}")


# ---------------------------------------------------------------------------------------------- positions


def position(number: int, dice: random.Random) -> Verdict:
    """Try a position as JSON. Some accepted ones are damaged further, so that they get far from those of play."""
    game = GAMES[number % len(GAMES)]
    damage, json = Damage(dice, known_positions()), dice.choice(corpus.views(game))
    accepted: Position | None = None
    damaged = False
    for _ in range(dice.choice(STEPS)):
        tried = damage.json(json)
        try:
            check_position(game.ruleset.read(tried))
            accepted = game.ruleset.read_posted(tried)
        except InconsistentStateError as refusal:
            check_refusal(refusal)
            damaged = False
        else:
            json, damaged = tried, True
    if accepted is not None:
        check_position(accepted)
        play_on(accepted, dice)
    return Verdict(game.ruleset.id, accepted=damaged)


@functools.cache
def known_positions() -> By_name:
    """Return the values of each name in positions of all games."""
    return by_name(corpus.every_view())


def check_position(position: Position) -> None:
    """Check the view, the snapshot, the outcome and the legal actions of a position."""
    ruleset = position.ruleset
    view = ruleset.view(position)
    require(orjson.loads(orjson.dumps(view)) == view, "its view is no JSON")
    try:
        again = ruleset.read(view)
    except InconsistentStateError as refusal:
        require(False, f"its view is not read: {refusal}")
    require(again == position, "its view is read as another position")
    require(ruleset.from_snapshot(position.to_snapshot()) == position, "its snapshot is read as another position")
    require([seat.score for seat in position.outcome()] == list(position.scores), "its outcome has other scores")
    require(
        all(sum(seat.breakdown.values()) == seat.score for seat in position.outcome()), "its break-down is not whole"
    )
    legal = position.legal_actions()
    require((position.status == "deciding") == bool(legal), f"{len(legal)} actions while {position.status}")
    for action in legal[:: 1 + len(legal) // 20]:
        require(position.refusal(action) is None, f"the legal action {action} is refused")
        require(
            ruleset.wire.encode(ruleset.wire.decode(action)) == action, f"the legal action {action} has another's name"
        )
    check_candidates(position, set(legal))


def check_candidates(position: Position, legal: set[int]) -> None:
    """Check candidates and estimates."""
    rules, out = position.ruleset.rules, np.empty(position.ruleset.max_actions, np.int64)
    candidates = out[: rules.candidates(position.table_state(), out)].tolist()
    require(set(candidates) <= legal and bool(candidates) == bool(legal), "candidates that are no legal actions")
    points = [rules.estimate(position.table_state(), seat) for seat in range(position.seats)]
    require(np.isfinite(points).all(), f"estimates of {points}")


def play_on(position: Position, dice: random.Random) -> None:
    """Check that the game can continue, mostly for some steps, sometimes to its end, through valid positions."""
    steps = MAX_STEPS if dice.random() < TO_THE_END else FEW
    for taken in range(steps):
        if position.status == "over":
            break
        position = next_of(position, dice)
        if position.seat is not None and dice.random() < THOUGHT:
            choice = Search(position, players.parse_player(position.ruleset, "tree@12"), dice.randbytes(32)).choose()
            require(position.refusal(choice.action) is None, "the search has chosen what is not legal")
        if taken < FEW or taken % 50 == 0 or position.status == "over":
            check_position(position)
    require(steps == FEW or position.status == "over", "the game does not end")


def next_of(position: Position, dice: random.Random) -> Position:
    """Return the position after a random action or draw, after checking that it has effects."""
    rng = generator(dice.randbytes(31) + b"\1")
    if position.status == "drawing":
        drawn = position.sample(rng)
        require(orjson.dumps(position.step_draw(drawn)[0]), "the draw has no effects")
        return position.resolve_draw(drawn)
    action = position.random_action(rng)
    require(orjson.dumps(position.step(action)[0]), "the action has no effects")
    return position.play(action)


# ---------------------------------------------------------------------------------------------- snapshots


def snapshot(number: int, dice: random.Random) -> Verdict:
    """Try the bytes of a stored position."""
    game = GAMES[number % len(GAMES)]
    good = dice.choice(corpus.positions(game))
    other = dice.choice(corpus.positions(dice.choice(GAMES)))
    content = damaged_bytes(dice, good.to_snapshot(), [other.to_snapshot(), other.to_bytes(), good.to_bytes()])
    try:
        read = game.ruleset.from_snapshot(content)
    except DamagedSnapshotError:
        return Verdict(game.ruleset.id, accepted=False)
    require(content == read.to_snapshot(), "it is written as another snapshot")
    check_position(read)
    return Verdict(game.ruleset.id, accepted=True)


# ------------------------------------------------------------------------------------- actions and draws


@functools.cache
def known_actions() -> By_name:
    """Return the values of each name in actions and draws of all games."""
    named = [action for game in GAMES for action in corpus.actions(game)]
    return by_name([*named, *(draw for game in GAMES for _, draw in corpus.draws(game))])


def action(number: int, dice: random.Random) -> Verdict:
    """Try an action by its fields or, in three of ten cases, its number, mostly in a position of another moment."""
    game = GAMES[number % len(GAMES)]
    asked, good = dice.choice(corpus.positions(game)), dice.choice(corpus.actions(game))
    if dice.random() < 0.3:
        near = number_near(game.ruleset.wire.encode(good), dice)
        return Verdict(game.ruleset.id, accepted=accepts_number(asked, near))
    named = Damage(dice, known_actions()).json(good)
    try:
        encoded = game.ruleset.wire.encode(named)
    except InconsistentStateError as refusal:
        check_refusal(refusal)
        return Verdict(game.ruleset.id, accepted=False)
    require(type(encoded) is int and 0 <= encoded <= MAX_ACTION, f"{encoded!r} is no action")
    if not is_nameless(game.ruleset, encoded):
        require(game.ruleset.wire.encode(game.ruleset.wire.decode(encoded)) == encoded, "its name is another action's")
    accepts_number(asked, encoded)
    return Verdict(game.ruleset.id, accepted=True)


def is_nameless(ruleset: Ruleset, action: int) -> bool:
    """Return whether the number stands for the reason why a named action is illegal, as some of Queen's Garden do."""
    return ruleset.id == "queens-garden" and action & 7 == REFUSED


def number_near(good: int, dice: random.Random) -> int:
    """Return a number near that of an action, or any number."""
    way = dice.random()
    if way < 0.6:
        return (good ^ 1 << dice.randrange(63)) & MAX_ACTION
    if way < 0.8:
        return max(0, good + dice.randint(-40, 40))
    return dice.choice((0, 1, 299, 300, 324, 325, 1787, 1788, MAX_ACTION, dice.getrandbits(63), dice.getrandbits(20)))


def accepts_number(asked: Position, action: int) -> bool:
    """Return whether the position accepts the action. Check that a refused one has a reason and no effect."""
    refusal = asked.refusal(action)
    if refusal is None:
        require(asked.ruleset.wire.encode(asked.ruleset.wire.decode(action)) == action, "its name is another action's")
        require(orjson.dumps(asked.step(action)[0]), "the action has no effects")
        check_position(asked.play(action))
        return True
    before = asked.to_bytes()
    try:
        asked.play(action)
    except IllegalActionError as illegal:
        require(illegal.reason == refusal in asked.ruleset.reasons, f"{illegal.reason!r} is no reason")
    else:
        require(False, f"it is played though it is refused: {refusal}")
    require(asked.to_bytes() == before, "what was refused has changed the position")
    return False


def draw(number: int, dice: random.Random) -> Verdict:
    """Try a draw by its fields in a position that waits for one."""
    game = GAMES[number % len(GAMES)]
    asked, good = dice.choice(corpus.draws(game))
    named = Damage(dice, known_actions()).json(good)
    try:
        drawn = game.ruleset.wire.read_draw(named)
    except InconsistentStateError as refusal:
        check_refusal(refusal)
        return Verdict(game.ruleset.id, accepted=False)
    try:
        after = asked.resolve_draw(drawn)
    except IllegalDrawError:
        return Verdict(game.ruleset.id, accepted=False)
    require(orjson.dumps(asked.step_draw(drawn)[0]), "the draw has no effects")
    again = game.ruleset.wire.read_draw(game.ruleset.wire.name_draw(asked.table_state(), drawn))
    require(again == drawn, "its name is another draw's")
    check_position(after)
    return Verdict(game.ruleset.id, accepted=True)
