"""Texts that people write: names, lines of chat and handles.

Names and lines follow PRECIS (RFC 8264). In addition, they may contain all emoji sequences of Unicode, the directional
marks of right-to-left texts, and characters that PRECIS excludes from identifiers only. They must have a visible
character. ASCII texts need no table; the tables of PRECIS and of emoji are imported when a text needs them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from precis_i18n.unicode import UnicodeData

MAX_NAME, MAX_LINE = 40, 500
EMOJI_PARTS = re.compile("[\u200d\u20e3\ufe0e\ufe0f\U0001f000-\U0001ffff]")
"""Every emoji that PRECIS refuses or NFKC changes has one of these characters."""
DIRECTIONAL_MARKS = "\u061c\u200e\u200f"
VARIATIONS = re.compile(
    "[\u3400-\u9fff\U00020000-\U0003ffff][\ufe00-\ufe02\U000e0100-\U000e01ef]|[\u1800-\u18af][\u180b-\u180d\u180f]"
)
"""Variants of Chinese, Japanese and Mongolian letters, as in names of people and places."""
BLANK = "\u2800\U0001d159"
"""Symbols without ink."""
LOOKALIKES = (("0", "o"), ("1", "l"), ("i", "l"), ("rn", "m"))
"""The confusables of Unicode Technical Standard 39 among ASCII letters and digits, in lower case."""


def enforce_name(text: str) -> str:
    """Return a name in NFKC, without spaces at its ends and with single spaces inside.

    Raises: ValueError if it is no name.
    """
    name = re.sub(" {2,}", " ", _normalize(text, "NFKC")).strip(" ")
    _check(name)
    if len(name) > MAX_NAME:
        raise ValueError(f"must have at most {MAX_NAME} characters in NFKC")
    return name


def enforce_line(text: str) -> str:
    """Return a line of chat in NFC. It may contain line breaks. Raises: ValueError if it is no line of chat."""
    line = _normalize(text, "NFC")
    _check(line.replace("\n", " "))
    if len(line) > MAX_LINE:
        raise ValueError(f"must have at most {MAX_LINE} characters in NFC")
    return line


def skeleton(handle: str) -> str:
    """Return the form of a handle that must be unique. It ignores case, dashes, underscores and similar letters.

    Handles are ASCII, so lower case is what UsernameCaseMapped (RFC 8265) maps them to.
    """
    form = handle.lower().replace("_", "").replace("-", "")
    for lookalike, letters in LOOKALIKES:
        form = form.replace(lookalike, letters)
    return form


def _normalize(text: str, form: Literal["NFC", "NFKC"]) -> str:
    """Return the text in a normal form. Emoji stay unchanged, because NFKC would replace some by words."""
    results, end = [], 0
    for start, next_start in _emoji(text):
        results += [unicodedata.normalize(form, text[end:start]), text[start:next_start]]
        end = next_start
    return "".join((*results, unicodedata.normalize(form, text[end:])))


def _emoji(text: str) -> Iterator[tuple[int, int]]:
    """Yield the first index and the end of each emoji that needs its table."""
    if EMOJI_PARTS.search(text):
        import emoji

        for match in emoji.emoji_list(text):
            found, start, end = match["emoji"], match["match_start"], match["match_end"]
            is_qualified = emoji.EMOJI_DATA[found]["status"] == emoji.STATUS["fully_qualified"]
            if is_qualified or len(found) > 1:
                yield start, end + (text[end : end + 1] in ("\ufe0e", "\ufe0f"))
            elif text[end : end + 1] == "\ufe0e":  # the emoji as text
                yield start, end + 1


def _check(text: str) -> None:
    """Raise ValueError for texts with a character that is not allowed, or without a visible one."""
    visible = bool(text.strip())
    if not (text.isascii() and text.isprintable()):
        allowed = {index for start, end in _emoji(text) for index in range(start, end)}
        visible = bool(allowed)
        allowed |= {match.start() + 1 for match in VARIATIONS.finditer(text)}
        for index, character in enumerate(text):
            if index not in allowed and not _is_allowed(text, index):
                raise ValueError(f"must not contain U+{ord(character):04X} in this place")
            visible |= unicodedata.category(character)[0] in "LNPS" and character not in BLANK
    if not visible:
        raise ValueError("must have a visible character")


@cache
def _unicode_data() -> UnicodeData:
    """Return the tables of PRECIS."""
    from precis_i18n.unicode import UnicodeData

    return UnicodeData()


def _is_allowed(text: str, index: int) -> bool:
    """Return True if a text may contain the character at its place."""
    from precis_i18n.context import context_rule_error
    from precis_i18n.derived import CONTEXTJ, FREE_PVAL, PVALID, derived_property

    tables, character = _unicode_data(), text[index]
    derived, reason = derived_property(ord(character), tables)
    if derived == CONTEXTJ:  # U+200C and U+200D; people also type them after letters that join no other
        is_after_arabic = index > 0 and unicodedata.bidirectional(text[index - 1]) == "AL"
        return is_after_arabic or not context_rule_error(text, index, tables)
    if character in DIRECTIONAL_MARKS:
        return any(one.isalpha() and unicodedata.bidirectional(one) in ("R", "AL") for one in text)
    return derived in (PVALID, FREE_PVAL) or (
        reason in ("exceptions", "old_hangul_jamo") and not tables.default_ignorable(ord(character))
    )
