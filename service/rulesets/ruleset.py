"""`Ruleset` (a game that can be played) and `Position` (checked and immutable).

All code except the search uses them. The search calls the compiled rules directly, in place and without checks.
`Position` checks, copies and raises. It uses integers for actions and short sequences of integers for draws; the
ruleset converts both to and from JSON.

**Bytes.** Compiled rules trust a record. A damaged one makes them read and write outside their tables. Bytes stored
outside the process are therefore a *snapshot*: the record's bytes and a seal, a BLAKE2 digest keyed with the hash of
the rules' sources. Bytes without a valid seal are rejected. The seal detects damage and bytes of other sources. It is
not secret and does not protect against forgery.

**Listed and legal.** An action is legal if `refusal` returns None. If several legal actions do exactly the same, one of
them is listed, and only this one is chosen at random and by search. The others are its *aliases*; they can be played,
too.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import index
from pathlib import Path

import numpy as np

from service.rulesets.ai_levels import Strength, load_strength
from service.rulesets.code_cache import SHARED, SHARED_BY_RULES, sources_hash
from service.rulesets.interface import AI, Wire, no_entries
from service.rulesets.kernel import DECIDING, DRAWING, OVER, Ints, Record, RngState, Rules, new_record
from service.rulesets.notation import read
from service.rulesets.pictures.drawing import Scene, Sheet
from service.rulesets.play_errors import DamagedSnapshotError, IllegalActionError, IllegalDrawError, NotCompiledError
from service.rulesets.shared_effects import Merit
from service.rulesets.texts import Texts, texts_of
from service.rulesets.wire import InconsistentStateError, Json, full_type

__all__ = [
    "DamagedSnapshotError",
    "IllegalActionError",
    "IllegalDrawError",
    "InconsistentStateError",
    "Json",
    "NotCompiledError",
    "Position",
    "Ruleset",
    "SeatOutcome",
]

SEAL_BYTES = 16
MAX_UNCOMPILED = 500
"""Maximum number of actions that uncompiled rules list in a request; this takes some ten milliseconds."""
STATUS = {DECIDING: "deciding", DRAWING: "drawing", OVER: "over"}
UNKNOWN_ACTION, MAX_ACTION = "unknown_action", 2**63 - 1


@dataclass(frozen=True)
class SeatOutcome:
    """Result of a seat. Rank 1 is first; equal seats share a rank, and the next rank is skipped.

    `breakdown`: the parts of the score, first that of the rounds, then those of the final scoring.
    """

    score: int
    rank: int
    won: bool
    breakdown: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Ruleset:
    """A game that can be played: the compiled rules and their conversion to JSON.

    All other code reaches them through this.
    """

    id: str  # kebab-case
    version: int  # increased with every change of a rule; games store theirs
    variants: tuple[str, ...]
    seat_counts: tuple[int, ...]
    rules: Rules
    max_actions: int  # maximum number of legal actions of a position
    max_drawn: int  # maximum size of a draw
    reasons: Sequence[str]  # codes by the result of check(); 0 is legal
    breakdown: Callable[[Record, int], dict[str, int]]  # record, seat -> parts of its score
    wire: Wire
    folder: Path = field(repr=False)  # contains `rules`, `ai`, `wire`, `picture` and `texts`
    ai: AI = field(default_factory=AI)
    picture: Callable[[Scene], Sheet] | None = None  # draws the table
    text_picture: Callable[[Json], str] | None = None  # converts the result of `view` to plain text
    aliases: Callable[[Record], Mapping[int, int]] = no_entries  # alias -> the listed action that does the same
    action_count: int | None = None  # actions are the integers below it; None: actions are bit fields
    max_candidates: int | None = None  # maximum number of candidates of a position; None: as for legal actions

    def __post_init__(self) -> None:
        if missing := self.rules.missing():
            raise ValueError(f"{self.id} lacks rules: {', '.join(sorted(missing))}")

    def __deepcopy__(self, _memo: object) -> Ruleset:
        return self

    @functools.cached_property
    def texts(self) -> Texts:
        """The sentences for people."""
        return texts_of(self.folder / "texts")

    @functools.cached_property
    def strength(self) -> tuple[Strength, ...]:
        """Measured strength of the levels."""
        return load_strength(self.ai_folder)

    @property
    def ai_folder(self) -> Path:
        """Folder of weights and measurements."""
        return self.folder / "ai"

    @functools.cached_property
    def rules_hash(self) -> str:
        """Hash of the rules' sources, the tag and key of snapshots. If it differs, the log is replayed instead."""
        return sources_hash(self.folder / "rules", *SHARED_BY_RULES)

    @functools.cached_property
    def play_hash(self) -> str:
        """Hash of everything that decides how a level plays, except the search."""
        own = [folder for folder in (self.folder / "rules", self.ai_folder) if folder.is_dir()]
        return sources_hash(*own, *SHARED)

    def draws(self) -> str | None:
        """Return the recipe of the draws in Markdown: the calls of `below` that reproduce them."""
        recipe = self.folder / "texts" / "draws.md"
        return recipe.read_text("utf-8") if recipe.exists() else None

    def start(self, variant: str, seats: int, first_seat: int | None) -> Position:
        """Return the set-up before the first draw.

        Raises ValueError for an unknown variant, number of seats or seat.
        """
        if variant not in self.variants:
            raise ValueError(f"{self.id} has no variant {variant}: must be one of {', '.join(self.variants)}")
        if seats not in self.seat_counts:
            raise ValueError(f"{self.id} cannot have {seats} seats: must be one of {self.seat_counts}")
        if first_seat is not None and not 0 <= first_seat < seats:
            raise ValueError(f"there is no seat {first_seat}: must be from 0 to {seats - 1}, or None")
        table_state = new_record(self.rules.dtype)
        self.rules.start(table_state, self.variants.index(variant), seats, -1 if first_seat is None else first_seat)
        return Position(self, table_state.tobytes())

    def with_full_type(self, named: Json) -> Json:
        """Return an action, draw or effect with its full type, or the same dict if it has one.

        The argument is not changed.

        Older logs lack the ruleset's id in the type.
        """
        return named if "." in named["type"] else {**named, "type": full_type(named["type"], self.id)}

    def read(self, json: Json) -> Position:
        """Return the position of `view`'s JSON. Raises InconsistentStateError, with JSON pointers."""
        return Position(self, self.wire.from_json(json).tobytes())

    def read_posted(self, json: Json) -> Position:
        """Return the position of JSON from an untrusted client.

        Raises InconsistentStateError also if play from this position could exceed the limits of the schemas.
        """
        table_state = self.wire.from_json(json)
        if errors := self.wire.out_of_bounds(table_state):
            raise InconsistentStateError(errors)
        return Position(self, table_state.tobytes())

    def notation_of(self, action: int) -> str:
        """Return the notation of a listed action."""
        return self.wire.notation.action.write(self.wire.decode(action))

    def action_of(self, text: str) -> int:
        """Return the action of a notation, legal or not. Raises UnreadableTextError or InconsistentStateError."""
        return self.wire.encode(read(self.wire.notation.action, text))

    def read_notation(self, text: str) -> Position:
        """Return the position of a line of `Position.notation` from an untrusted client.

        Raises UnreadableTextError, or InconsistentStateError like `read_posted`.
        """
        return self.read_posted(read(self.wire.notation.position, text))

    def view(self, position: Position) -> Json:
        """Return the position as JSON, which is the same for every viewer: a record contains nothing hidden."""
        return self.wire.to_json(position.table_state())

    def from_bytes(self, content: bytes) -> Position:
        """Return the position of `Position.to_bytes` of the same sources. Raises ValueError for a wrong length.

        There are no other checks: use `from_snapshot` for bytes stored outside the process.
        """
        return Position(self, new_record(self.rules.dtype, content).tobytes())

    def from_snapshot(self, snapshot: bytes) -> Position:
        """Return the position of a snapshot. Raises DamagedSnapshotError if it is damaged or of other sources."""
        content, seal = snapshot[:-SEAL_BYTES], snapshot[-SEAL_BYTES:]
        if len(content) != self.rules.dtype.itemsize or seal != self.seal(content):
            raise DamagedSnapshotError(f"{len(snapshot)} bytes are not a snapshot of {self.id} by these sources")
        return Position(self, content)

    def seal(self, content: bytes) -> bytes:
        """Return the seal that follows a record's bytes in a snapshot."""
        return hashlib.blake2b(content, digest_size=SEAL_BYTES, key=self.rules_hash.encode()).digest()


