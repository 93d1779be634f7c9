"""Takebacks: back to the position before a seat's last turn, in every ruleset and variant; draws are drawn anew."""

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
from service.games.state.takebacks import Target, line_of, target
from service.games.view import view
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from tests.games.tables import Table, in_a_run, played_to, read_again, table
from tests.games.test_log import AT, LIFETIMES, SEED
from tests.sampling import one_in

ALL = [(ruleset.id, variant) for ruleset in RULESETS.values() for variant in ruleset.variants]
every_ruleset = pytest.mark.parametrize(("ruleset", "variant"), one_in(3, ALL))


def follow(made: Table) -> list[Game]:
    """The game at every revision, by its own log; number 0 is the new one."""
    games = [Game.new(made.game.meta)]
    for event in read_again(made.session.events):
        games.append(log.fold(games[-1], event))
    return games


def before_last_turn(made: Table, seat: int) -> tuple[int, bool]:
    """Found by hand in a log without takebacks: (revision before the seat's last run of decisions, draw undone)."""
    events = [event for event in made.log if event["kind"] in ("action", "draw", "start")]
    place = max(n for n, event in enumerate(events) if event["kind"] == "action" and event["seat"] == seat)
    while events[place - 1]["kind"] == "action" and events[place - 1]["seat"] == seat:
        place -= 1
    return events[place - 1]["revision"], any(event["kind"] == "draw" for event in events[place:])


@every_ruleset
@pytest.mark.parametrize("seats", one_in(2, [4, 2]))
def test_after_a_takeback_the_position_is_the_one_before_the_turn(ruleset: str, variant: str, seats: int) -> None:
    """At many moments of a whole game, for each seat that has decided."""
    made = table("player", *["ai"] * (seats - 1), ruleset=ruleset, variant=variant)
    decisions = 0
    while not made.game.is_over:
        made.act()
        decisions += 1
        if decisions % 7 or made.game.is_over or not made.game.acted[0]:
            continue
        to, across = before_last_turn(made, 0)
        actual = target(made.session.events, 0)
        assert Target(to, across) == actual
        tried = Table(type(made.session)(made.game, made.session.now, made.past), made.rng)
        tried.session.take_back(0, actual)
        (event,) = tried.session.events
        assert isinstance(event, TakebackEvent)
        expected = made.past(to)
        assert ("takeback", 0, to, across) == (event.kind, event.seat, event.to, event.across_draw)
        assert (expected.position, 0) == (tried.game.position, tried.game.to_decide)
        assert (made.game.revision + 1, not across) == (tried.game.revision, tried.game.fair)
        assert tried.game == log.fold(made.game, read_again([event])[0])
        assert tried.game == log.fold(made.game, replace(event, position={}), expected.position)
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
    again = in_a_run(kind, seat=0)

    def found(made: Table) -> bool:
        earlier = made.log[-2]
        return again(made) and ("action", 0) == (earlier["kind"], earlier.get("seat"))

    made = played_to(found, "player", "ai", ruleset=ruleset, variant=variant)
    to, across = before_last_turn(made, 0)
    assert not across
    assert made.game.revision - to > 1
    made.take_back(0)
    assert (made.past(to).position, True) == (made.position, made.game.fair)


def across_a_draw() -> tuple[Table, int]:
    """A game of azul whose person has just made a decision that a deal followed; the revision before that."""
    made = table("player", "ai")
    while True:
        before, seat = made.game.revision, made.seat
        if "draw" in made.act() and seat == 0:
            return made, before


def test_across_a_draw_the_game_is_no_longer_fair_and_is_drawn_anew_by_the_recipe() -> None:
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
    """The game goes on until seat 0 has made a decision that no deal followed; that is taken back."""
    decided, kinds = made.seat, made.act()
    while decided != 0 or "draw" in kinds:
        decided, kinds = made.seat, made.act()
    made.take_back(0)
    assert not made.log[-1]["across_draw"]


def test_a_game_that_a_takeback_made_unfair_stays_so_after_a_takeback_without_a_draw() -> None:
    made, _ = across_a_draw()
    made.take_back(0)
    take_back_without_a_draw(made)
    assert not made.game.fair


@pytest.mark.parametrize("fair", [True, False])
def test_a_takeback_without_a_draw_leaves_a_game_as_fair_as_it_began(*, fair: bool) -> None:
    made = table("player", "ai", fair=fair)
    take_back_without_a_draw(made)
    assert fair == made.game.fair


@every_ruleset
def test_takebacks_in_a_row_go_turn_by_turn_back_to_the_beginning(ruleset: str, variant: str) -> None:
    made = table("player", "ai", ruleset=ruleset, variant=variant)
    while made.game.revision < 40:
        made.act()
    games = follow(made)
    turns = 0
    while (actual := target(made.session.events, 0)) is not None:
        made.take_back(0)
        turns += 1
        assert games[actual.revision].position == made.game.position
    first = next(event for event in made.log if event["kind"] == "action" and event["seat"] == 0)
    assert games[first["revision"] - 1].position == made.game.position
    assert turns > 3
    made.refused("offer/nothing_to_take_back", made.take_back, 0)


def test_after_a_takeback_and_another_turn_the_next_takeback_undoes_that_turn() -> None:
    made = table("player", "ai")
    for _ in range(4):
        made.act()
    made.take_back(0)
    here = made.position
    made.act(made.position.legal_actions()[1])
    made.act()
    made.take_back(0)
    assert here == made.position
    made.take_back(0)
    assert made.past(3).position == made.position


def test_an_ai_that_has_moved_since_is_taken_back_with_it() -> None:
    made = table("player", "ai", "ai")
    here = made.position
    for _ in range(3):
        made.act()
    made.take_back(0)
    assert (here, 0) == (made.position, made.game.to_decide)
    assert "takeback" == made.session.events[-1].kind


