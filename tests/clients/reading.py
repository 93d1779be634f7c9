"""Read generated models of each language with patterns: the types of members.

Nothing is compiled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

CLIENTS = Path(__file__).parents[2] / "openapi" / "clients"


@dataclass(frozen=True)
class Language:
    """How generated models of a language are written."""

    name: str
    file: Callable[[str], str]
    """File of a schema below the folder."""
    member: str
    """Pattern of a member with the groups `name` (in JSON) and `type`."""
    maybe: str
    """Pattern of an optional type."""
    moment: str
    """Type of a required moment."""
    long: str
    """Type of a 64-bit integer."""
    whole: str
    """Type of other integers."""
    text: str
    """Type of a text."""


def snake(name: str) -> str:
    """Return `HandOverEvent` as `hand_over_event`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


LANGUAGES = {
    language.name: language
    for language in (
        Language(
            name="java",
            file=lambda name: f"src/main/java/org/openapitools/client/model/{name}.java",
            member=r'JSON_PROPERTY_\w+ = "(?P<name>\w+)";\s+'
            r"@javax.annotation.(?P<type>\w+\s+private [\w<>., ]+?) \w+(?: =|;)",
            maybe=r"Nullable\s",
            moment="OffsetDateTime",
            long="Long",
            whole="Integer",
            text="String",
        ),
        Language(
            name="kotlin",
            file=lambda name: f"src/main/kotlin/org/openapitools/client/models/{name}.kt",
            member=r'@SerialName\(value = "(?P<name>\w+)"\)\s+val `?\w+`?: (?P<type>[^\n=]+?),?(?: = null)?,?\n',
            maybe=r"\?$",
            moment="java.time.OffsetDateTime",
            long="kotlin.Long",
            whole="kotlin.Int",
            text="kotlin.String",
        ),
        Language(
            name="swift",
            file=lambda name: f"Sources/AzulGames/Models/{name}.swift",
            member=r"(?m)^    public var `?(?P<name>\w+)`?: (?P<type>.+)$",
            maybe=r"\?$",
            moment="Date",
            long="Int64",
            whole="Int",
            text="String",
        ),
        Language(
            name="dart",
            file=lambda name: f"lib/src/model/{snake(name)}.dart",
            member=r"@BuiltValueField\(wireName: r'(?P<name>\w+)'\)\s+(?P<type>[\w<>?, ]+) get ",
            maybe=r"\?$",
            moment="DateTime",
            long="int",
            whole="int",
            text="String",
        ),
        Language(
            name="csharp",
            file=lambda name: f"src/AzulGames/Model/{name}.cs",
            member=r'JsonPropertyName\("(?P<name>\w+)"\)\]\s+public (?P<type>[\w<>?., ]+) \w+ \{ get',
            maybe=r"\?$",
            moment="DateTime",
            long="long",
            whole="int",
            text="string",
        ),
        Language(
            name="go",
            file=lambda name: f"model_{snake(name)}.go",
            member=r'(?m)^\t\w+ (?P<type>\S+) `json:"(?P<name>\w+)(?:,omitempty)?"[ `]',
            maybe=r"^(?:\*|Nullable|\[\]|map\[)",
            moment="time.Time",
            long="int64",
            whole="int32",
            text="string",
        ),
        Language(
            name="rust",
            file=lambda name: f"src/models/{snake(name)}.rs",
            member=r'#\[serde\(rename = "(?P<name>\w+)"[^\n]*\)\]\s+pub (?:r#)?\w+: (?P<type>[^\n]+),\n',
            maybe=r"^Option<",
            moment="chrono::DateTime<chrono::FixedOffset>",
            long="i64",
            whole="i32",
            text="String",
        ),
    )
}


@dataclass(frozen=True)
class Models:
    """The models of one generator in a folder."""

    language: Language
    folder: Path

    def text(self, schema: str) -> str:
        """Return a schema's file, without the lines of the document's whole description."""
        lines = (self.folder / self.language.file(self.model_name(schema))).read_text("utf-8").splitlines()
        return "\n".join(line for line in lines if len(line) < 1_000)

    def model_name(self, schema: str) -> str:
        """Return the name of a schema's model. `Import` is a keyword of two languages."""
        return "ModelImport" if schema == "Import" and self.language.name in {"java", "dart"} else schema

    def members(self, schema: str) -> Iterator[tuple[str, str]]:
        """Yield the members of a schema: (name in JSON, type)."""
        text = self.text(schema)
        wire = (
            dict(re.findall(r'(?m)^        case `?(\w+)`? = "(\w+)"$', text)) if self.language.name == "swift" else {}
        )
        for results in re.finditer(self.language.member, text):
            name, described = str(results["name"]), str(results["type"])
            yield wire.get(name, name), described.strip()

    def may_be_missing(self, type_text: str) -> bool:
        """Return True if a member of this type can be missing or null."""
        return re.search(self.language.maybe, type_text) is not None

    def plain(self, type_text: str) -> str:
        """Return a type without its marks of optionality."""
        bare = re.sub(r"^(?:Nullable|Nonnull)\s+private |^\*|\?$", "", type_text)
        while self.language.name == "rust" and (inner := re.fullmatch(r"Option<(.+)>", bare)):
            bare = inner[1]
        of_go = {"NullableTime": "time.Time", "NullableInt64": "int64", "NullableInt32": "int32"}
        of_go["NullableString"] = "string"
        return of_go.get(bare, bare)