class Position:
    """A position: immutable, comparable and hashable. Every method checks its arguments."""

    __slots__ = ("_content", "_header", "ruleset")

    def __init__(self, ruleset: Ruleset, content: bytes) -> None:
        """Store the bytes. Use the ruleset's `start`, `read` or `from_bytes` instead."""
        self.ruleset = ruleset
        self._content = content
        self._header = np.frombuffer(content, dtype=ruleset.rules.dtype)[0]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.ruleset, self._content) == (other.ruleset, other._content)

    def __hash__(self) -> int:
        return hash((self.ruleset.id, self._content))

    def __deepcopy__(self, _memo: object) -> Position:
        return self

    def __reduce__(self) -> tuple[Callable[[bytes], Position], tuple[bytes]]:
        """Pickle the snapshot. Unpickling it with other sources raises DamagedSnapshotError."""
        return self.ruleset.from_snapshot, (self.to_snapshot(),)

    def __repr__(self) -> str:
        return f"<Position {self.ruleset.id} {self.variant}, {self.seats} seats, {self.status}, seat {self.seat}>"

    def __str__(self) -> str:
        draw_text = self.ruleset.text_picture
        drawn = repr(self) if draw_text is None else draw_text(self.ruleset.view(self))
        return f"{drawn}\n\n{self.notation}"

    @property
    def notation(self) -> str:
        """The position as one line, which `Ruleset.read_notation` reads."""
        return self.ruleset.wire.notation.position.write(self.ruleset.view(self))

    def table_state(self) -> Record:
        """Return a writable copy of the record."""
        return new_record(self.ruleset.rules.dtype, self._content)

    def to_bytes(self) -> bytes:
        """Return the record's bytes, which only the same sources can read (`Ruleset.rules_hash`)."""
        return self._content

    def to_snapshot(self) -> bytes:
        """Return the bytes with a seal, for storage outside the process."""
        return self._content + self.ruleset.seal(self._content)

    @property
    def variant(self) -> str:
        """The side of the board."""
        return self.ruleset.variants[self._header["variant"]]

    @property
    def seats(self) -> int:
        """Number of seats."""
        return int(self._header["seats"])

    @property
    def status(self) -> str:
        """`deciding`, `drawing` or `over`."""
        return STATUS[int(self._header["status"])]

    @property
    def seat(self) -> int | None:
        """The seat to decide, or None if chance decides or the game is over."""
        return int(self._header["seat"]) if self._header["status"] == DECIDING else None

    @property
    def scores(self) -> tuple[int, ...]:
        """Points by seat."""
        return tuple(self._header["score"][: self.seats].tolist())

    def legal_actions(self) -> list[int]:
        """Return all listed actions in a fixed order; empty if no seat decides."""
        return self._list_with(self.ruleset.rules.legal_actions, self.ruleset.max_actions)

    def quick_legal_actions(self) -> list[int]:
        """Return `legal_actions`.

        Raises NotCompiledError for more than MAX_UNCOMPILED if the rules are not compiled yet.
        """
        if self.ruleset.rules.are_compiled():
            return self.legal_actions()
        try:
            return self._list_with(self.ruleset.rules.function("legal_actions"), MAX_UNCOMPILED)
        except IndexError:
            raise NotCompiledError(self.ruleset.id) from None

    def _list_with(self, legal_actions: Callable[..., int], most: int) -> list[int]:
        out = np.empty(most, np.int64)
        return out[: legal_actions(self.table_state(), out)].tolist()  # type: ignore[no-any-return]

    def aliases(self) -> dict[int, int]:
        """Return the legal actions that are not listed, each with the listed action that does the same."""
        return dict(self.ruleset.aliases(self.table_state()))

    def as_listed(self, action: int) -> int:
        """Return the listed action that does the same as a legal one: the action itself, unless it is an alias."""
        return self.aliases().get(action, action)

    def choices(self) -> Json | None:
        """Return the listed actions as choices, or None if no seat decides."""
        return None if self.seat is None else self.ruleset.wire.choices(self.table_state())

    def refusal(self, action: int) -> str | None:
        """Return the code of the reason why the action is illegal, or None if it is legal."""
        try:
            self._state_for(action)
        except IllegalActionError as error:
            return error.reason
        return None

    def play(self, action: int) -> Position:
        """Return the position after the action and the automatic steps that follow. Raises IllegalActionError."""
        table_state, number = self._state_for(action)
        self.ruleset.rules.apply(table_state, number)
        return Position(self.ruleset, table_state.tobytes())

    def _state_for(self, action: int) -> tuple[Record, int]:
        """Return a copy of the record, and the legal action as an int. Raises IllegalActionError."""
        table_state = new_record(self.ruleset.rules.dtype, self._content)
        try:
            number = index(action)
        except TypeError:
            raise IllegalActionError(UNKNOWN_ACTION) from None
        if not 0 <= number <= MAX_ACTION:  # the compiled check takes the last 64 bits
            raise IllegalActionError(UNKNOWN_ACTION)
        if reason := self.ruleset.rules.check(table_state, number):
            raise IllegalActionError(self.ruleset.reasons[reason])
        return table_state, number

    def step(self, action: int) -> tuple[list[Json], Position]:
        """Return the effects of the action, in order, as JSON, and the result of `play`. Raises IllegalActionError."""
        table_state, number = self._state_for(action)
        effects = self.ruleset.wire.effects_of_action(table_state, number)
        return effects, Position(self.ruleset, table_state.tobytes())

    def merits(self, action: int) -> Sequence[Merit]:
        """Return what the action achieves; empty in a ruleset without merits. Raises IllegalActionError."""
        return self.ruleset.wire.merits(*self._state_for(action))

    def random_action(self, rng: RngState) -> int:
        """Return a random listed action. Raises ValueError if no seat decides."""
        if self.seat is None:
            raise ValueError(f"no seat decides in this position: its status is {self.status}")
        return int(self.ruleset.rules.random_action(self.table_state(), rng))

    def sample(self, rng: RngState) -> tuple[int, ...]:
        """Return a draw from the generator. Raises ValueError if no draw is due."""
        if self.status != "drawing":
            raise ValueError(f"no draw is due in this position: its status is {self.status}")
        out = np.empty(self.ruleset.max_drawn, np.int64)
        return tuple(out[: self.ruleset.rules.sample(self.table_state(), rng, out)].tolist())

    def resolve_draw(self, drawn: Sequence[int]) -> Position:
        """Return the position after the draw. Raises IllegalDrawError."""
        table_state = self.table_state()
        self.ruleset.rules.resolve_draw(table_state, self._checked_draw(table_state, drawn))
        return Position(self.ruleset, table_state.tobytes())

    def step_draw(self, drawn: Sequence[int]) -> tuple[list[Json], Position]:
        """Return the effects of the draw, in order, as JSON, and the result of `resolve_draw`.

        Raises IllegalDrawError.
        """
        table_state = self.table_state()
        numbers = self._checked_draw(table_state, drawn)
        effects = self.ruleset.wire.effects_of_draw(table_state, numbers.tolist())
        return effects, Position(self.ruleset, table_state.tobytes())

    def _checked_draw(self, table_state: Record, drawn: Sequence[int]) -> Ints:
        try:
            numbers = np.array([*map(index, drawn)], np.int64)
        except (TypeError, OverflowError):
            numbers = None
        if numbers is None or self.ruleset.rules.check_draw(table_state, numbers):
            raise IllegalDrawError("This draw is not possible in this position.")
        return numbers

    def outcome(self) -> tuple[SeatOutcome, ...]:
        """Return score, rank and breakdown of each seat; final once `status` is `over`."""
        table_state = self.table_state()
        keys = np.empty(self.seats, np.int64)
        self.ruleset.rules.outcome(table_state, keys)
        ranks = [1 + sum(other > key for other in keys.tolist()) for key in keys.tolist()]
        return tuple(
            SeatOutcome(score, rank, rank == 1, self.ruleset.breakdown(table_state, seat))
            for seat, (score, rank) in enumerate(zip(self.scores, ranks, strict=True))
        )
