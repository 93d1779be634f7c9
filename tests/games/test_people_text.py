"""Names, lines of chat and handles: which are allowed, and in which form they are stored."""

from __future__ import annotations

import string
import subprocess
import sys
import unicodedata
from itertools import combinations

import emoji
import pytest
from confusable_homoglyphs.confusables import confusables_data
from hypothesis import given
from hypothesis import strategies as st
from precis_i18n import get_profile

from service.games.people_text import MAX_LINE, MAX_NAME, enforce_line, enforce_name, skeleton

SENTENCES = {
    "Latin": "Zoë Ørsted-Straße",
    "Persian with U+200C": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "Persian with U+200C after a letter that joins no other": "\u0622\u0632\u0627\u062f\u200c\u062a\u0631",
    "Hindi with U+200D": "\u0915\u094d\u200d\u0937",
    "Sinhala with U+200D": "\u0d9a\u0dca\u200d\u0dbb\u0dd2\u0d9a\u0da7\u0dca",
    "Bengali with U+200C": "\u0995\u09cd\u200c\u09b7",
    "Hebrew with U+200F": "\u05e9\u05dc\u05d5\u05dd!\u200f",
    "Hebrew and Latin with U+200E": "\u05d3\u05e0\u05d9 C++\u200e",
    "Hebrew after Latin": "Dan \u05d3\u05e0\u05d9",
    "Arabic": "\u0645\u062d\u0645\u0651\u062f \u0661\u0662\u0663",
    "Arabic with tatweel": "\u0645\u062d\u0645\u0640\u0640\u062f",
    "Arabic abbreviation with U+200D": "\u06f1\u06f4\u06f0\u06f0 \u0647\u200d",
    "Thai": "\u0e1b\u0e48\u0e2d\u0e07",
    "Japanese with a variant": "\u845b\U000e0100\u57ce \u30fb",
    "Korean": "\ud55c\uae00",
    "punctuation": "7 · 2 — “so”",
    "family": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
    "heart on fire": "\u2764\ufe0f\u200d\U0001f525",
    "England": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "Scotland": "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "Wales": "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
    "skin tone": "Ana \U0001f44d\U0001f3fd",
    "keycap": "1\ufe0f\u20e3 #\ufe0f\u20e3",
    "country": "\U0001f1e9\U0001f1ea",
    "emoji after Unicode 14": "\U0001fae8",
    "emoji as text": "\u2665\ufe0e",
    "redundant selector": "\U0001f44d\ufe0f",
    "emoji that NFKC would spell out": "\u3297\ufe0f\u2122\ufe0f\U0001f201",
}
REFUSED = {
    "Hangul filler": "\u3164",
    "halfwidth Hangul filler": "\uffa0",
    "Braille blank": "\u2800",
    "null notehead": "\U0001d159",
    "selector": "\ufe0f",
    "selector after a letter": "a\ufe0f",
    "selector after a digit": "1\ufe0f",
    "combining mark": "\u0301",
    "two combining marks": "\u0301\u0e49",
    "spaces": " \u3000\u00a0",
    "nothing": "",
    "right-to-left override": "a\u202eb",
    "embedding": "\u202ba\u202c",
    "isolate": "\u2066a\u2069",
    "override in Hebrew": "\u05e9\u202d\u05dc",
    "U+200F without a right-to-left letter": "Ana\u200f",
    "U+200F alone": "\u200f",
    "U+200C between Latin letters": "An\u200ca",
    "U+200D between Latin letters": "An\u200da",
    "U+200D between emoji that are no sequence": "\U0001f468\u200d\U0001f525",
    "U+200D alone": "\u200d",
    "zero-width space": "An\u200ba",
    "byte order mark": "\ufeffAna",
    "soft hyphen": "An\u00ada",
    "tags": "\U000e0067\U000e0062",
    "tags after a flag that has no end": "\U0001f3f4\U000e0067\U000e0062",
    "lone surrogate": "\ud83d",
    "private use": "\ue000",
    "unassigned": "\u0378",
    "null": "A\0",
    "escape": "\x1b[31m",
    "line separator": "a\u2028b",
}


