"""Records as text: tags with the settings of the game, as in PGN, then one line per event.

The text has the content of a record in JSON, except for members that an import ignores (effects, sentences, ids of
players). Reading a text only converts it to JSON; the import checks the record. Grammar: `docs/reference/notation.md`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import orjson

from service.games.events import KINDS, ActionEvent, DrawEvent, StartEvent
from service.games.state.bounds import MAX_EVENTS
from service.games.state.clocks import ON_TIMEOUT
from service.games.state.moments import LATEST_MS, parse_ms, rfc3339, unix_ms
from service.games.state.seats import SEAT_KINDS
from service.games.state.statuses import GAME_STATUSES
from service.levels import LEVELS
from service.rulesets.notation import (
    LONGEST_LINE,
    Codec,
    ListOf,
    Mapped,
    Members,
    Notation,
    Number,
    Prefixed,
    Rest,
    UnreadableTextError,
    Word,
    last_fault,
    match_at,
    numbers,
    read,
    words,
)
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Json
from service.rulesets.seats import MAX_SEATS

LINE_MEMBERS = {"revision", "kind", "at", "seat", "action", "draw"}
OMITTED = {*LINE_MEMBERS, "effects", "notation", "text", "player", "position", "across_draw"}
"""Members of an event that are not written as `name=value`: the line implies them, or an import ignores them."""


def notation_of(ruleset_id: str) -> Notation:
    """Return the notation of a ruleset."""
    return RULESETS[ruleset_id].wire.notation


def _known_ruleset(ruleset_id: str) -> str:
    """Return the id of a ruleset. Raise ValueError if it is unknown."""
    if ruleset_id not in RULESETS:
        raise ValueError(f"one of: {' '.join(RULESETS)}")
    return ruleset_id


def _readable_moment(text: str) -> str:
    """Return the time. Raise ValueError if it is malformed."""
    try:
        parse_ms(text)
    except ValueError:
        raise ValueError("a time in RFC 3339, from 1970 to 9000") from None
    return text


class AnyPosition:
    """Codec of positions of all rulesets. The first word of the text is the ruleset."""

    def write(self, value: Json) -> str:
        """Return the text of a position."""
        return notation_of(value["ruleset"]).position.write(value)

    def read(self, text: str, at: int) -> tuple[Json, int]:
        """Return the position at an index of the text, and the index after it."""
        try:
            ruleset_id = _known_ruleset(text[at:].partition(" ")[0])
        except ValueError as error:
            raise UnreadableTextError(str(error), at, "/ruleset") from None
        value: Json
        value, end = notation_of(ruleset_id).position.read(text, at)
        return value, end


POSITION = AnyPosition()
LEVEL = words([*LEVELS])
CLOCK_TAG = Members(
    {
        "turn_s": Number(),
        "bank_s": Prefixed("+", Number()),
        "on_timeout": Prefixed(" ", words(ON_TIMEOUT)),
        "level": Prefixed(" ", LEVEL),
    }
)
SEAT_TAG = Members(
    {"kind": words(SEAT_KINDS), "level": Prefixed(" ", LEVEL, usual=None), "name": Prefixed(": ", Rest(), usual=None)}
)
TAGS: dict[str, tuple[str, Codec]] = {
    "Format": ("format", Rest()),
    "Game": ("id", Rest()),
    "Ruleset": ("ruleset", Mapped(Rest(), str, _known_ruleset)),
    "Version": ("ruleset_version", Number()),
    "Variant": ("variant", Rest()),
    **{f"Seat{number}": (f"seats/{number}", SEAT_TAG) for number in range(MAX_SEATS)},
    "FirstSeat": ("first_seat", numbers(MAX_SEATS)),
    "Position": ("position", POSITION),
    "Clock": ("clock", CLOCK_TAG),
    "Created": ("created_at", Mapped(Rest(), str, _readable_moment)),
    "Status": ("status", words(GAME_STATUSES)),
    "Fair": ("fair", Word({True: "yes", False: "no"})),
    "Scores": ("scores", ListOf(Number(), " ")),
    "SeedCommitment": ("seed_commitment", Rest()),
    "Seed": ("seed", Rest()),
    "SeedFrom": ("seed_from", Number()),
}
"""Member of the record and codec of its value, by tag. Null values have no tag."""
STRING = r'"(?:[^"\\]|\\.)*"'
TAG = re.compile(rf"\[([A-Za-z0-9]+) ({STRING})\]")
LINE_END = re.compile("\r\n|\r|\n")
SPACES = dict.fromkeys(map(ord, "\t\xa0\u2007\u202f"), " ")
LATER = re.compile(r' \+([^ "]*)$')  # strings end with a quotation mark
SECONDS = re.compile(r"([0-9]+)(?:\.([0-9]{1,3}))?")
SEAT_BEFORE = re.compile(f"(?:([0-{MAX_SEATS - 1}]) )?")
KIND = re.compile("!([a-z_]*)")
OTHER_KINDS = [kind for kind in KINDS if kind not in (ActionEvent.kind, DrawEvent.kind)]
SPACE = re.compile(" ")
MEMBER = re.compile(rf"([a-z_]+|[0-9])=({STRING}|-?(?:0|[1-9][0-9]{{0,14}})|true|false)")

# ------------------------------------------------------------------------------------------------ writing


def write_record(record: Json) -> str:
    """Return the text of a record."""
    return "\n".join([*_tags(record), "", *_lines(record), ""])


def _tags(record: Json) -> Iterator[str]:
    values = {**record, "seed_from": record["seed_from"] or None}
    values |= {f"seats/{number}": seat for number, seat in enumerate(record["seats"])}
    if record["outcome"] is not None:
        values["scores"] = [seat["score"] for seat in record["outcome"]["seats"]]
    for tag, (member, codec) in TAGS.items():
        if values.get(member) is not None:
            yield f"[{tag} {_quote(codec.write(values[member]))}]"


def _quote(value: Any) -> str:
    return orjson.dumps(value).decode()


def _lines(record: Json) -> Iterator[str]:
    notation, before = notation_of(record["ruleset"]), unix_ms(record["created_at"])
    for event in record["events"]:
        at = unix_ms(event["at"])
        seconds, ms = divmod(at - before, 1000)
        later = f" +{seconds}.{ms:03}".rstrip("0").rstrip(".") if at > before else ""
        yield _event(event, notation) + later
        before = at


def _event(event: Json, notation: Notation) -> str:
    seat = "" if event["seat"] is None else f"{event['seat']} "
    if event["kind"] == ActionEvent.kind:
        return seat + notation.action.write(event["action"])
    if event["kind"] == DrawEvent.kind:
        return notation.draw.write(event["draw"])
    members = {name: value for name, value in event.items() if name not in OMITTED and value is not None}
    if event["kind"] == StartEvent.kind:
        members = {str(filled["seat"]): filled["level"] for filled in members["filled"]}
    return " ".join([f"{seat}!{event['kind']}", *(f"{name}={_quote(value)}" for name, value in members.items())])


# ------------------------------------------------------------------------------------------------- reading


def read_record(text: str) -> Json:
    """Return the record as JSON, without checking its members. Raise UnreadableTextError if it cannot be parsed."""
    values: Json = {}
    events: list[Json] = []
    for number, line in enumerate(lines_of(text)):
        try:
            _read_line(line, values, events)
        except UnreadableTextError as fault:
            fault.line = number
            raise
    return _record(values, events)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text from any editor: any line ends, no byte order mark, no white space at its end.

    Tabs and non-breaking spaces between words count as spaces.
    """
    return [line.rstrip() for line in LINE_END.split(text.removeprefix("\ufeff").translate(SPACES))]


