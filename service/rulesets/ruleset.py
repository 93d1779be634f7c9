"""A ruleset (what can be played) and a position (checked, immutable): the door for everybody but search.

Search uses the compiled rules directly: in place and unchecked. `Position` checks, copies and raises; it speaks
ints for actions and small ints for draws, and its ruleset translates both to named dicts and back.

**Bytes.** Compiled rules take a record for what it says, and with a damaged one they read and write beside their
tables. So what was kept outside of the process is a *snapshot*: the record's bytes and a seal, a BLAKE2 digest of them
keyed with the hash of the rules' sources. What bears no such seal is refused before anybody looks at it. The seal tells
damage, and bytes of other sources; it is no secret, and no guard against one who writes seals.

**Listed and legal.** Legal is what `refusal` lets pass. Where several legal actions do exactly the same, one of them is
listed, and chosen from by chance and by search; the others are its *aliases*: they may be played as well.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from service.rulesets.ai_levels import Strength, measured
from service.rulesets.code_cache import SHARED, SHARED_BY_RULES, sources_hash
from service.rulesets.interface import AI, Wire, nothing
from service.rulesets.kernel import DECIDING, DRAWING, OVER, Ints, Record, RngState, Rules, new_record
from service.rulesets.notation import read
from service.rulesets.pictures.drawing import Scene, Sheet
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
"""Actions that uncompiled rules are let list in a request; it takes them some ten milliseconds."""
STATUS = {DECIDING: "deciding", DRAWING: "drawing", OVER: "over"}


class IllegalActionError(ValueError):
    """An action the rules do not allow. `reason` is a stable code, one of the ruleset's `reasons`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NotCompiledError(RuntimeError):
    """It takes too long until the rules are compiled."""


class IllegalDrawError(ValueError):
    """A draw that chance could not bring."""


class DamagedSnapshotError(ValueError):
    """Bytes that are no snapshot, or one of other sources, or no longer what they were."""


@dataclass(frozen=True)
class SeatOutcome:
    """A seat at the end: rank 1 is first, equal seats share it and the next is skipped."""

    score: int
    rank: int
    won: bool
    breakdown: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Ruleset:
    """What can be played: the compiled rules, and how they are spoken. Everything outside is found through this."""

    id: str  # kebab-case
    version: int  # raised whenever a rule changes; games remember theirs
    variants: tuple[str, ...]
    seat_counts: tuple[int, ...]
    rules: Rules
    max_actions: int  # no position has more legal actions
    max_drawn: int  # no draw brings more
    reasons: Sequence[str]  # by what check() returns; 0 is legal
    breakdown: Callable[[Record, int], dict[str, int]]  # record, seat -> where its score came from
    wire: Wire
    folder: Path = field(repr=False)  # of its rooms
    ai: AI = field(default_factory=AI)
    picture: Callable[[Scene], Sheet] | None = None  # the table, drawn
    text_picture: Callable[[Json], str] | None = None  # the table in plain text, from what `view` gives
    aliases: Callable[[Record], Mapping[int, int]] = nothing  # alias -> the listed action that does the same
    action_count: int | None = None  # the actions are the integers below it; None: bit fields, too many to number
    max_candidates: int | None = None  # no position has more of them; None: as many as legal actions

    def __post_init__(self) -> None:
        if missing := self.rules.missing():
            raise ValueError(f"{self.id} lacks rules: {', '.join(sorted(missing))}")

    @functools.cached_property
    def texts(self) -> Texts:
        """The sentences for people."""
        return texts_of(self.folder / "texts")

    @functools.cached_property
    def strength(self) -> tuple[Strength, ...]:
        """Of levels, as measured."""
        return measured(self.ai_folder)

    @property
    def ai_folder(self) -> Path:
        """Where weights and measurements lie."""
        return self.folder / "ai"

    @functools.cached_property
    def rules_hash(self) -> str:
        """What a stored snapshot is tagged with and sealed by: another hash, and the log is replayed instead."""
        return sources_hash(self.folder / "rules", *SHARED_BY_RULES)

    @functools.cached_property
    def play_hash(self) -> str:
        """Of all that decides how a level plays, but the search."""
        own = [folder for folder in (self.folder / "rules", self.ai_folder) if folder.is_dir()]
        return sources_hash(*own, *SHARED)

    def draws(self) -> str | None:
        """The recipe of the draws in Markdown: what they ask of `below`, so that anybody can repeat them."""
        recipe = self.folder / "texts" / "draws.md"
        return recipe.read_text("utf-8") if recipe.exists() else None

    def start(self, variant: str, seats: int, first_seat: int | None) -> Position:
        """The set-up, before the first draw. ValueError for a variant, number or seat the ruleset does not have."""
        if variant not in self.variants:
            raise ValueError(f"{self.id} is played on {self.variants}, not {variant}")
        if seats not in self.seat_counts:
            raise ValueError(f"{self.id} is played by {self.seat_counts} seats, not {seats}")
        if first_seat is not None and not 0 <= first_seat < seats:
            raise ValueError(f"there is no seat {first_seat} of {seats}")
        table_state = new_record(self.rules.dtype)
        self.rules.start(table_state, self.variants.index(variant), seats, -1 if first_seat is None else first_seat)
        return Position(self, table_state.tobytes())

    def typed(self, named: Json) -> Json:
        """Return an action, draw or effect with its full type, or the same dict if it has one; do not change it.

        Older logs lack the ruleset's id in the type.
        """
        return named if "." in named["type"] else {**named, "type": full_type(named["type"], self.id)}

    def read(self, json: Json) -> Position:
        """The position that `view` gave. Inconsistent, with JSON pointers, if there is no such position."""
        return Position(self, self.wire.from_json(json).tobytes())

    def read_posted(self, json: Json) -> Position:
        """The same of one that anybody may have made up.

        Inconsistent, too, where play could lead to what `view` cannot tell within the bounds of the schemas.
        """
        table_state = self.wire.from_json(json)
        if errors := self.wire.out_of_bounds(table_state):
            raise InconsistentStateError(errors)
        return Position(self, table_state.tobytes())

    def notation_of(self, action: int) -> str:
        """An action that `legal_actions` gives, as a short text."""
        return self.wire.notation.action.write(self.wire.decode(action))

    def action_of(self, text: str) -> int:
        """The action of that text, whether it is legal or not. Unreadable, or Inconsistent."""
        return self.wire.encode(read(self.wire.notation.action, text))

    def read_notation(self, text: str) -> Position:
        """The position that a line of `Position.notation` tells, of which anybody may have made it up.

        Unreadable, or Inconsistent as `read_posted`.
        """
        return self.read_posted(read(self.wire.notation.position, text))

    def view(self, position: Position) -> Json:
        """The position as JSON, the same for every viewer (nothing hidden stands in a record)."""
        return self.wire.to_json(position.table_state())

    def from_bytes(self, content: bytes) -> Position:
        """The position that `Position.to_bytes` gave, of the same sources. ValueError if it is not as long as one.

        Nothing else is looked at, so this is for bytes that were in good hands: others are read by `from_snapshot`.
        """
        return Position(self, new_record(self.rules.dtype, content).tobytes())

    def from_snapshot(self, snapshot: bytes) -> Position:
        """Return the position of a snapshot. Raises DamagedSnapshotError if it is damaged or of other sources."""
        content, seal = snapshot[:-SEAL_BYTES], snapshot[-SEAL_BYTES:]
        if len(content) != self.rules.dtype.itemsize or seal != self.seal(content):
            raise DamagedSnapshotError(f"{len(snapshot)} bytes that are no snapshot of {self.id} by these sources")
        return Position(self, content)

    def seal(self, content: bytes) -> bytes:
        """What follows a record's bytes in a snapshot."""
        return hashlib.blake2b(content, digest_size=SEAL_BYTES, key=self.rules_hash.encode()).digest()