@pytest.mark.parametrize("text", SENTENCES.values(), ids=SENTENCES)
def test_people_write_names_and_lines_in_their_language_and_with_emoji(text: str) -> None:
    assert (text, text) == (enforce_name(text), enforce_line(text))


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_texts_that_are_invisible_or_hide_something_are_refused(text: str) -> None:
    for enforce in (enforce_name, enforce_line):
        with pytest.raises(ValueError, match=r"^must (not contain U\+[0-9A-F]{4,5} in this place|have a visible char)"):
            enforce(text)


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        ("  Ana \u00a0 B\u3000", "Ana B", "  Ana \u00a0 B\u3000"),
        ("Zoe\u0308", "Zoë", "Zoë"),
        ("\u1112\u1161\u11ab", "\ud55c", "\ud55c"),
        ("Ａｎａ", "Ana", "Ａｎａ"),
        ("ﬁve ²", "five 2", "ﬁve ²"),
        ("\u314b\u314b", "\u110f\u110f", "\u314b\u314b"),
        ("™ \u2122\ufe0f", "TM \u2122\ufe0f", "™ \u2122\ufe0f"),
    ],
)
def test_names_are_trimmed_in_nfkc_and_lines_are_in_nfc(text: str, name: str, line: str) -> None:
    assert (name, line) == (enforce_name(text), enforce_line(text))


def test_a_line_may_have_line_breaks_and_a_name_may_not() -> None:
    assert "a\n\nb" == enforce_line("a\n\nb")
    for name in ("a\nb", "Ana\n"):
        with pytest.raises(ValueError, match="000A"):
            enforce_name(name)
    for line in ("a\tb", "a\rb", "\n"):
        with pytest.raises(ValueError, match="must"):
            enforce_line(line)


def test_the_normal_form_must_fit_too() -> None:
    assert MAX_NAME == len(enforce_name("e\u0301" * MAX_NAME))
    with pytest.raises(ValueError, match="at most 40 characters in NFKC"):
        enforce_name("\ufdfa" * 3)
    with pytest.raises(ValueError, match="at most 500 characters in NFC"):
        enforce_line("\u0958" * (MAX_LINE // 2 + 1))


def test_every_emoji_of_unicode_is_a_name_and_a_line() -> None:
    qualified = [each for each, data in emoji.EMOJI_DATA.items() if data["status"] == emoji.STATUS["fully_qualified"]]
    assert 3_900 < len(qualified)
    for each in qualified:
        assert (each, each) == (enforce_name(each), enforce_line(each))


@given(st.text(st.characters(categories=("L", "M", "N", "P", "S", "Z")) | st.sampled_from("\u200d\ufe0f1\u20e3\u0e33")))
def test_a_normal_form_is_its_own(text: str) -> None:
    for enforce, form in ((enforce_name, "NFKC"), (enforce_line, "NFC")):
        try:
            enforced = enforce(text)
        except ValueError:
            continue
        assert enforced == enforce(enforced)
        assert form == "NFKC" or unicodedata.is_normalized("NFC", enforced)


def test_ascii_texts_import_no_tables() -> None:
    program = (
        "import sys; from service.games.people_text import *; enforce_name('Ana'); enforce_line('hi!'); skeleton('A');"
        "print(*{'emoji', 'precis_i18n'} & {*sys.modules}); enforce_name('Zo\\xeb'); print('emoji' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ["", "False"] == answer.stdout.splitlines()


# -------------------------------------------------------------------------------------------------------- handles


def test_the_skeleton_joins_exactly_the_ascii_confusables_of_unicode() -> None:
    letters = string.ascii_letters + string.digits
    similar = {
        (letter, other["c"])
        for letter in letters
        for other in confusables_data.get(letter, ())
        if {*other["c"]} <= {*letters}
    }
    assert {("m", "rn"), ("0", "O"), ("1", "l"), ("I", "l")} <= similar
    for one, other in similar:
        assert skeleton(one) == skeleton(other), (one, other)
    classes = {frozenset(letter for letter in letters if skeleton(letter) == form) for form in map(skeleton, letters)}
    assert [{*"0Oo"}, {*"1iIlL"}] == sorted((each for each in classes if len(each) > 2), key=min)


def test_case_is_mapped_as_in_usernames() -> None:
    profile = get_profile("UsernameCaseMapped")
    for handle in (string.ascii_letters, "Anna_Maria-2"):
        assert handle.lower() == profile.enforce(handle)


@pytest.mark.parametrize("words", ["Clark CIark C1ark cl-ark", "Ana ANA a_na", "mia rnia", "Illi lIll 1111", "Bob b0b"])
def test_handles_that_look_alike_are_equal(words: str) -> None:
    for one, other in combinations(words.split(), 2):
        assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize("words", ["Clark Dark", "wow vvow", "boss b0s5", "bob b08"])
def test_handles_that_unicode_tells_apart_are_different(words: str) -> None:
    one, other = words.split()
    assert skeleton(one) != skeleton(other)
