"""The story of a reviewed game."""

from __future__ import annotations

import re
from copy import deepcopy
from itertools import cycle
from pathlib import Path
from random import Random

import pytest

from service.games.state.seats import ACTIVE, SEAT_STATUSES
from service.rulesets.ruleset import Json
from service.rulesets.texts import LANGUAGES
from service.usecases.work import stories as telling
from service.usecases.work.reviewed_game import ReviewedGame
from service.usecases.work.story_facts import MAX_FACTS, Fact, find_facts
from tests.usecases.work import stories

Games = dict[str, ReviewedGame]
MIN_RANDOM_GAMES, MAX_RANDOM_GAMES = 100, 2_000


@pytest.fixture(scope="module")
def games() -> Games:
    return stories.games()


def with_results(game: ReviewedGame, *results: Json, reason: str = "completed") -> ReviewedGame:
    """Return the game with changes to the results of its first seats."""
    view = deepcopy(game.view)
    view["outcome"]["reason"] = reason
    for result, change in zip(view["outcome"]["seats"], results, strict=False):
        result.update(change)
    return ReviewedGame(view, game.review, game.rounds)


def fact(game: ReviewedGame, role: str) -> Fact:
    return next(each for each in find_facts(game) if each.role == role)


def test_stories_are_the_golden_ones() -> None:
    for path, content in stories.texts():
        assert path.read_text("utf-8") == content, "python -m tests.usecases.work.stories writes them again"


def test_golden_stories_have_three_to_six_sentences_about_revisions_of_the_game(games: Games) -> None:
    for game in games.values():
        for language in LANGUAGES:
            sentences = telling.story(game, language)
            assert 3 <= len(sentences) <= MAX_FACTS
            assert len(sentences) == len({sentence["text"] for sentence in sentences})
            assert all(1 <= sentence["revision"] <= game.revision for sentence in sentences)


WON, LOST = {"rank": 1, "won": True}, {"rank": 2, "won": False}


@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [
        ({**WON, "score": 50}, {**LOST, "score": 49}, "result-narrow"),
        ({**WON, "score": 50}, {**LOST, "score": 40}, "result-clear"),
        ({**WON, "score": 50}, {**LOST, "score": 20}, "result-wide"),
        ({**WON, "score": 50}, {**LOST, "score": 50}, "result-level"),
        ({**WON, "score": 50}, {**WON, "score": 50}, "result-shared"),
    ],
)
def test_the_first_sentence_depends_on_the_scores(games: Games, own: Json, other: Json, expected: str) -> None:
    assert expected == find_facts(with_results(games["azul-5"], own, other))[0].message


def test_a_tie_break_is_named(games: Games) -> None:
    game = with_results(games["azul-5"], {**WON, "score": 50}, {**LOST, "score": 50})
    assert "number of full rows" in telling.story(game, "en")[0]["text"]


@pytest.mark.parametrize(("name", "expected"), [(None, "Seat 1 and Seat 2"), ("Kim", "Kim 1 and Kim 2")])
def test_seats_without_a_name_have_a_number_and_equal_names_are_numbered(
    games: Games, name: str | None, expected: str
) -> None:
    game = games["azul-5"]
    seats = [{**seat, "kind": "player", "name": name} for seat in game.view["seats"]]
    first, *_ = telling.story(ReviewedGame({**game.view, "seats": seats}, game.review, game.rounds), "en")
    assert expected in first["text"]


def test_a_game_without_decisions_has_one_sentence(games: Games) -> None:
    game = games["azul-8"]
    review = {**game.review, "decisions": [], "seats": []}
    assert ["result-resignation"] == [each.message for each in find_facts(ReviewedGame(game.view, review, []))]
    aborted = ReviewedGame({**game.view, "outcome": None}, review, [])
    assert ["result-aborted"] == [each.message for each in find_facts(aborted)]


