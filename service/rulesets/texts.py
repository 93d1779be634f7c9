"""Sentences for players: the choices, the log and the reasons of a ruleset. One Fluent file for each language.

A ruleset keeps `en.ftl` and `de.ftl` in its `texts` folder. A message id is a family and a type, with hyphens for
underscores and without the ruleset's id. The fields of the named dict are the message's arguments.

| family | example |
|---|---|
| `action-<type>` | a choice: "Take blue from factory 1 …" |
| `log-<type>` | the same action in the past tense, without its subject: "took blue from factory 1 …" |
| `story-<type>` | the same in a story, where details are omitted: "took blue from factory 1 for line 2" |
| `instead-<type>` | the same after "should have" or before "sollen": "taken blue from factory 1 for line 2" |
| `draw-<type>` | what a draw did: "20 tiles were dealt." |
| `reason-<code>` | why an action is illegal |
| `why-<merit>` | what the best action does, without its subject: "completes line 3" |

A missing message is an error; the conformance tests check them all.

Counts (`{"red": 2, "blue": 1}`) and lists become the number of their items. Any other object becomes its fields:
`hexagon: {"colour": …}` is `$hexagon_colour`. The numbers of a list are also available as `$space_0` and `$space_1`.
`$variant` is the side of the board, which may name places differently.

For stories, `bonus-<part>` names a part of the final scoring, after "the points for". `tie-break` is optional: the
number that decides between equal scores.
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
        from fluent.runtime import FluentBundle, FluentResource  # slow to import, and not every process needs it

        bundle = FluentBundle([language], use_isolating=False)
        bundle.add_resource(FluentResource((self._folder / f"{language}.ftl").read_text("utf-8")))
        return bundle

    def message(self, language: str, message_id: str, arguments: Arguments | None = None) -> str:
        """Return the message in a language.

        Raises KeyError if it is missing, and ValueError if it cannot be formatted.
        """
        plain = dict[str, int | str]()
        for name, value in (arguments or {}).items():
            if type(value) in SELECTABLE:
                plain[name] = value
            else:
                plain |= {**dict(_plain_arguments(name, value)), **dict(self._list_parts(language, name, value))}
        return self._format(language, message_id, tuple(plain.items()))

    def _list_parts(self, language: str, name: str, value: Any) -> Iterator[tuple[str, str]]:
        """Yield `$name_listed` ("a, b and c") for parts with a message `part-<name>`, also of nested objects."""
        part = f"part-{name}".replace("_", "-")
        if isinstance(value, Mapping) and not _are_counts(value):
            for inner in value:
                yield from self._list_parts(language, f"{name}_{inner}", value[inner])
        elif isinstance(value, (Mapping, list)) and value and self.has_message(language, part):
            parts = [self.message(language, part, named) for named in _parts(value)]
            *first, last = parts
            both = {"first": ", ".join(first), "last": last}
            yield f"{name}_listed", self.message(language, "listed", both) if first else last

    @lru_cache(maxsize=SENTENCES_REMEMBERED)  # noqa: B019 - one object a ruleset; forming a sentence takes 0.1 ms
    def _format(self, language: str, message_id: str, arguments: tuple[tuple[str, Any], ...]) -> str:
        bundle = self._bundle(language)
        pattern = bundle.get_message(message_id).value
        if pattern is None:
            raise KeyError(message_id)
        text, errors = bundle.format_pattern(pattern, dict(arguments))
        if errors:
            raise ValueError(f"{message_id} in {language}: {errors}")
        return str(text)

    def has_message(self, language: str, message_id: str) -> bool:
        """Return True if the language has the message."""
        return bool(self._bundle(language).has_message(message_id))

    def sentence(self, language: str, family: str, named: Arguments, variant: str) -> str:
        """Return the sentence of JSON with `type` and fields; the family is one of an action or `draw`."""
        return self._sentence(language, family, json.dumps({**named, "variant": variant}))

    @lru_cache(maxsize=SENTENCES_REMEMBERED)  # noqa: B019 - one object a ruleset; formatting takes 10 to 40 µs
    def _sentence(self, language: str, family: str, content: str) -> str:
        named = json.loads(content)
        name = named["type"].rpartition(".")[2]
        return self.message(language, f"{family}-{name}".replace("_", "-"), named)

    def reason(self, language: str, code: str) -> str:
        """Return the reason why an action is illegal."""
        return self.message(language, f"reason-{code}".replace("_", "-"))


class FieldTexts(Texts):
    """Sentences of a ruleset without Fluent files, made from fields and codes."""

    def has_message(self, _language: str, _message_id: str) -> bool:
        """Return False: there are no messages."""
        return False

    def message(self, _language: str, message_id: str, arguments: Arguments | None = None) -> str:
        """Return the words of the message id, and the arguments."""
        words = message_id.partition("-")[2].replace("-", " ")
        named = ", ".join(f"{name} {value}" for name, value in (arguments or {}).items() if name not in UNLISTED)
        return f"{words}: {named}" if named else words


def texts_of(folder: Path) -> Texts:
    """Return the sentences of a folder. Without the folder they are made from fields and codes."""
    return Texts(folder) if folder.is_dir() else FieldTexts(folder)


def _are_counts(value: Mapping[str, Any]) -> bool:
    return all(isinstance(count, int) for count in value.values())


def _parts(value: Any) -> Iterator[Arguments]:
    """Yield counts as kind and count, and the objects of a list unchanged."""
    if isinstance(value, Mapping):
        yield from ({"kind": kind, "count": count} for kind, count in value.items())
    else:
        yield from value


def _plain_arguments(name: str, value: Any) -> Iterator[tuple[str, int | str]]:
    """Yield arguments that Fluent can select on: numbers, strings, true and false as words, and sizes and parts."""
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
