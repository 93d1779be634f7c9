"""The decoders of the rulesets: snapshots, positions in wire form, actions, draws.

What is accepted must be understood: written again it is the same, and the game goes on from there, as far as its end,
through positions that are accepted themselves. A decoder may refuse what could be; it may not accept what the rules
were not written for, since compiled rules look at nothing and would read and write beside their tables.
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
from tests.fuzz.fuzzing import Verdict, must
from tests.fuzz.mutations import By_name, Damage, by_name, damaged_bytes
from workers.search import players
from workers.search.decisions import Search

MAX_STEPS = 3_000  # no game is longer
STEPS = (1,) * 14 + (4,) * 5 + (30,)  # damages, one after the other
FEW = 6  # steps that most accepted positions are played on
TO_THE_END = 0.1  # how many are played to their end
THOUGHT = 0.005  # of these positions those that a search thinks about
MAX_ACTION = 2**63 - 1


def refused(refusal: InconsistentStateError) -> None:
    """It tells where, by JSON pointers, and what."""
    must(refusal.errors, "it tells no fault")
    for pointer, text in refusal.errors.items():
        must(text and (pointer == "" or pointer.startswith("/")), f"no pointer, or no words: {pointer[:80]!r}")


# ---------------------------------------------------------------------------------------------- positions


def position(number: int, dice: random.Random) -> Verdict:
    """A position in wire form; of some what is accepted is damaged further, so that they get far from all play."""
    game = GAMES[number % len(GAMES)]
    damage, json = Damage(dice, known_positions()), dice.choice(corpus.views(game))
    accepted: Position | None = None
    damaged = False
    for _ in range(dice.choice(STEPS)):
        tried = damage.json(json)
        try:
            is_sound(game.ruleset.read(tried))
            accepted = game.ruleset.read_posted(tried)
        except InconsistentStateError as refusal:
            refused(refusal)
            damaged = False
        else:
            json, damaged = tried, True
    if accepted is not None:
        is_sound(accepted)
        goes_on(accepted, dice)
    return Verdict(game.ruleset.id, accepted=damaged)


@functools.cache
def known_positions() -> By_name:
    """What stands under each name in positions of all games."""
    return by_name(corpus.every_view())


def is_sound(position: Position) -> None:
    """It is told, kept, and read again as what it is."""
    ruleset = position.ruleset
    view = ruleset.view(position)
    must(orjson.loads(orjson.dumps(view)) == view, "its view is no JSON")
    try:
        again = ruleset.read(view)
    except InconsistentStateError as refusal:
        must(False, f"its view is not read: {refusal}")
    must(again == position, "its view is read as another position")
    must(ruleset.from_snapshot(position.to_snapshot()) == position, "its snapshot is read as another position")
    must([seat.score for seat in position.outcome()] == list(position.scores), "its outcome has other scores")
    must(all(sum(seat.breakdown.values()) == seat.score for seat in position.outcome()), "its break-down is not whole")
    legal = position.legal_actions()
    must((position.status == "deciding") == bool(legal), f"{len(legal)} actions while {position.status}")
    for action in legal[:: 1 + len(legal) // 20]:
        must(position.refusal(action) is None, f"the legal action {action} is refused")
        must(
            ruleset.wire.encode(ruleset.wire.decode(action)) == action, f"the legal action {action} has another's name"
        )
    is_judged(position, set(legal))


def is_judged(position: Position, legal: set[int]) -> None:
    """The rules tell a player what to think about, and what each seat may expect."""
    rules, out = position.ruleset.rules, np.empty(position.ruleset.max_actions, np.int64)
    candidates = out[: rules.candidates(position.table_state(), out)].tolist()
    must(set(candidates) <= legal and bool(candidates) == bool(legal), "candidates that are no legal actions")
    points = [rules.estimate(position.table_state(), seat) for seat in range(position.seats)]
    must(np.isfinite(points).all(), f"estimates of {points}")


def goes_on(position: Position, dice: random.Random) -> None:
    """The game can be played on, mostly some steps, at times to its end; each position is one that is accepted."""
    steps = MAX_STEPS if dice.random() < TO_THE_END else FEW
    for taken in range(steps):
        if position.status == "over":
            break
        position = next_of(position, dice)
        if position.seat is not None and dice.random() < THOUGHT:
            choice = Search(position, players.read(position.ruleset, "tree@12"), dice.randbytes(32)).choose()
            must(position.refusal(choice.action) is None, "the search has chosen what is not legal")
        if taken < FEW or taken % 50 == 0 or position.status == "over":
            is_sound(position)
    must(steps == FEW or position.status == "over", "the game does not end")


def next_of(position: Position, dice: random.Random) -> Position:
    """The position after an action or a draw by chance, which tells its effects."""
    rng = generator(dice.randbytes(31) + b"\1")
    if position.status == "drawing":
        drawn = position.sample(rng)
        must(orjson.dumps(position.effects_of_draw(drawn)), "the draw has no effects")
        return position.resolve_draw(drawn)
    action = position.random_action(rng)
    must(orjson.dumps(position.effects(action)), "the action has no effects")
    return position.play(action)


# ---------------------------------------------------------------------------------------------- snapshots


def snapshot(number: int, dice: random.Random) -> Verdict:
    """A position's bytes, as they were stored."""
    game = GAMES[number % len(GAMES)]
    good = dice.choice(corpus.positions(game))
    other = dice.choice(corpus.positions(dice.choice(GAMES)))
    content = damaged_bytes(dice, good.to_snapshot(), [other.to_snapshot(), other.to_bytes(), good.to_bytes()])
    try:
        read = game.ruleset.from_snapshot(content)
    except DamagedSnapshotError:
        return Verdict(game.ruleset.id, accepted=False)
    must(content == read.to_snapshot(), "it is written as another snapshot")
    is_sound(read)
    return Verdict(game.ruleset.id, accepted=True)