def _read_line(line: str, values: Json, events: list[Json]) -> None:
    """Add the tag or event of the line to the values or events read so far."""
    if len(line) > LONGEST_LINE:
        raise UnreadableTextError(f"the end after at most {LONGEST_LINE} characters", LONGEST_LINE)
    if line.startswith("[") and not events:
        _read_tag(line, values)
    elif line:
        try:
            events.append(_read_event(line, values, events))
        except UnreadableTextError as fault:
            raise fault.with_parent(len(events)).with_parent("events") from None


def _record(values: Json, events: list[Json]) -> Json:
    """Return the values as a record. Its schema later reports missing members."""
    seats = [values.pop(member) for member, _ in TAGS.values() if member.startswith("seats/") and member in values]
    values.pop("scores", None)  # the import recomputes them from the log
    return {**values, "seats": seats, "events": events}


def _read_tag(line: str, values: Json) -> None:
    """Add the value of a tag to the values."""
    match = match_at(TAG, line, 0, 'a tag: [Name "value"]')
    member, codec = TAGS.get(match[1], ("", Rest()))
    if not member or member in values or match.end() < len(line):
        raise UnreadableTextError(f"a tag, once and on a line of its own: {' '.join(TAGS)}", 1)
    if codec is SEAT_TAG and match[1] != (due := f"Seat{sum(name.startswith('seats/') for name in values)}"):
        raise UnreadableTextError(f"the tag {due} first", 1)
    value = _load_json(match, 2)
    try:
        values[member] = read(codec, value)
    except UnreadableTextError as fault:
        raise UnreadableTextError(fault.expected, match.start(2) + 1 + fault.at, f"/{member}{fault.pointer}") from None