def test_the_bonus_is_named_without_which_the_winner_would_have_lost(games: Games) -> None:
    parts = [{"wall_tiling": 40, "rows": 2, "columns": 14, "colours": 0}, {"wall_tiling": 40, "rows": 4, "columns": 7}]
    scores = [56, 51]
    own, other = (
        {**place, "score": score, "breakdown": {"colours": 0, **part}}
        for place, score, part in zip((WON, LOST), scores, parts, strict=True)
    )
    found = fact(with_results(games["azul-5"], own, other), "bonus")
    assert ("columns", {"score": 14, "other": 7}) == (found.bonus, found.numbers)


def test_no_decision_is_attributed_to_a_seat_that_resigned_before_the_end(games: Games) -> None:
    game = games["azul-four"]
    assert 2 == max(game.decisions, key=lambda decision: decision["win_lost"])["seat"]
    assert 2 not in {seat for each in find_facts(game) if each.decision for seat in each.seats.values()}


def random_game(base: ReviewedGame, dice: Random) -> ReviewedGame:
    """Return the game with random results, chances and scores before each round."""
    reason = dice.choice((*["completed"] * 6, "resignation", "timeout", "failure", "adjudication"))
    nobody_won = reason == "adjudication" and dice.random() < 0.3
    scores = [dice.choice((20, 40, 42, 44, 45, 50)) for _ in range(base.seats)]
    keys = [(score, dice.randrange(2)) for score in scores]
    ranks = [1 + nobody_won + sum(other > own for other in keys) for own in keys]
    first, *bonuses = base.results[0]["breakdown"]
    results = []
    for score, rank in zip(scores, ranks, strict=True):
        parts = {name: dice.choice((-2, 0, 5, 10)) for name in bonuses}
        breakdown = {first: score - sum(parts.values()), **parts}
        results.append({"score": score, "rank": rank, "won": rank == 1, "breakdown": breakdown})
    seats = [{**seat, "status": dice.choice((*[ACTIVE] * 9, *SEAT_STATUSES))} for seat in base.view["seats"]]
    outcome = {"reason": reason, "seats": results} if dice.random() < 0.95 else None
    view = {**base.view, "id": str(dice.random()), "seats": seats, "outcome": outcome}
    chances, spread = [dice.choice((0.2, 0.3, 0.5, 0.7, 0.8)) for _ in range(2)], dice.choice((0.0, 0.2))
    change = dice.choice(base.rounds)["revision"]  # a round with a lucky draw
    decisions = [
        random_decision(each, chances[each["revision"] >= change] + dice.uniform(-spread, spread), dice)
        for each in base.decisions
    ]
    review = {**base.review, "decisions": decisions}
    rounds = [{**each, "scores": [dice.randrange(30) for _ in scores]} for each in base.rounds]
    return ReviewedGame(view, review, rounds if dice.random() < 0.8 else [])


def random_decision(decision: Json, chance: float, dice: Random) -> Json:
    """Return the decision with this chance of the first seat. Few decisions are errors."""
    best = 1 - chance if decision["seat"] else chance
    lost = round(dice.uniform(0, best / 2) if dice.random() < 0.02 else 0, 4)
    return {
        **decision,
        "win_probability_best": best,
        "win_probability_played": best - lost,
        "win_lost": lost,
        "points_lost": dice.uniform(0, 20),
        "margin": dice.choice((None, 0.01, 0.2)),
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_variant_of_every_message_is_used_and_can_be_formatted(games: Games, language: str) -> None:
    source = (Path(telling.__file__).parent / "texts" / f"{language}.ftl").read_text("utf-8")
    dice, unused = Random(1), {*re.findall(r"^([a-z-]+-[a-z]) =", source, re.MULTILINE)}
    for number, base in enumerate(cycle(games.values())):
        game = random_game(base, dice)
        names = [f"N{seat}" for seat in range(game.seats)]
        for each in find_facts(game):
            arguments = telling._arguments(game, each, names, language)
            for variant in telling._variants(each.message, language):
                text = telling.STORY_TEXTS.message(language, variant, arguments)
                assert text[0] == text[0].upper()
                assert text.endswith(".")
                unused.discard(variant)
        if number > MAX_RANDOM_GAMES or (number > MIN_RANDOM_GAMES and not unused):
            break
    assert set() == unused
