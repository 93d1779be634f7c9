"""The moments that an animation shows, and the pictures of them."""

from __future__ import annotations

import gzip
import re

import pytest

from service.games.events import ActionEvent
from service.games.state.model import position_of
from service.usecases.base import replaying, repository
from service.usecases.base.context import Caller, Context
from service.usecases.games import creating, playing
from service.usecases.games.commands import Request
from service.usecases.views import animations, pictures
from tests.rulesets import films
from tests.rulesets.offers import WITH_PICTURE
from tests.sampling import one_in
from tests.usecases.games.test_offering import rebase
from tests.usecases.games.test_rulesets import EVERY_VARIANT
from tests.usecases.games.test_rulesets import play as play_to_the_end
from tests.usecases.games.test_usecases import PLAYER, act, new_game, seat

LOOKS = animations.RenderingOptions("auto", "wide", None, loop=True)
COMPARED = 9
DRAWN = [side for side in EVERY_VARIANT if side[0] in WITH_PICTURE]


def whole_game(context: Context, ruleset: str, variant: str, seats: int = 2) -> str:
    """Play a game at random and return its id."""
    new_game = creating.NewGame(ruleset, variant, (creating.NewSeat("player"),) * seats, seed=b"\7" * 32)
    made = creating.create(context, Caller(), new_game)
    play_to_the_end(context, made["game"]["id"], made["tokens"])
    return str(made["game"]["id"])


def revisions(context: Context, game: str) -> list[int]:
    return [still.game.revision for still in animations.stills_of(context, repository.load(context, game).game)]


@pytest.mark.parametrize(("ruleset", "variant"), one_in(len(DRAWN), DRAWN))
def test_an_animation_shows_each_decision_and_each_deal(context: Context, ruleset: str, variant: str) -> None:
    game = whole_game(context, ruleset, variant)
    loaded = animations.load_finished(context, Caller(), game)
    shown, last = revisions(context, game), loaded.game.revision
    decided = sum(isinstance(event, ActionEvent) for event in replaying.events_of(context, game, 0, last))
    rounds = loaded.game.ruleset.view(position_of(loaded.game))["round"]
    assert decided + rounds == len(shown)
    assert [*shown[:-1], last] == sorted(set(shown))
    svg = gzip.decompress(animations.animate(context, loaded, LOOKS, "en"))
    film = films.read(svg)
    assert len(film.moments) == len(shown)
    for number in range(0, len(shown), len(shown) // COMPARED):
        board = pictures.draw(context, Caller(), game, shown[number], "auto", "wide")
        assert films.seen_of(board.svg.decode()) == film.visible_elements(film.moments[number])


@pytest.mark.parametrize(("ruleset", "variant"), [("azul", "coloured"), ("queens-garden", "standard")])
def test_the_start_of_a_new_round_has_a_caption_with_its_number(context: Context, ruleset: str, variant: str) -> None:
    loaded = animations.load_finished(context, Caller(), whole_game(context, ruleset, variant))
    rounds = loaded.game.ruleset.view(position_of(loaded.game))["round"]
    film = films.read(gzip.decompress(animations.animate(context, loaded, LOOKS, "en")))
    texts = [element.text or "" for element in film.root.iter(f"{films.SVG}text")]
    assert {f"Round {number}" for number in range(2, rounds + 1)} == {
        text for text in texts if re.fullmatch(r"Round \d+", text)
    }


def test_an_animation_of_a_long_game_omits_moments(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    for number in range(6):
        act(context, game, seat(tokens, number % 2))
    playing.resign(context, Request(seat(tokens, 0), game), None)
    all_revisions = revisions(context, game)
    assert 8 == len(all_revisions)  # the deal, six decisions, the end
    for limit in (2, 3, 4, 5, 7, 8):
        monkeypatch.setattr(animations, "MAX_STILLS", limit)
        fewer = revisions(context, game)
        assert (all_revisions[0], all_revisions[-1]) == (fewer[0], fewer[-1])
        assert len(fewer) <= limit
        assert set(fewer) <= set(all_revisions)


def test_an_animation_leaves_out_decisions_under_older_rules(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    for number in range(4):
        act(context, game, seat(tokens, number % 2))
    base = rebase(context, game, monkeypatch)
    act(context, game, seat(tokens, 0))
    playing.resign(context, Request(seat(tokens, 0), game), None)
    assert [base, base + 1, base + 2] == revisions(context, game)
    loaded = animations.load_finished(context, Caller(), game)
    film = films.read(gzip.decompress(animations.animate(context, loaded, LOOKS, "en")))
    for revision, at in zip((base, base + 1, base + 2), film.moments, strict=True):
        board = pictures.draw(context, Caller(), game, revision, "auto", "wide")
        assert films.seen_of(board.svg.decode()) == film.visible_elements(at)
