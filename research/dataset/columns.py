"""Columns of a table of decisions, for Arrow.

A position is stored by the fields of its record, which describe it completely. Each field is a column, and an array is
a list of fixed size in C order. The comments on fields in the ruleset's `rules` become the columns' descriptions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import orjson
import pyarrow as pa

from research.dataset.playing import DatasetPlan, Decision, PlayedGame
from service.rulesets import kernel
from service.rulesets.kernel import new_record
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, Ruleset

FORMAT = "azul-games decisions 1"
PREFIX = "position_"
TEXT = pa.dictionary(pa.int32(), pa.string())

COMMON_COLUMNS: Mapping[str, tuple[Any, str]] = {
    "game": (pa.int64(), "number of the game; together with the seed it determines all of its chance"),
    "decision": (pa.int32(), "number of decisions in the game before this one"),
    "player": (TEXT, "player that made it, in the notation of matches: a level, or a setting of the search"),
    "variant": (TEXT, "side of the board"),
    "seats": (pa.int8(), "number of seats"),
    "seat": (pa.int8(), "seat that decides, from 0"),
    "legal_actions": (pa.list_(pa.int64()), "all listed legal actions, as the ruleset's integers"),
    "action": (pa.int64(), "chosen action"),
    "action_json": (TEXT, "chosen action as JSON of the API"),
    "action_notation": (TEXT, "chosen action in the notation of the API"),
    "visits": (pa.list_(pa.int32()), "simulations of each legal action; null without a search"),
    "final_scores": (pa.list_(pa.int16()), "points at the end of the game, by seat"),
    "final_ranks": (pa.list_(pa.int8()), "ranks at the end, by seat; 1 is first, tied seats share a rank"),
    "won": (pa.float32(), "share of the win of the seat that decides: 1, less in a tie, or 0"),
}
"""Columns of every ruleset, with type and description."""


class Field(NamedTuple):
    """A number or an array in a record."""

    path: tuple[str, ...]
    scalar: np.dtype[Any]
    shape: tuple[int, ...]  # including the arrays around it

    @property
    def column(self) -> str:
        """Name of the column."""
        return PREFIX + "_".join(self.path)

    @property
    def type(self) -> pa.DataType:
        """Type of the column."""
        scalar = pa.from_numpy_dtype(self.scalar)
        return pa.list_(scalar, int(np.prod(self.shape))) if self.shape else scalar

    def read(self, records: Any) -> Any:
        """Return the field of a record, or of an array of records."""
        for name in self.path:
            records = records[name]
        return records


def fields_of(dtype: np.dtype[Any], path: tuple[str, ...] = (), shape: tuple[int, ...] = ()) -> Iterator[Field]:
    """Yield all fields of a record, in order."""
    for name in dtype.names or ():
        part = dtype[name]
        base, inner = part.base, shape + part.shape
        if base.names:
            yield from fields_of(base, (*path, name), inner)
        else:
            yield Field((*path, name), base, inner)


def field_descriptions(ruleset: Ruleset) -> dict[str, str]:
    """Return the comments of the fields in the sources, by the last name of a field."""
    sources = (Path(str(kernel.__file__)), *(ruleset.rules.folder / "rules").glob("*.py"))
    lines = (line for source in sources for line in source.read_text("utf-8").splitlines())
    matches = (re.fullmatch(r'\s*\("(\w+)", .+\),(?:  # (.+))?', line) for line in lines)
    return {match[1]: match[2] or match[1].replace("_", " ") for match in matches if match}


def schema_of(plan: DatasetPlan, games: range) -> pa.Schema:
    """Return the columns with descriptions, and the table's metadata about its origin."""
    ruleset = RULESETS[plan.ruleset]
    descriptions = field_descriptions(ruleset)
    columns = [pa.field(name, kind, metadata={"description": text}) for name, (kind, text) in COMMON_COLUMNS.items()]
    for field in fields_of(ruleset.rules.dtype):
        metadata = {"description": descriptions[field.path[-1]], "shape": orjson.dumps(field.shape)}
        columns.append(pa.field(field.column, field.type, metadata=metadata))
    origin = {
        "format": FORMAT,
        "ruleset": ruleset.id,
        "ruleset_version": str(ruleset.version),
        "rules_hash": ruleset.rules_hash,
        "player": plan.player,
        "seed": str(plan.seed),
        "variants": ", ".join(plan.variants),
        "seats": ", ".join(map(str, plan.seats)),
        "games": f"{games.start}..{games.stop - 1}",
    }
    return pa.schema(columns, metadata=origin)


def batch_of(schema: pa.Schema, ruleset: Ruleset, player: str, games: Iterable[PlayedGame]) -> pa.RecordBatch:
    """Return the rows of the games."""
    rows = [(game, decision) for game in games for decision in game.decisions]
    records = np.frombuffer(b"".join(decision.position.to_bytes() for _, decision in rows), ruleset.rules.dtype)
    cells = [_common_cells(player, game, decision) for game, decision in rows]
    arrays = [pa.array([row[name] for row in cells], kind) for name, (kind, _) in COMMON_COLUMNS.items()]
    arrays += [_column(field, field.read(records)) for field in fields_of(ruleset.rules.dtype)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _common_cells(player: str, game: PlayedGame, decision: Decision) -> dict[str, Any]:
    position, ranks = decision.position, [seat.rank for seat in game.outcome]
    seat, action = int(position.seat or 0), position.ruleset.wire.decode(decision.action)
    return {
        "game": decision.game,
        "decision": decision.number,
        "player": player,
        "variant": position.variant,
        "seats": position.seats,
        "seat": seat,
        "legal_actions": decision.legal,
        "action": decision.action,
        "action_json": orjson.dumps(action).decode(),
        "action_notation": position.ruleset.wire.notation.action.write(action),
        "visits": decision.visits,
        "final_scores": [each.score for each in game.outcome],
        "final_ranks": ranks,
        "won": game.outcome[seat].won / ranks.count(1),
    }


def _column(field: Field, values: Any) -> pa.Array:
    flat = pa.array(np.ascontiguousarray(values).reshape(-1))
    return pa.FixedSizeListArray.from_arrays(flat, int(np.prod(field.shape))) if field.shape else flat


def position_of(ruleset: Ruleset, row: Mapping[str, Any]) -> Position:
    """Return the position of a row. `row`: numbers and lists by column, as from `to_pylist` or pandas."""
    record = new_record(ruleset.rules.dtype)
    for field in fields_of(ruleset.rules.dtype):
        *outer, last = field.path
        part = Field(tuple(outer), field.scalar, ()).read(record)
        part[last] = np.reshape(row[field.column], field.shape)
    return ruleset.from_bytes(record.tobytes())
