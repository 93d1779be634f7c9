"""Sentences for players: the choices, the log and the reasons of a ruleset. One Fluent file for each language.

A ruleset keeps `en.ftl` and `de.ftl` in its `texts` folder. A message id is a family and a type, with hyphens for
underscores and without the ruleset's id. The fields of the named dict are the message's arguments.

| family | example |
|---|---|
| `action-<type>` | a choice: "Take blue from factory 1 …" |
| `log-<type>` | the same action in the past tense, without its subject: "took blue from factory 1 …" |
| `draw-<type>` | what a draw did: "20 tiles were dealt." |
| `reason-<code>` | why an action is illegal |

A missing message is an error; the conformance tests check them all.

Counts (`{"red": 2, "blue": 1}`) and lists become the number of their items. Any other object becomes its fields:
`hexagon: {"colour": …}` is `$hexagon_colour`. The numbers of a list are also available as `$space_0` and `$space_1`.
`$variant` is the side of the board, which may name places differently.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "de")  # the first is the default
UNLISTED = ("type", "variant")  # not listed where a ruleset has no sentences
Arguments = Mapping[str, Any]
SELECTABLE = (int, str)  # but not bool
SENTENCES_REMEMBERED = 16_384  # a process, some 200 bytes each


class Texts:
    """The sentences of one folder of Fluent files, in every language of LANGUAGES."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cache  # noqa: B019 - one object a ruleset, for the life of the process
    def _bundle(self, language: str) -> Any:
        from fluent.runtime import FluentBundle, FluentResource  # 50 ms of every start, for those who speak only

        bundle = FluentBundle([language], use_isolating=False)
        bundle.add_resource(FluentResource((self._folder / f"{language}.ftl").read_text("utf-8")))
        return bundle

    def message(self, language: str, message_id: str, arguments: Arguments | None = None) -> str:
        """The message in that language. KeyError: no such message; ValueError: it cannot be formed."""
        plain = dict[str, int | str]()
        for name, value in (arguments or {}).items():
            if type(value) in SELECTABLE:
                plain[name] = value
            else:
                plain |= {**dict(_plain_arguments(name, value)), **dict(self._listed(language, name, value))}
        return self._formed(language, message_id, tuple(plain.items()))

    def _listed(self, language: str, name: str, value: Any) -> Iterator[tuple[str, str]]:
        """Parts one by one, where there is a message `part-<name>` for them: `$name_listed`, "a, b and c"."""
        part = f"part-{name}".replace("_", "-")
        if isinstance(value, Mapping) and not _are_counts(value):
            for inner in value:
                yield from self._listed(language, f"{name}_{inner}", value[inner])
        elif isinstance(value, (Mapping, list)) and value and self.has(language, part):
            parts = [self.message(language, part, named) for named in _parts(value)]
            *first, last = parts
            both = {"first": ", ".join(first), "last": last}
            yield f"{name}_listed", self.message(language, "listed", both) if first else last

    @lru_cache(maxsize=SENTENCES_REMEMBERED)  # noqa: B019 - one object a ruleset; forming a sentence takes 0.1 ms
    def _formed(self, language: str, message_id: str, arguments: tuple[tuple[str, Any], ...]) -> str:
        bundle = self._bundle(language)
        pattern = bundle.get_message(message_id).value
        if pattern is None:
            raise KeyError(message_id)
        text, errors = bundle.format_pattern(pattern, dict(arguments))
        if errors:
            raise ValueError(f"{message_id} in {language}: {errors}")
        return str(text)

    def has(self, language: str, message_id: str) -> bool:
        """Whether the language has that message."""
        return bool(self._bundle(language).has_message(message_id))

    def tagged(self, language: str, family: str, named: Arguments, variant: str) -> str:
        """Return the sentence of a named dict (`type` and fields), of the family `action`, `log` or `draw`."""
        return self._tagged(language, family, json.dumps({**named, "variant": variant}))

    @lru_cache(maxsize=SENTENCES_REMEMBERED)  # noqa: B019 - one object a ruleset; to lay out what it tells takes 10 to 40 µs
    def _tagged(self, language: str, family: str, content: str) -> str:
        named = json.loads(content)
        name = named["type"].rpartition(".")[2]
        return self.message(language, f"{family}-{name}".replace("_", "-"), named)

    def reason(self, language: str, code: str) -> str:
        """Why an action is illegal."""
        return self.message(language, f"reason-{code}".replace("_", "-"))


class FieldTexts(Texts):
    """The sentences where there is no folder: an action, draw or effect by its fields, a reason by its code."""

    def has(self, _language: str, _message_id: str) -> bool:
        """Whether the language has that message: none has."""
        return False

    def message(self, _language: str, message_id: str, arguments: Arguments | None = None) -> str:
        """The message's own words, and its arguments."""
        words = message_id.partition("-")[2].replace("-", " ")
        named = ", ".join(f"{name} {value}" for name, value in (arguments or {}).items() if name not in UNLISTED)
        return f"{words}: {named}" if named else words


def texts_of(folder: Path) -> Texts:
    """The sentences of a folder, which need not be there."""
    return Texts(folder) if folder.is_dir() else FieldTexts(folder)


def _are_counts(value: Mapping[str, Any]) -> bool:
    return all(isinstance(count, int) for count in value.values())


def _parts(value: Any) -> Iterator[Arguments]:
    """Counts as kinds with their count, objects of a list as they are."""
    if isinstance(value, Mapping):
        yield from ({"kind": kind, "count": count} for kind, count in value.items())
    else:
        yield from value


def _plain_arguments(name: str, value: Any) -> Iterator[tuple[str, int | str]]:
    """What Fluent can select on: numbers and strings as they are, true and false as words, else sizes and parts."""
    if isinstance(value, bool):
        yield name, str(value).lower()
    elif isinstance(value, (int, str)):
        yield name, value
    elif value is None:
        yield name, "none"
    elif not isinstance(value, Mapping):
        yield name, len(value)
        for k, part in enumerate(value):
            if isinstance(part, int):
                yield f"{name}_{k}", part
    elif _are_counts(value):
        yield name, sum(value.values())
    else:
        for part, inner in value.items():
            yield from _plain_arguments(f"{name}_{part}", inner)
