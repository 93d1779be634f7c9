"""Write the card of a dataset, from its own metadata: `python -m research.dataset.card games.parquet > README.md`.

The card has the form of Hugging Face: a header in YAML, then Markdown. `card.md` is its template.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from research.dataset.columns import TEXT

LICENCE = "mit"
TEMPLATE = Path(__file__).with_name("card.md")


def card_of(paths: Sequence[Path]) -> str:
    """Return the card of the files of one dataset. Raises ValueError if they are of several, or of another format."""
    files = [pq.ParquetFile(path) for path in paths]
    schema: pa.Schema = files[0].schema_arrow
    origins = [_origin(file.schema_arrow) for file in files]
    if "rules_hash" not in origins[0] or any({**each, "games": ""} != {**origins[0], "games": ""} for each in origins):
        raise ValueError("the files are not parts of one dataset of `python -m research.dataset`")
    words = {
        **origins[0],
        "games": ", ".join(origin["games"] for origin in origins),
        "licence": LICENCE,
        "files": "\n".join(f"      - {path.name}" for path in paths),
        "rows": sum(file.metadata.num_rows for file in files),
        "commands": "\n".join(map(_command, origins, paths)),
    }
    return TEMPLATE.read_text("utf-8").format(**words, columns="".join(map(_row, schema)))


def _row(field: pa.Field) -> str:
    kind = "text" if field.type == TEXT else field.type
    return f"| `{field.name}` | {kind} | {field.metadata[b'description'].decode()} |\n"


def _origin(schema: pa.Schema) -> dict[str, str]:
    return {key.decode(): text.decode() for key, text in (schema.metadata or {}).items()}


def _command(origin: dict[str, str], path: Path) -> str:
    first, last = map(int, origin["games"].split(".."))
    options = {name: origin[name] for name in ("ruleset", "seed")} | {"level": shlex.quote(origin["player"])}
    options |= {"variant": origin["variants"].replace(",", ""), "seats": origin["seats"].replace(",", "")}
    options |= {"games": str(last + 1 - first), "first": str(first), "out": path.name}
    return "    python -m research.dataset " + " ".join(f"--{name} {text}" for name, text in options.items())


def main() -> None:
    """Print the card."""
    parser = argparse.ArgumentParser(prog="python -m research.dataset.card", description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    try:
        print(card_of(parser.parse_args().files), end="")
    except (ValueError, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
