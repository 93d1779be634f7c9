"""The facts that the story of a reviewed game contains. Chances in them are whole percent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise

from service.rulesets.wire import Json
from service.usecases.work.reviewed_game import ReviewedGame

MAX_FACTS = 6
ENOUGH_FACTS = 4
"""Number of facts below which fillers are added."""
ROLES = ("result", "out", "course", "turn", "better", "bonus", "best", "slip")
"""Roles of facts, the most important first. The last ones are omitted if there are too many."""
NARROW, WIDE = 3, 15  # maximum lead in points of a narrow victory, minimum of a wide one
MANY_CHANGES = 3  # of the favourite
COMEBACK = 0.4  # share of the equal chance; a seat that wins with less has come back
BEHIND = 2  # points behind before the last round
MIN_SWING, MISTAKE = 0.05, 0.1  # lost chance
MIN_LUCK = 0.08  # chance gained by a draw
MIN_MARGIN = 0.08  # chance that a good decision is ahead of the second best
CLEAR = 0.75  # chance of a clear lead
WORTH = 0.3  # share of the final gap in points that a decision cost, to mention it
MIN_DECISIONS = 3  # of a seat, to mention its accuracy


@dataclass(frozen=True)
class Fact:
    """The content of a sentence. `message`: its id without the letter of the variant."""

    role: str  # one of ROLES, or `filler`
    message: str
    revision: int
    numbers: Mapping[str, int] = field(default_factory=dict)
    seats: Mapping[str, int] = field(default_factory=dict)
    decision: Json | None = None
    listed: Sequence[int] = ()  # seats
    bonus: str = ""  # a part of the score


def find_facts(game: ReviewedGame) -> list[Fact]:
    """Return the facts of the story in the order of its sentences."""
    turn = _turn(game)
    failure = _failure(game, turn)
    moments = [turn, failure, _best_decision(game), _slip(game, failure)]
    by_time = sorted((fact for fact in moments if fact), key=lambda fact: fact.revision)
    found = [fact for fact in (_result(game), *_dropouts(game), _course(game), *by_time, _bonus(game)) if fact]
    kept = sorted(found, key=lambda fact: ROLES.index(fact.role))[:MAX_FACTS]
    return [*(fact for fact in found if fact in kept), *islice(_fillers(game), max(0, ENOUGH_FACTS - len(kept)))]


# ------------------------------------------------------------------------------------------------- the end


def _result(game: ReviewedGame) -> Fact:
    """Return who won, and by how much."""
    if not game.results:
        return Fact("result", "result-aborted", game.revision)
    winners = [seat for seat in game.ranking if game.results[seat]["won"]]
    first, second = game.ranking[:2]
    score, other = game.score(first), game.score(second)
    message, listed = _result_message(game, winners, score - other)
    numbers = {"score": score, "other": other, "margin": score - other}
    return Fact("result", message, game.revision, numbers, {"winner": first, "loser": second}, listed=listed)


def _result_message(game: ReviewedGame, winners: Sequence[int], lead: int) -> tuple[str, Sequence[int]]:
    """Return the message of the result and the seats that it lists."""
    if game.reason == "adjudication":
        return "result-nobody" if not winners else "result-draw" if game.winner is None else "result-awarded", ()
    if game.winner is None:
        return "result-shared", winners
    if game.reason != "completed":
        return f"result-{game.reason}" if game.seats == 2 else "result-last", ()
    if game.seats > 2:
        return "result-many" if lead else "result-many-level", game.ranking[1:]
    size = "level" if not lead else "narrow" if lead <= NARROW else "wide" if lead >= WIDE else "clear"
    return f"result-{size}", ()


def _dropouts(game: ReviewedGame) -> Iterator[Fact]:
    """Yield the seats that dropped out of a game of more than two."""
    for seat in game.dropouts if game.results and game.seats > 2 else ():
        status = game.view["seats"][seat]["status"].replace("_", "-")
        yield Fact("out", f"out-{status}", game.revision, seats={"name": seat})


def _bonus(game: ReviewedGame) -> Fact | None:
    """Return the part of the final scoring without which another seat would have won, or the whole scoring."""
    winner = game.winner
    if winner is None or game.reason != "completed":
        return None
    parts = [result["breakdown"] for result in game.results]
    rounds, *bonuses = parts[winner]
    for bonus in sorted(bonuses, key=lambda name: -parts[winner][name]):
        rival = _winner_without(game, bonus)
        if rival is not None and rival != winner:
            own, other = parts[winner][bonus], parts[rival][bonus]
            is_cost = own <= 0 and other < 0
            numbers = {"score": abs(own) if is_cost else own, "other": abs(other) if is_cost else other}
            message, seats = "bonus-cost" if is_cost else "bonus", {"winner": winner, "rival": rival}
            return Fact("bonus", message, game.revision, numbers, seats, bonus=bonus)
    rival = game.best_by(lambda seat: parts[seat][rounds])
    if rival is None or rival == winner:
        return None
    numbers = {"score": parts[winner][rounds], "other": parts[rival][rounds]}
    return Fact("bonus", "bonus-all", game.revision, numbers, {"winner": winner, "rival": rival})


def _winner_without(game: ReviewedGame, bonus: str) -> int | None:
    """Return the seat that would have the most points without a part of the score, or None if several have them."""
    return game.best_by(lambda seat: game.score(seat) - game.results[seat]["breakdown"][bonus])


# ---------------------------------------------------------------------------------------------- the course


def _course(game: ReviewedGame) -> Fact | None:
    """Return how the chances developed."""
    if not game.decisions:
        return None
    changes = len(game.favourites) - 1
    swings = _course_fact("changes", game.favourites[-1][0], changes=changes) if changes >= MANY_CHANGES else None
    if game.winner is None:
        return swings
    if game.reason != "completed":
        return _chance_at_end(game, game.winner)
    return _comeback(game, game.winner) or _last_round(game, game.winner) or swings or _lead(game, game.winner)


def _course_fact(name: str, revision: int, seats: Mapping[str, int] | None = None, **numbers: int) -> Fact:
    return Fact("course", f"course-{name}", revision, numbers, seats or {})


def _chance_at_end(game: ReviewedGame, winner: int) -> Fact | None:
    """Return the chance of the winner at the last decision of a game that was not played to its end."""
    chance = game.chances[-1].get(winner)
    if chance is None:
        return None
    name = "clear" if chance >= CLEAR else "open" if chance > COMEBACK / game.seats else "unlikely"
    return _course_fact(name, game.decisions[-1]["revision"], {"winner": winner}, chance=_percent(chance))


def _comeback(game: ReviewedGame, winner: int) -> Fact | None:
    """Return the lowest chance of the winner if it was far below that at the start."""
    known = [
        (chances[winner], decision["revision"])
        for decision, chances in zip(game.decisions, game.chances, strict=True)
        if winner in chances
    ]
    low, revision = min(known, default=(1.0, 0))
    if low > COMEBACK / game.seats:
        return None
    return _course_fact("comeback", revision, {"winner": winner}, low=_percent(low))


def _last_round(game: ReviewedGame, winner: int) -> Fact | None:
    """Return the points before the last round if the winner was behind and not the favourite."""
    if len(game.rounds) < 2:
        return None
    revision, scores = game.rounds[-1]["revision"], game.rounds[-1]["scores"]
    if [winner] == [seat for since, seat in game.favourites if since < revision][-1:]:
        return None
    rival = scores.index(max(scores))
    behind = scores[rival] - scores[winner]
    if behind < BEHIND:
        return None
    seats, numbers = {"winner": winner, "rival": rival}, {"score": scores[winner], "other": scores[rival]}
    return _course_fact("behind", revision, seats, behind=behind, **numbers)


def _lead(game: ReviewedGame, winner: int) -> Fact | None:
    """Return when the winner became the favourite for good."""
    revision, seat = game.favourites[-1] if game.favourites else (0, None)
    rounds = [each["round"] for each in game.rounds]
    taken = game.round_at(revision)
    if seat != winner or (len(rounds) > 1 and taken == rounds[-1]):
        return _course_fact("late", game.rounds[-1]["revision"]) if len(rounds) > 1 else None
    return _course_fact("start" if taken == 1 else "middle", revision, {"winner": winner})


# --------------------------------------------------------------------------------------------- the moments


def _turn(game: ReviewedGame) -> Fact | None:
    """Return the largest swing towards the winner: a decision of another seat, or a draw in a game for two."""
    winner = game.winner
    if winner is None:
        return None
    error = max(
        (each for each in game.own_decisions if each["seat"] != winner and each["win_lost"] >= MIN_SWING),
        key=_win_lost,
        default=None,
    )
    draw = _lucky_draw(game, winner)
    if error is None or (draw is not None and draw[0] > error["win_lost"]):
        return None if draw is None else draw[1]
    before, after = error["win_probability_best"], error["win_probability_played"]
    against = game.chances[game.decisions.index(error)].get(winner, 0.0)
    is_lead_lost = before > (1 - before if game.seats == 2 else against) and after < against
    numbers = {"before": _percent(before), "after": _percent(after)}
    return Fact("turn", "turn" if is_lead_lost else "swing", error["revision"], numbers, {"name": error["seat"]}, error)


def _lucky_draw(game: ReviewedGame, winner: int) -> tuple[float, Fact] | None:
    """Return the gain of the luckiest draw before a round, and its fact, if it was large."""
    found = []
    for last, first in pairwise(game.decisions):
        before, after = game.chance(winner, last, "played"), game.chance(winner, first, "best")
        is_new_round = game.round_at(last["revision"]) != game.round_at(first["revision"])
        if before is not None and after is not None and is_new_round and after - before >= MIN_LUCK:
            numbers = {"before": _percent(before), "after": _percent(after)}
            found.append((after - before, Fact("turn", "draw", first["revision"], numbers, {"winner": winner})))
    return max(found, key=lambda gain: gain[0], default=None)


def _failure(game: ReviewedGame, turn: Fact | None) -> Fact | None:
    """Return what a loser could have done better in their costliest decision."""
    if game.winner is None:
        return None
    seat = game.ranking[1] if turn is None or turn.decision is None else turn.decision["seat"]
    decision = game.costliest(MIN_SWING, (seat,))
    if decision is None:
        return None
    lead = game.score(game.winner) - game.score(seat) if game.reason == "completed" else 0
    points, before = round(decision["points_lost"]), _percent(decision["win_probability_best"])
    numbers = {"points": points, "margin": lead, "before": before}
    size = "chance" if lead <= 0 or points < WORTH * lead else "enough" if points >= lead else "some"
    name = "better" if turn is not None and turn.decision is decision else "missed"
    return Fact("better", f"{name}-{size}", decision["revision"], numbers, {"name": seat}, decision)


def _best_decision(game: ReviewedGame) -> Fact | None:
    """Return the best decision: all others were far worse."""
    good = [each for each in game.own_decisions if each["played"] == each["best"]]
    best = max(good, key=_margin, default=None)
    if best is None or _margin(best) < MIN_MARGIN:
        return None
    return Fact("best", "best", best["revision"], {"margin": _percent(_margin(best))}, {"name": best["seat"]}, best)


def _slip(game: ReviewedGame, failure: Fact | None) -> Fact | None:
    """Return the worst mistake of the other seats."""
    others = {*range(game.seats)} - set(() if failure is None else failure.seats.values())
    worst = game.costliest(MISTAKE, others)
    if worst is None:
        return None
    return Fact("slip", "slip", worst["revision"], {}, {"name": worst["seat"]}, worst)


def _fillers(game: ReviewedGame) -> Iterator[Fact]:
    """Yield facts for games in which little happened."""
    if not game.results:
        return
    if game.decisions and all(each["win_lost"] < MISTAKE for each in game.decisions):
        yield Fact("filler", "clean", game.revision)
    labels = {each["seat"]: each["labels"] for each in game.review["seats"]}
    for seat in game.ranking:
        counts = labels.get(seat, {})
        if (free := sum(counts.values()) - counts.get("forced", 0)) >= MIN_DECISIONS:
            yield Fact("filler", "accuracy", game.revision, {"good": counts["best"], "all": free}, {"name": seat})


def _percent(chance: float) -> int:
    return round(100 * chance)


def _win_lost(decision: Json) -> float:
    return decision["win_lost"]  # type: ignore[no-any-return]


def _margin(decision: Json) -> float:
    """Return by how much the best action is ahead of the second best; 0 in reviews of older versions."""
    return decision.get("margin") or 0.0
