"""Two strangers who meet by seeks, a challenge or a competition while parts fail, and play a rated game.

The second is a published bot; both allow rated games between people and bots. Afterwards each of their games must have
been counted once, they must be in no other game, and the competition must have its result.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from service.rulesets.registry import RULESETS
from tests.faults.journal import Journal, Json, violation_line
from tests.faults.people import HOW, Orders, Table
from tests.faults.persistent_client import Answer, Request, new_key
from tests.patience import HANG_S

SEEK, CHALLENGE, COMPETITION = "seek", "challenge", "competition"
APPLIED, NOT_COUNTED = "applied", "not_counted"
GAMES_OF_A_PAIR = 7
"""Games of the same two players, which count less and less."""
DECLINED = 0.2
WAIT_S = 3


@dataclass(frozen=True)
class Stranger:
    """A player of the service."""

    id: str
    token: str


def new_meetings(seed: str) -> Iterator[Json]:
    """Yield requests for games of strangers without end: all rulesets and boards in turn, with a way to meet."""
    rng = random.Random(f"{seed} meetings")
    sides = [(ruleset.id, variant) for ruleset in RULESETS.values() for variant in ruleset.variants]
    for number in itertools.count():
        if number % len(sides) == 0:
            rng.shuffle(sides)
        ruleset, variant = sides[number % len(sides)]
        yield {
            "ruleset": ruleset,
            "variant": variant,
            "seats": [{"kind": "player"}] * 2,
            "clock": {"turn_s": 60, "bank_s": 300},
            "how": rng.choice((SEEK, CHALLENGE, COMPETITION)),
        }


class Meeting(Table):
    """The meeting of two strangers and their game. `pair`: the two; an empty list is filled."""

    def __init__(
        self, url: str, journal: Journal, rng: random.Random, new: Json, orders: Orders, pair: list[Stranger]
    ) -> None:
        super().__init__(url, journal, rng, new, orders)
        self.pair = pair
        self.competition = ""  # the id, if they met by one
        self._until = 0.0

    def _begin(self) -> bool:
        """Meet, and read the game."""
        self._until = time.monotonic() + HANG_S
        while len(self.pair) < 2:
            made = self._ask("createPlayer", "POST", "/players", None, {"bot": bool(self.pair)})
            if made is None or made.status != 201:
                self.journal.violate("", None, f"a player cannot be created: {made and (made.status, made.json)}")
                return False
            self.pair.append(Stranger(made.json["player"]["id"], made.json["token"]))
        meet = {SEEK: self._by_seeks, CHALLENGE: self._by_challenge, COMPETITION: self._by_competition}
        found = meet[self.new["how"]]()
        if found is None:
            if not self.orders.stop.is_set():
                what = f"two strangers did not meet by a {self.new['how']} in {HANG_S:.0f} s"
                self.journal.violate("", None, what)
            return False
        self.id = found
        view = self._ask("getGame", "GET", f"/games/{found}")
        if view is None or view.status != 200:
            self.journal.violate(found, None, f"the game of two strangers does not exist: {view and view.json}")
            return False
        seats = {seat["player"]: number for number, seat in enumerate(view.json["seats"])}
        self.tokens = {seats[stranger.id]: stranger.token for stranger in self.pair}
        self._moved = view.answered
        self._see(view.json, view.answered)
        return True

    def player(self, seat: int) -> str:
        """Return the id of the player in a seat."""
        return next(stranger.id for stranger in self.pair if stranger.token == self.tokens[seat])

    def _ask(
        self, operation: str, method: str, path: str, who: Stranger | None = None, body: Json | None = None
    ) -> Answer | None:
        how = self.rng.choice(HOW) if method == "POST" else None
        token = None if who is None else who.token
        waits = "?wait" not in path
        return self.asker.ask(Request(operation, method, path, body, token, None, self.id, how), waits=waits)

    def _is_running(self) -> bool:
        return time.monotonic() < self._until and not self.orders.stop.is_set()

    @property
    def _settings(self) -> Json:
        settings = {name: self.new[name] for name in ("ruleset", "variant", "clock")}
        return {**settings, "rated": True, "mixed": True}

    def _by_seeks(self) -> str | None:
        """Seek the same game with both. Seek again when a seek has ended."""
        body = {**self._settings, "keep_s": 600}
        seeks = [Request("createSeek", "POST", "/seeks", body, stranger.token) for stranger in self.pair]
        found = [self._send_new(seek) for seek in seeks]
        while self._is_running():
            games = [seek["game_id"] for seek in found if seek is not None]
            if len(games) == 2 and None not in games:
                if games[0] != games[1]:
                    self.journal.violate("", None, f"two strangers are paired, but in two games: {games}")
                return str(games[0])
            found = [self._look_at(seek, now, who) for seek, now, who in zip(seeks, found, self.pair, strict=True)]
        return None

    def _look_at(self, request: Request, known: Json | None, who: Stranger) -> Json | None:
        """Return the current state of a seek."""
        if known is None or known["game_id"] is not None:
            return known
        answer = self._ask("getSeek", "GET", f"/seeks/{known['id']}?wait={WAIT_S}", who)
        return (
            dict(answer.json)
            if answer is not None and answer.status == 200
            else self._send_new(replace(request, key=new_key()))
        )

    def _by_challenge(self) -> str | None:
        """Challenge the bot, which accepts. Sometimes it has declined another challenge before."""
        asked = self.pair[1]
        plays = {"rulesets": [*RULESETS], "games_at_once": 20}
        self._ask("publishBot", "PUT", "/me/bot", asked, plays)
        if self.rng.random() < DECLINED and (first := self._send_new(self._challenge())) is not None:
            self._ask("declineChallenge", "POST", f"/challenges/{first['id']}/decline", asked, {"reason": "later"})
        made = self._send_new(self._challenge())
        while made is not None and self._is_running():
            path = f"/challenges/{made['id']}"
            self._ask("listMyChallenges", "GET", f"/me/challenges?wait={WAIT_S}", asked)
            self._ask("acceptChallenge", "POST", f"{path}/accept", asked, {})
            found = self._ask("getChallenge", "GET", path, asked)
            if found is not None and found.status == 200 and found.json["game_id"] is not None:
                return str(found.json["game_id"])
        return None

    def _challenge(self) -> Request:
        path = f"/players/{self.pair[1].id}/challenges"
        return Request("createChallenge", "POST", path, {**self._settings, "answer_s": 600}, self.pair[0].token)

    def _by_competition(self) -> str | None:
        """Announce a Swiss of one round and enter with both. Repeat everything that is lost in a kill."""
        host = self.pair[0]
        wanted = {**self._settings, "name": "Two", "format": "swiss", "rounds": 1, "open_to": "everybody"}
        del wanted["mixed"]
        new = Request("createCompetition", "POST", "/competitions", wanted, host.token)
        current: Json | None = None
        while self._is_running():
            if current is None:
                created = self._send_new(new)
                if created is None:
                    return None
                self.competition = created["id"]
            path = f"/competitions/{self.competition}"
            answer = self._ask("getCompetition", "GET", path, host)
            current = dict(answer.json) if answer is not None and answer.status == 200 else None
            if current is None or current["status"] != "coming":
                games = [] if current is None else current["current_games"]
                if games:
                    return self._when_there(str(games[0]["game_id"]))
                continue
            entered = {row["player"] for row in current["standings"]}
            for stranger in self.pair:
                if stranger.id not in entered:
                    self._ask("joinCompetition", "POST", f"{path}/join", stranger, {"mixed": True})
            if current["starts_at"] is None and len(entered) == len(self.pair):
                self._ask("startCompetition", "POST", f"{path}/start", host, {})
            self._ask("getCompetition", "GET", f"{path}?wait={WAIT_S}&after={current['version']}", host)
        return None

    def _when_there(self, game: str) -> str | None:
        """Wait until a keeper has created the game."""
        while self._is_running():
            answer = self._ask("getGame", "GET", f"/games/{game}")
            if answer is not None and answer.status == 200:
                return game
            self.orders.stop.wait(0.2)
        return None

    def _send_new(self, request: Request) -> Json | None:
        """Create a seek, challenge or competition. Return the response, or None after a violation."""
        answer = self.asker.ask(replace(request, how=self.rng.choice(HOW)))
        if answer is not None and answer.status == 201:
            return dict(answer.json)
        self.journal.violate("", None, f"{request.operation}: {answer and (answer.status, answer.json)}")
        return None


@dataclass(frozen=True)
class Counted:
    """The results of a finished game. `won`: ids of the winners."""

    game: str
    ruleset: str
    pair: tuple[str, str]
    won: tuple[str, ...]
    rating: Json


@dataclass(frozen=True)
class PlayerStatistics:
    """The games, ratings and statistics of a player as the service reports them."""

    games: list[str]
    ratings: list[Json]
    rulesets: list[Json]


def faults_of_competition(game: str, competition: Json, games: list[Json]) -> list[str]:
    """Check that a competition is over, had this game only, and gave one point."""
    points = sum(row["score"] for row in competition.get("standings", []))
    actual = competition.get("status"), [one["game_id"] for one in games], points
    if actual == ("over", [game], 1):
        return []
    return [violation_line(game, None, f"its competition is, with games and points, {actual}")]


def counting_faults(games: list[Counted], statistics: dict[str, PlayerStatistics]) -> list[str]:
    """Check that players have exactly the games that they played, each counted once in statistics and ratings."""
    results = [
        violation_line(one.game, None, f"its rating is still {one.rating['status']}")
        for one in games
        if one.rating["status"] not in (APPLIED, NOT_COUNTED)
    ]
    for player, known in statistics.items():
        own = [one for one in games if player in one.pair]
        if sorted(known.games) != sorted(one.game for one in own):
            results.append(f"player {player} has the games {known.games}, and played {[one.game for one in own]}")
        rated = [one for one in own if one.rating["status"] == APPLIED]
        results += _differ(player, "rating", _sums(player, rated), known.ratings)
        results += _differ(player, "statistics", _sums(player, own), known.rulesets)
    return results


def _sums(player: str, games: list[Counted]) -> dict[str, tuple[int, int]]:
    """Return for each ruleset the number of games and how many of them the player won."""
    rulesets = {one.ruleset for one in games}
    by_ruleset = {ruleset: [one for one in games if one.ruleset == ruleset] for ruleset in rulesets}
    return {ruleset: (len(own), sum(player in one.won for one in own)) for ruleset, own in by_ruleset.items()}


def _differ(player: str, what: str, expected: dict[str, tuple[int, int]], rows: list[Json]) -> Iterator[str]:
    actual = {one["ruleset"]: (one["games"], one["wins"]) for one in rows}
    if actual != expected:
        yield f"player {player}: games and wins by {what} are {actual}, and should be {expected}"