def test_an_ai_that_is_about_to_move_does_not_keep_a_turn_from_being_taken_back() -> None:
    made = table("player", "ai")
    here = made.position
    made.act()
    assert 0 == made.game.due_at
    made.take_back(0)
    assert here == made.position
    assert made.game.due_at is None


def test_with_other_people_it_is_offered_and_done_when_all_have_accepted() -> None:
    made = table("player", "player", "player", "ai")
    here = made.position
    made.act()
    made.take_back(0)
    (offer,) = made.game.offers
    assert ("takeback", 0, 3, False, [1, 2]) == (
        offer.kind,
        offer.seat,
        offer.to,
        offer.across_draw,
        made.game.awaiting(offer),
    )
    made.session.answer(2, offer.id, accept=True)
    assert [1] == made.game.awaiting(made.game.offers[0])
    made.session.answer(1, offer.id, accept=True)
    assert (here, ()) == (made.position, made.game.offers)
    assert ["offer", "answer", "answer", "takeback"] == [event.kind for event in made.session.events[-4:]]


def test_an_offered_takeback_that_one_declines_is_off_until_the_game_moves_on() -> None:
    made = table("player", "player", "player")
    made.act()
    here = made.position
    made.take_back(0)
    offer = made.game.offers[0].id
    made.session.answer(1, offer, accept=True)
    made.session.answer(2, offer, accept=False)
    assert not made.game.offers
    assert here == made.position
    made.refused("offer/not_found", made.session.answer, 1, offer, accept=True)
    made.refused("offer/declined", made.take_back, 0)
    made.act()
    made.take_back(0)
    assert 1 == len(made.game.offers)


def test_an_offered_takeback_can_be_withdrawn_and_lapses_with_the_next_move() -> None:
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
    made.refused("offer/not_found", made.session.answer, 0, offer, accept=True)


def test_two_who_each_want_their_own_turn_back_have_not_agreed() -> None:
    made = table("player", "player")
    made.act()
    made.act()
    here = made.position
    made.take_back(0)
    made.take_back(1)
    assert ([3, 4], here) == ([offer.to for offer in made.game.offers], made.position)
    made.session.answer(0, made.game.offers[1].id, accept=True)
    assert (made.past(4).position, ()) == (made.position, made.game.offers)


def test_who_has_decided_nothing_has_nothing_to_take_back() -> None:
    made = table("player", "player")
    made.refused("offer/nothing_to_take_back", made.take_back, 0)
    made.act()
    made.refused("offer/nothing_to_take_back", made.take_back, 1)


def test_before_the_start_and_after_the_end_nothing_is_taken_back() -> None:
    made = table("player", "open")
    made.refused("game/not_started", made.take_back, 0)
    made.session.start()
    made.act()
    made.session.resign(0)
    made.refused("game/over", made.take_back, 0)
    made = table("player", "ai")
    while not made.game.is_over:
        made.act()
    made.refused("game/over", made.take_back, 0)


def test_who_has_resigned_or_is_paused_takes_nothing_back() -> None:
    made = table("player", "player", "player")
    made.act()
    made.session.resign(0)
    made.refused("game/resigned", made.take_back, 0)
    made = table("player", "ai")
    made.act()
    made.session.pause(0, 60)
    made.refused("game/paused", made.take_back, 0)


def messy(ruleset: str, variant: str) -> Table:
    """A whole game in which the person takes something back every so often, once or twice."""
    made = table("player", "ai", "ai", ruleset=ruleset, variant=variant, first_seat=None)
    taken = 0
    while not made.game.is_over:
        made.act()
        if made.game.revision % 11 == 0 and taken < 12 and not made.game.is_over and made.game.acted[0]:
            for _ in range(1 + taken % 2):
                if target(made.session.events, 0) is not None:
                    made.take_back(0)
            taken += 1
            made.rng = generator(bytes([taken]) * 32)
    assert taken > 3
    return made


@every_ruleset
def test_every_revision_of_a_log_with_takebacks_replays_and_tells_what_was_seen_then(
    ruleset: str, variant: str
) -> None:
    """Those undone as well: the log is the truth, and a takeback adds to it."""
    made = messy(ruleset, variant)
    replayed = follow(made)
    assert made.game == replayed[-1]
    live = type(made.session)(Game.new(made.game.meta), made.game.meta.created_at)
    for event in made.session.events:
        live.add(event)
        assert view(live.game, LIFETIMES) == view(replayed[live.game.revision], LIFETIMES)


@every_ruleset
def test_every_draw_of_a_log_with_takebacks_follows_the_recipe(ruleset: str, variant: str) -> None:
    made = messy(ruleset, variant)
    games = follow(made)
    draws = [event for event in made.log if event["kind"] == "draw"]
    for event in draws:
        position = games[event["revision"] - 1].position
        assert position is not None
        drawn = position.sample(generator_of_draw(SEED, event["revision"]))
        assert position.ruleset.wire.name_draw(position.table_state(), drawn) == event["draw"]
    assert len(draws) > 3


def test_the_line_of_a_position_holds_only_what_was_not_undone() -> None:
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
    assert [(3, None, 2), (10, 0, 3), (11, 0, 10)] == [tuple(step) for step in line_of(events).steps]
    assert Target(3, across_draw=False) == target(events, 0)
    assert target(events, 1) is None


def test_a_turn_that_begins_the_game_is_taken_back_as_a_whole() -> None:
    """A game may begin at a position in which nothing has to be drawn first."""
    events = [CreatedEvent(1, AT), StartEvent(2, AT, ()), ActionEvent(3, AT, 0, {}), ActionEvent(4, AT, 0, {})]
    assert Target(2, across_draw=False) == target(events, 0)
