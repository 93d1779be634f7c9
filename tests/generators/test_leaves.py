"""A new leaf of any union breaks the compilation of the program that handles every leaf."""

from __future__ import annotations

import json
import os
import subprocess
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.clients.playing import CLIENTS, NODE
from tests.generators.toolchains import ROOT
from tests.web.client import spec

TOOLS = ROOT / "node_modules" / ".bin"
UNIONS = sorted(name for name, schema in spec()["components"]["schemas"].items() if "discriminator" in schema)


def document_with_new_leaves() -> Any:
    """Return the document with a new leaf in every union."""
    document = deepcopy(spec())
    schemas = document["components"]["schemas"]
    for name in UNIONS:
        union, reference = schemas[name], f"#/components/schemas/New{name}"
        tag = union["discriminator"]["propertyName"]
        leaf = {"type": "object", "properties": {tag: {"type": "string", "enum": ["new"]}}, "required": [tag]}
        schemas[f"New{name}"] = leaf
        union["oneOf"].append({"$ref": reference})
        union["discriminator"]["mapping"]["new"] = reference
    return document


def compiler_output(folder: Path, document: Any) -> list[str]:
    """Generate types from a document and return the compiler's output for unions.ts."""
    (source := folder / "openapi.json").write_text(json.dumps(document))
    path = {**os.environ, "PATH": f"{Path(NODE).parent}:{os.environ['PATH']}"}
    command: list[str | Path] = [TOOLS / "openapi-typescript", source, "--output", folder / "schema.d.ts"]
    done = subprocess.run(command, env=path, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    (types := folder / "named.ts").write_text((CLIENTS / "typescript" / "src" / "named.ts").read_text())
    settings = {
        "extends": str(ROOT / "tsconfig.base.json"),
        "compilerOptions": {"paths": {"#schemas": [str(types)]}},
        "files": [str(CLIENTS / "unions.ts")],
    }
    (folder / "tsconfig.json").write_text(json.dumps(settings))
    done = subprocess.run([TOOLS / "tsc", "--project", folder], env=path, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def test_a_new_leaf_of_any_union_causes_a_compiler_error(tmp_path: Path) -> None:
    assert [] == compiler_output(tmp_path, spec())
    output = "\n".join(compiler_output(tmp_path, document_with_new_leaves()))
    assert len(UNIONS) == output.count("is not assignable to parameter of type 'never'")