def _load_json(match: re.Match[str], group: int) -> Any:
    try:
        return orjson.loads(match[group])
    except ValueError:
        raise UnreadableTextError("a JSON string", match.start(group)) from None


def _read_event(line: str, values: Json, before: list[Json]) -> Json:
    """Return the event of a line. `before`: the events of the lines before it."""
    if missing := [tag for tag in ("Ruleset", "Created") if TAGS[tag][0] not in values]:
        raise UnreadableTextError(f"the tag {missing[0]} before the log", 0)
    if len(before) == MAX_EVENTS:
        raise UnreadableTextError(f"the end after at most {MAX_EVENTS} events", 0)
    later = LATER.search(line)
    text, seat = line[: later.start()] if later else line, match_at(SEAT_BEFORE, line, 0, "")
    event: Json = {"revision": len(before) + 1, "at": rfc3339(_moment(values, before, later))}
    if seat[1] is not None:
        event["seat"] = int(seat[1])
    if text.startswith("!", seat.end()):
        return {**_read_other_event(text, seat.end()), **event}
    kind = ActionEvent.kind if "seat" in event else DrawEvent.kind
    return {**event, "kind": kind, kind: _read_move(kind, notation_of(values["ruleset"]), text, seat.end())}


def _moment(values: Json, before: list[Json], later: re.Match[str] | None) -> int:
    """Return the time of an event in unix milliseconds. `later`: the offset from the event before, or from creation."""
    at = unix_ms(before[-1]["at"]) if before else parse_ms(values["created_at"])
    if later is None:
        return at
    seconds = match_at(SECONDS, later.string, later.start(1), "seconds")
    if seconds.end() < later.end():
        raise UnreadableTextError("the end after at most 3 decimals", seconds.end())
    at += 1000 * int(seconds[1]) + int((seconds[2] or "0").ljust(3, "0"))
    if at > LATEST_MS:
        raise UnreadableTextError("a time before the year 9000", seconds.start())
    return at


def _read_move(kind: str, notation: Notation, text: str, at: int) -> Json:
    """Return the action or draw at an index of the line."""
    codec = notation.action if kind == ActionEvent.kind else notation.draw
    try:
        return dict(read(codec, text, at))
    except UnreadableTextError as fault:
        seat = f"a seat (0 to {MAX_SEATS - 1}) and a space" if kind == DrawEvent.kind else ""
        raise last_fault([fault.with_parent(kind), UnreadableTextError(seat, at, literals=["!"])]) from None


def _read_other_event(text: str, at: int) -> Json:
    """Return an event of another kind than action and draw."""
    kind = match_at(KIND, text, at, "")
    if kind[1] not in OTHER_KINDS:
        raise UnreadableTextError("", at + 1, literals=OTHER_KINDS)
    members, end = {}, kind.end()
    while end < len(text):
        member = match_at(MEMBER, text, match_at(SPACE, text, end, "a space").end(), "name=value")
        members[member[1]], end = _load_json(member, 2), member.end()
    if kind[1] == StartEvent.kind:
        members = {"filled": [{"seat": int(seat), "level": level} for seat, level in members.items() if seat.isdigit()]}
    return {**members, "kind": kind[1]}