class Position:
    """A position: immutable, comparable, hashable. Every method checks what it is given."""

    __slots__ = ("_content", "_header", "ruleset")

    def __init__(self, ruleset: Ruleset, content: bytes) -> None:
        """Use the ruleset's `start`, `read` or `from_bytes`."""
        self.ruleset = ruleset
        self._content = content
        self._header = np.frombuffer(content, dtype=ruleset.rules.dtype)[0]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.ruleset, self._content) == (other.ruleset, other._content)

    def __hash__(self) -> int:
        return hash(self._content)

    def __repr__(self) -> str:
        return f"<Position {self.ruleset.id} {self.variant}, {self.seats} seats, {self.status}, seat {self.seat}>"

    def __str__(self) -> str:
        draw_text = self.ruleset.text_picture
        drawn = repr(self) if draw_text is None else draw_text(self.ruleset.view(self))
        return f"{drawn}\n\n{self.notation}"

    @property
    def notation(self) -> str:
        """The position in one line, which `Ruleset.read_notation` reads."""
        return self.ruleset.wire.notation.position.write(self.ruleset.view(self))

    def table_state(self) -> Record:
        """A writable copy of the record."""
        return new_record(self.ruleset.rules.dtype, self._content)

    def to_bytes(self) -> bytes:
        """The record's bytes; they mean something to the same sources only (`Ruleset.rules_hash`)."""
        return self._content

    def to_snapshot(self) -> bytes:
        """The same with a seal, to be kept outside of the process."""
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
        """The seat to decide; None while chance decides or nobody any more."""
        return int(self._header["seat"]) if self._header["status"] == DECIDING else None

    @property
    def scores(self) -> tuple[int, ...]:
        """Points by seat."""
        return tuple(self._header["score"][: self.seats].tolist())

    def legal_actions(self) -> list[int]:
        """All legal actions but aliases, each once, in a fixed order; none while nobody decides."""
        return self._listed(self.ruleset.rules.legal_actions, self.ruleset.max_actions)

    def quick_legal_actions(self) -> list[int]:
        """The same. NotCompiledError if they are more than MAX_UNCOMPILED, where the rules are not compiled yet."""
        if self.ruleset.rules.are_compiled():
            return self.legal_actions()
        try:
            return self._listed(self.ruleset.rules.function("legal_actions"), MAX_UNCOMPILED)
        except IndexError:
            raise NotCompiledError(self.ruleset.id) from None

    def _listed(self, legal_actions: Callable[..., int], most: int) -> list[int]:
        out = np.empty(most, np.int64)
        return out[: legal_actions(self.table_state(), out)].tolist()  # type: ignore[no-any-return]

    def aliases(self) -> dict[int, int]:
        """The legal actions that are not listed, each with the listed one that does exactly the same."""
        return dict(self.ruleset.aliases(self.table_state()))

    def as_listed(self, action: int) -> int:
        """The listed action that does exactly what a legal one does: the same, unless that is an alias."""
        return self.aliases().get(action, action)

    def choices(self) -> Json | None:
        """The listed actions in factored form: their parts, and how parts go together; None while nobody decides."""
        return None if self.seat is None else self.ruleset.wire.choices(self.table_state())

    def refusal(self, action: int) -> str | None:
        """The code of the reason why the action is illegal; None if it is legal."""
        return self.ruleset.reasons[self.ruleset.rules.check(self.table_state(), action)] or None

    def play(self, action: int) -> Position:
        """The position after the action and all that follows by itself. IllegalActionError if it is illegal."""
        table_state = self.table_state()
        reason = self.ruleset.rules.check(table_state, action)
        if reason:
            raise IllegalActionError(self.ruleset.reasons[reason])
        self.ruleset.rules.apply(table_state, action)
        return Position(self.ruleset, table_state.tobytes())

    def effects(self, action: int) -> list[Json]:
        """What the action would do, in order, as named dicts. IllegalActionError if it is illegal."""
        return self.step(action)[0]

    def step(self, action: int) -> tuple[list[Json], Position]:
        """`effects` and `play` at once: both are computed the same way. IllegalActionError if it is illegal."""
        table_state = self.table_state()
        reason = self.ruleset.rules.check(table_state, action)
        if reason:
            raise IllegalActionError(self.ruleset.reasons[reason])
        effects = self.ruleset.wire.effects_of_action(table_state, action)
        return effects, Position(self.ruleset, table_state.tobytes())

    def random_action(self, rng: RngState) -> int:
        """A listed action by chance. ValueError while nobody decides."""
        if self.seat is None:
            raise ValueError("nobody decides here")
        return int(self.ruleset.rules.random_action(self.table_state(), rng))

    def sample(self, rng: RngState) -> tuple[int, ...]:
        """What chance brings next, drawn from the generator. ValueError where nothing is drawn."""
        if self.status != "drawing":
            raise ValueError("nothing is drawn here")
        out = np.empty(self.ruleset.max_drawn, np.int64)
        return tuple(out[: self.ruleset.rules.sample(self.table_state(), rng, out)].tolist())

    def resolve_draw(self, drawn: Sequence[int]) -> Position:
        """The position after the draw. IllegalDrawError if chance could not bring it."""
        table_state = self.table_state()
        self.ruleset.rules.resolve_draw(table_state, self._possible(table_state, drawn))
        return Position(self.ruleset, table_state.tobytes())

    def effects_of_draw(self, drawn: Sequence[int]) -> list[Json]:
        """What the draw would do, in order, as named dicts. IllegalDrawError if chance could not bring it."""
        return self.step_draw(drawn)[0]

    def step_draw(self, drawn: Sequence[int]) -> tuple[list[Json], Position]:
        """`effects_of_draw` and `resolve_draw` at once. IllegalDrawError if chance could not bring it."""
        table_state = self.table_state()
        self._possible(table_state, drawn)
        effects = self.ruleset.wire.effects_of_draw(table_state, drawn)
        return effects, Position(self.ruleset, table_state.tobytes())

    def _possible(self, table_state: Record, drawn: Sequence[int]) -> Ints:
        numbers = np.array(drawn, np.int64)
        if self.ruleset.rules.check_draw(table_state, numbers):
            raise IllegalDrawError(f"{self.ruleset.id} cannot draw that here")
        return numbers

    def outcome(self) -> tuple[SeatOutcome, ...]:
        """Score, rank and break-down of each seat, as the position stands (final once `status` is `over`)."""
        table_state = self.table_state()
        keys = np.empty(self.seats, np.int64)
        self.ruleset.rules.outcome(table_state, keys)
        ranks = [1 + sum(other > key for other in keys.tolist()) for key in keys.tolist()]
        return tuple(
            SeatOutcome(score, rank, rank == 1, self.ruleset.breakdown(table_state, seat))
            for seat, (score, rank) in enumerate(zip(self.scores, ranks, strict=True))
        )
