"""Sentences for people: what can be done, what happened, why it may not be done. Fluent files, one a language.

A ruleset keeps `en.ftl` and `de.ftl` in its `texts` folder. Message
ids are `action-<type>`, `effect-<type>`, `draw-<type>`, `reason-<code>`, with hyphens for underscores; the fields
of the named dict are the message's arguments. A missing message is an error, and a test walks them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "de")  # the first is the default
Arguments = Mapping[str, Any]
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
        return self._formed(language, message_id, tuple((k, _argument(v)) for k, v in (arguments or {}).items()))

    @lru_cache(maxsize=SENTENCES_REMEMBERED)  # noqa: B019 - as above; forming a sentence takes 0.1 ms
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

    def tagged(self, language: str, family: str, named: Arguments) -> str:
        """The sentence of a named dict (`type` and fields), of the family `action`, `draw` or `effect`."""
        return self.message(language, f"{family}-{named['type']}".replace("_", "-"), named)

    def reason(self, language: str, code: str) -> str:
        """Why an action is illegal."""
        return self.message(language, f"reason-{code}".replace("_", "-"))


def _argument(value: Any) -> Any:
    """What Fluent can select on: numbers and strings as they are, true and false as words, the rest as its size."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, str)):
        return value
    if value is None:
        return "none"
    return sum(value.values()) if isinstance(value, Mapping) else len(value)
