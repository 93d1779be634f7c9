"""Takebacks: back to the position before a seat's last turn, in every ruleset and variant, with new draws."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.games import log
from service.games.chance import generator_of_draw
from service.games.events import (
    ActionEvent,
    CreatedEvent,
    DrawEvent,
    OfferEvent,
    PauseEvent,
    ResumeEvent,
    StartEvent,
    TakebackEvent,
)
from service.games.state.model import Game
from service.games.state.takebacks import Line, Target, find_target
from service.games.view import view
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from tests.games.tables import Table, in_a_run, played_to, reread, table
from tests.games.test_log import AT, LIFETIMES, SEED
from tests.sampling import one_in

ALL = [(ruleset.id, variant) for ruleset in RULESETS.values() for variant in ruleset.variants]
every_ruleset = pytest.mark.parametrize(("ruleset", "variant"), one_in(3, ALL))


def follow(made: Table) -> list[Game]:
    """Return the game at every revision of its log. Number 0 is the new game."""
    games = [Game.new(made.game.meta)]
    for event in reread(made.session.events):
        games.append(log.fold(games[-1], event))
    return games


def before_last_turn(made: Table, seat: int) -> tuple[int, bool]:
    """Return (revision before the seat's last run of decisions, draw undone) of a log without takebacks."""
    events = [event for event in made.log if event["kind"] in ("action", "draw", "start")]
    place = max(n for n, event in enumerate(events) if event["kind"] == "action" and event["seat"] == seat)
    while events[place - 1]["kind"] == "action" and events[place - 1]["seat"] == seat:
        place -= 1
    return events[place - 1]["revision"], any(event["kind"] == "draw" for event in events[place:])


@every_ruleset
@pytest.mark.parametrize("seats", one_in(2, [4, 2]))
def test_a_takeback_restores_the_position_before_the_turn(ruleset: str, variant: str, seats: int) -> None:
    """Checked at many moments of a whole game."""
    made = table("player", *["ai"] * (seats - 1), ruleset=ruleset, variant=variant)
    decisions = 0
    while not made.game.is_over:
        made.act()
        decisions += 1
        if decisions % 7 or made.game.is_over or not made.game.acted[0]:
            continue
        to, across = before_last_turn(made, 0)
        actual = find_target(made.session.events, 0)
        assert Target(to, across) == actual
        trial = Table(type(made.session)(made.game, made.session.current_time, made.past), made.rng)
        trial.session.take_back(0, actual)
        (event,) = trial.session.events
        assert isinstance(event, TakebackEvent)
        expected = made.past(to)
        assert ("takeback", 0, to, across) == (event.kind, event.seat, event.to, event.across_draw)
        assert (expected.position, 0) == (trial.game.position, trial.game.to_decide)
        assert (made.game.revision + 1, not across) == (trial.game.revision, trial.game.fair)
        assert trial.game == log.fold(made.game, reread([event])[0])
        assert trial.game == log.fold(made.game, replace(event, position={}), expected.position)
    assert decisions > 30


@pytest.mark.parametrize(
    ("ruleset", "variant", "kind"),
    [
        ("summer-pavilion", "coloured", "summer-pavilion.take_bonus"),
        ("summer-pavilion", "grey", "summer-pavilion.take_bonus"),
        ("azul", "grey", "azul.tile"),
        ("queens-garden", "standard", "queens-garden.place_tile"),
        ("queens-garden", "reverse", "queens-garden.place_tile"),
    ],
)
def test_a_turn_of_several_decisions_is_taken_back_as_a_whole(ruleset: str, variant: str, kind: str) -> None:
    in_run = in_a_run(kind, seat=0)

    def is_match(made: Table) -> bool:
        earlier = made.log[-2]
        return in_run(made) and ("action", 0) == (earlier["kind"], earlier.get("seat"))

    made = played_to(is_match, "player", "ai", ruleset=ruleset, variant=variant)
    to, across = before_last_turn(made, 0)
    assert not across
    assert made.game.revision - to > 1
    made.take_back(0)
    assert (made.past(to).position, True) == (made.position, made.game.fair)


def across_a_draw() -> tuple[Table, int]:
    """Play azul until a deal follows a decision of the person. Return the game and the revision before it."""
    made = table("player", "ai")
    while True:
        before, seat = made.game.revision, made.seat
        if "draw" in made.act() and seat == 0:
            return made, before


def test_a_takeback_across_a_draw_is_unfair_and_leads_to_a_new_draw() -> None:
    made, before = across_a_draw()
    old = made.log[-1]
    assert "draw" == old["kind"]
    action = made.log[before]
    made.take_back(0)
    assert (before, True) == (made.log[-1]["to"], made.log[-1]["across_draw"])
    assert not made.game.fair
    made.act(made.game.ruleset.wire.encode(action["action"]))
    new = made.log[-1]
    assert ("draw", old["revision"] + 3) == (new["kind"], new["revision"])
    drawing = made.past(new["revision"] - 1).position
    assert drawing is not None
    rng = generator_of_draw(SEED, new["revision"])
    assert made.game.ruleset.wire.name_draw(drawing.table_state(), drawing.sample(rng)) == new["draw"]
    assert old["draw"] != new["draw"]


def take_back_without_a_draw(made: Table) -> None:
    """Play until seat 0 has made a decision without a deal, and take it back."""
    decided_seat, kinds = made.seat, made.act()
    while decided_seat != 0 or "draw" in kinds:
        decided_seat, kinds = made.seat, made.act()
    made.take_back(0)
    assert not made.log[-1]["across_draw"]


def test_an_unfair_game_stays_unfair_after_a_takeback_without_a_draw() -> None:
    made, _ = across_a_draw()
    made.take_back(0)
    take_back_without_a_draw(made)
    assert not made.game.fair


@pytest.mark.parametrize("fair", [True, False])
def test_a_takeback_without_a_draw_does_not_change_fairness(*, fair: bool) -> None:
    made = table("player", "ai", fair=fair)
    take_back_without_a_draw(made)
    assert fair == made.game.fair


@every_ruleset
def test_repeated_takebacks_return_to_the_beginning(ruleset: str, variant: str) -> None:
    made = table("player", "ai", ruleset=ruleset, variant=variant)
    while made.game.revision < 40:
        made.act()
    games = follow(made)
    turns = 0
    while (actual := find_target(made.session.events, 0)) is not None:
        made.take_back(0)
        turns += 1
        assert games[actual.revision].position == made.game.position
    first = next(event for event in made.log if event["kind"] == "action" and event["seat"] == 0)
    assert games[first["revision"] - 1].position == made.game.position
    assert turns > 3
    made.assert_refused("offer/nothing_to_take_back", made.take_back, 0)


def test_after_a_takeback_and_another_turn_the_next_takeback_undoes_that_turn() -> None:
    made = table("player", "ai")
    for _ in range(4):
        made.act()
    made.take_back(0)
    position = made.position
    made.act(made.position.legal_actions()[1])
    made.act()
    made.take_back(0)
    assert position == made.position
    made.take_back(0)
    assert made.past(3).position == made.position


def test_a_takeback_also_undoes_later_moves_of_ais() -> None:
    made = table("player", "ai", "ai")
    position = made.position
    for _ in range(3):
        made.act()
    made.take_back(0)
    assert (position, 0) == (made.position, made.game.to_decide)
    assert "takeback" == made.session.events[-1].kind


def test_a_turn_can_be_taken_back_before_the_ai_moves() -> None:
    made = table("player", "ai")
    position = made.position
    made.act()
    assert 0 == made.game.due_at
    made.take_back(0)
    assert position == made.position
    assert made.game.due_at is None


def test_a_takeback_among_people_needs_all_acceptances() -> None:
    made = table("player", "player", "player", "ai")
    position = made.position
    made.act()
    made.take_back(0)
    (offer,) = made.game.offers
    assert ("takeback", 0, 3, False) == (offer.kind, offer.seat, offer.to, offer.across_draw)
    assert [1, 2] == made.game.pending_seats(offer)
    made.session.answer(2, offer.id, accept=True)
    assert [1] == made.game.pending_seats(made.game.offers[0])
    made.session.answer(1, offer.id, accept=True)
    assert (position, ()) == (made.position, made.game.offers)
    assert ["offer", "answer", "answer", "takeback"] == [event.kind for event in made.session.events[-4:]]


def test_a_declined_takeback_is_blocked_until_the_next_move() -> None:
    made = table("player", "player", "player")
    made.act()
    position = made.position
    made.take_back(0)
    offer = made.game.offers[0].id
    made.session.answer(1, offer, accept=True)
    made.session.answer(2, offer, accept=False)
    assert not made.game.offers
    assert position == made.position
    made.assert_refused("offer/not_found", made.session.answer, 1, offer, accept=True)
    made.assert_refused("offer/declined", made.take_back, 0)
    made.act()
    made.take_back(0)
    assert 1 == len(made.game.offers)


def test_an_offered_takeback_can_be_withdrawn_and_ends_with_the_next_move() -> None:
    made = table("player", "player")
    made.act()
    made.take_back(0)
    made.session.answer(0, made.game.offers[0].id, accept=False)
    assert not made.game.offers
    made.act()
    made.take_back(1)
    offer = made.game.offers[-1].id
    made.act()
    assert not made.game.offers
    made.assert_refused("offer/not_found", made.session.answer, 0, offer, accept=True)


def test_offers_to_take_back_different_turns_are_not_agreement() -> None:
    made = table("player", "player")
    made.act()
    made.act()
    position = made.position
    made.take_back(0)
    made.take_back(1)
    assert ([3, 4], position) == ([offer.to for offer in made.game.offers], made.position)
    made.session.answer(0, made.game.offers[1].id, accept=True)
    assert (made.past(4).position, ()) == (made.position, made.game.offers)


def test_a_seat_without_decisions_has_nothing_to_take_back() -> None:
    made = table("player", "player")
    made.assert_refused("offer/nothing_to_take_back", made.take_back, 0)
    made.act()
    made.assert_refused("offer/nothing_to_take_back", made.take_back, 1)


def test_takebacks_before_the_start_and_after_the_end_are_refused() -> None:
    made = table("player", "open")
    made.assert_refused("game/not_started", made.take_back, 0)
    made.session.start()
    made.act()
    made.session.resign(0)
    made.assert_refused("game/over", made.take_back, 0)
    made = table("player", "ai")
    while not made.game.is_over:
        made.act()
    made.assert_refused("game/over", made.take_back, 0)


def test_resigned_seats_and_paused_games_refuse_takebacks() -> None:
    made = table("player", "player", "player")
    made.act()
    made.session.resign(0)
    made.assert_refused("game/resigned", made.take_back, 0)
    made = table("player", "ai")
    made.act()
    made.session.pause(0, 60)
    made.assert_refused("game/paused", made.take_back, 0)


def messy(ruleset: str, variant: str) -> Table:
    """Play a whole game in which the person takes back one or two turns repeatedly."""
    made = table("player", "ai", "ai", ruleset=ruleset, variant=variant, first_seat=None)
    takebacks = 0
    while not made.game.is_over:
        made.act()
        if made.game.revision % 11 == 0 and takebacks < 12 and not made.game.is_over and made.game.acted[0]:
            for _ in range(1 + takebacks % 2):
                if find_target(made.session.events, 0) is not None:
                    made.take_back(0)
            takebacks += 1
            made.rng = generator(bytes([takebacks]) * 32)
    assert takebacks > 3
    return made


@every_ruleset
def test_every_revision_of_a_log_with_takebacks_replays(ruleset: str, variant: str) -> None:
    """Undone revisions are included, because a takeback only adds to the log."""
    made = messy(ruleset, variant)
    replayed = follow(made)
    assert made.game == replayed[-1]
    live = type(made.session)(Game.new(made.game.meta), made.game.meta.created_at)
    for event in made.session.events:
        live.add(event)
        assert view(live.game, LIFETIMES) == view(replayed[live.game.revision], LIFETIMES)


@every_ruleset
def test_every_draw_of_a_log_with_takebacks_follows_from_seed_and_revision(ruleset: str, variant: str) -> None:
    made = messy(ruleset, variant)
    games = follow(made)
    draws = [event for event in made.log if event["kind"] == "draw"]
    for event in draws:
        position = games[event["revision"] - 1].position
        assert position is not None
        drawn = position.sample(generator_of_draw(SEED, event["revision"]))
        assert position.ruleset.wire.name_draw(position.table_state(), drawn) == event["draw"]
    assert len(draws) > 3


def test_the_line_of_a_position_contains_only_kept_decisions() -> None:
    events = [
        CreatedEvent(1, AT),
        StartEvent(2, AT, ()),
        DrawEvent(3, AT, {}),
        ActionEvent(4, AT, 0, {}),
        OfferEvent(5, AT, 0, "pause", None, across_draw=False, seconds=60),
        ActionEvent(6, AT, 1, {}),
        TakebackEvent(7, AT, 1, 3, across_draw=False, position={}),
        PauseEvent(8, AT, 0, AT),
        ResumeEvent(9, AT, None),
        ActionEvent(10, AT, 0, {}),
        ActionEvent(11, AT, 0, {}),
    ]
    line = Line()
    for event in events:
        event.extend(line)
    assert [(3, None, 2), (10, 0, 3), (11, 0, 10)] == [tuple(step) for step in line.steps]
    assert Target(3, across_draw=False) == find_target(events, 0)
    assert find_target(events, 1) is None


def test_the_first_turn_of_a_game_is_taken_back_as_a_whole() -> None:
    """A game can start at a position without a pending draw."""
    events = [CreatedEvent(1, AT), StartEvent(2, AT, ()), ActionEvent(3, AT, 0, {}), ActionEvent(4, AT, 0, {})]
    assert Target(2, across_draw=False) == find_target(events, 0)