# ------------------------------------------------------------------------------------- actions and draws


@functools.cache
def known_actions() -> By_name:
    """What stands under each name in actions and draws of all games."""
    named = [action for game in GAMES for action in corpus.actions(game)]
    return by_name([*named, *(draw for game in GAMES for _, draw in corpus.draws(game))])


def action(number: int, dice: random.Random) -> Verdict:
    """An action by its fields or, of ten, three by their number; asked of a position, mostly not the one it is of."""
    game = GAMES[number % len(GAMES)]
    asked, good = dice.choice(corpus.positions(game)), dice.choice(corpus.actions(game))
    if dice.random() < 0.3:
        return Verdict(game.ruleset.id, accepted=by_number(asked, number_near(game.ruleset.wire.encode(good), dice)))
    named = Damage(dice, known_actions()).json(good)
    try:
        encoded = game.ruleset.wire.encode(named)
    except InconsistentStateError as refusal:
        refused(refusal)
        return Verdict(game.ruleset.id, accepted=False)
    must(type(encoded) is int and 0 <= encoded <= MAX_ACTION, f"{encoded!r} is no action")
    if not is_nameless(game.ruleset, encoded):
        must(game.ruleset.wire.encode(game.ruleset.wire.decode(encoded)) == encoded, "its name is another action's")
    by_number(asked, encoded)
    return Verdict(game.ruleset.id, accepted=True)


def is_nameless(ruleset: Ruleset, action: int) -> bool:
    """Whether the number says only why the named action is refused: Queen's Garden knows some of that kind."""
    return ruleset.id == "queens-garden" and action & 7 == REFUSED


def number_near(good: int, dice: random.Random) -> int:
    """A number that is not far from that of an action, or any."""
    way = dice.random()
    if way < 0.6:
        return (good ^ 1 << dice.randrange(63)) & MAX_ACTION
    if way < 0.8:
        return max(0, good + dice.randint(-40, 40))
    return dice.choice((0, 1, 299, 300, 324, 325, 1787, 1788, MAX_ACTION, dice.getrandbits(63), dice.getrandbits(20)))


def by_number(asked: Position, action: int) -> bool:
    """Whether the position takes the action; else it tells why not, and nothing has happened."""
    refusal = asked.refusal(action)
    if refusal is None:
        must(asked.ruleset.wire.encode(asked.ruleset.wire.decode(action)) == action, "its name is another action's")
        must(orjson.dumps(asked.effects(action)), "the action has no effects")
        is_sound(asked.play(action))
        return True
    before = asked.to_bytes()
    try:
        asked.play(action)
    except IllegalActionError as illegal:
        must(illegal.reason == refusal in asked.ruleset.reasons, f"{illegal.reason!r} is no reason")
    else:
        must(False, f"it is played though it is refused: {refusal}")
    must(asked.to_bytes() == before, "what was refused has changed the position")
    return False


def draw(number: int, dice: random.Random) -> Verdict:
    """A draw by its fields, asked of a position that waits for one."""
    game = GAMES[number % len(GAMES)]
    asked, good = dice.choice(corpus.draws(game))
    named = Damage(dice, known_actions()).json(good)
    try:
        drawn = game.ruleset.wire.read_draw(named)
    except InconsistentStateError as refusal:
        refused(refusal)
        return Verdict(game.ruleset.id, accepted=False)
    try:
        after = asked.resolve_draw(drawn)
    except IllegalDrawError:
        return Verdict(game.ruleset.id, accepted=False)
    must(orjson.dumps(asked.effects_of_draw(drawn)), "the draw has no effects")
    again = game.ruleset.wire.read_draw(game.ruleset.wire.name_draw(asked.table_state(), drawn))
    must(again == drawn, "its name is another draw's")
    is_sound(after)
    return Verdict(game.ruleset.id, accepted=True)
