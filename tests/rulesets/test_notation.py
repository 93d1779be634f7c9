"""Notation: reading restores the written position, which matches the guide's grammars, and faults are located."""

from __future__ import annotations

import contextlib
import string
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.rulesets.kernel import generator
from service.rulesets.notation import LONGEST_LINE, UnreadableTextError, last_fault, read
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import InconsistentStateError, Json, Position, Ruleset
from tests.rulesets import grammar
from tests.rulesets.playing import errors
from tests.rulesets.test_conformance import every_game, walk

MAX_WRITTEN = 25  # legal actions per position
in_the_guide = pytest.mark.parametrize("ruleset", [RULESETS[name] for name in grammar.TITLES], ids=list(grammar.TITLES))


def codec_of(ruleset: Ruleset, text: str) -> tuple[str, Any]:
    """Return the kind of an example of the guide, and its codec."""
    notation = ruleset.wire.notation
    if text.startswith(f"{ruleset.id} "):
        return "position", notation.position
    is_draw = text.startswith(("first:", "deal:", "refill:", "fill:", "turn:"))
    return ("draw", notation.draw) if is_draw else ("action", notation.action)


AZUL_TEXTS = [
    ("3b4", {"type": "azul.draft", "source": "factory_3", "colour": "blue", "line": 4}),
    ("cwf", {"type": "azul.draft", "source": "centre", "colour": "white", "line": "floor"}),
    ("2@3", {"type": "azul.tile", "line": 2, "column": 3}),
]
PAVILION_TEXTS = [
    ("8y", {"type": "summer-pavilion.acquire", "source": "factory_8", "colour": "yellow"}),
    ("r@b3", {"type": "summer-pavilion.place", "star": "blue", "slot": 3, "colour": "red", "wilds": 0}),
    ("b@c6+2", {"type": "summer-pavilion.place", "star": "centre", "slot": 6, "colour": "blue", "wilds": 2}),
    ("bonus:g", {"type": "summer-pavilion.take_bonus", "colour": "green"}),
    ("pass", {"type": "summer-pavilion.pass", "keep": {}}),
    ("pass:b2r", {"type": "summer-pavilion.pass", "keep": {"blue": 2, "red": 1}}),
]


def hexagon(colour: str, pattern: str) -> Json:
    return {"colour": colour, "pattern": pattern}


GARDEN_TEXTS = [
    (
        "b:tb1,2b3,1[b5]",
        {
            "type": "queens-garden.acquire",
            "by": "colour",
            "value": "blue",
            "pieces": [
                {"kind": "tile", "from": "top", "hexagon": hexagon("blue", "tree")},
                {"kind": "tile", "from": "beside_2", "hexagon": hexagon("blue", "butterfly")},
                {"kind": "expansion", "from": "beside_1", "hexagon": hexagon("blue", "plant")},
            ],
        },
    ),
    (
        "b3@2,0=b1*1",
        {
            "type": "queens-garden.place_tile",
            "hexagon": hexagon("blue", "butterfly"),
            "space": [2, 0],
            "payment": {"tiles": [hexagon("blue", "tree")], "expansions": [], "jokers": 1},
        },
    ),
    (
        "[d3]@a2r4=d1[d5]",
        {
            "type": "queens-garden.place_expansion",
            "hexagon": hexagon("dark_green", "butterfly"),
            "area": 2,
            "rotation": 4,
            "payment": {
                "tiles": [hexagon("dark_green", "tree")],
                "expansions": [hexagon("dark_green", "plant")],
                "jokers": 0,
            },
        },
    ),
    ("buy:a5", {"type": "queens-garden.buy_expansion", "area": 5}),
    (
        "pass:d4[y6]",
        {
            "type": "queens-garden.pass",
            "discard": {"tiles": [hexagon("dark_green", "flower")], "expansions": [hexagon("yellow", "bellflower")]},
        },
    ),
]
TEXTS = [
    pytest.param(RULESETS[name], text, named, id=text)
    for name, table in (("azul", AZUL_TEXTS), ("summer-pavilion", PAVILION_TEXTS), ("queens-garden", GARDEN_TEXTS))
    for text, named in table
]


@pytest.mark.parametrize(("ruleset", "text", "named"), TEXTS)
def test_an_action_is_written_and_read_in_short_notation(ruleset: Ruleset, text: str, named: Json) -> None:
    action = ruleset.wire.encode(named)
    assert (text, action) == (ruleset.wire.notation.action.write(named), ruleset.action_of(text))
    assert named == read(ruleset.wire.notation.action, text)


@in_the_guide
def test_the_examples_in_the_guide_match_its_grammar_and_can_be_read(ruleset: Ruleset) -> None:
    kinds = set()
    for text in grammar.examples(ruleset.id):
        kind, codec = codec_of(ruleset, text)
        assert grammar.expression(ruleset.id, kind).fullmatch(text), text
        value = read(codec, text)
        assert text == codec.write(value)
        if kind == "position":
            assert text == ruleset.read_notation(text).notation
        kinds |= {kind, value.get("type", "")}
    of_all = {"action", "draw", "position", *ruleset.wire.action_schemas}
    assert of_all <= kinds


@every_game
def test_every_position_action_and_draw_of_a_game_round_trips_through_notation(
    ruleset: Ruleset, variant: str, seats: int
) -> None:
    """The notation matches the guide's grammar and is different for each legal action."""
    kinds = ("action", "draw", "position") if ruleset.id in grammar.TITLES else ()
    rules = {kind: grammar.expression(ruleset.id, kind) for kind in kinds}
    for position in walk(ruleset, variant, seats, seats):
        assert position == ruleset.read_notation(position.notation)
        some = legal_of(position)
        texts = [ruleset.notation_of(action) for action in some]
        assert len(some) == len({*texts})
        assert some == [ruleset.action_of(text) for text in texts]
        written = [("position", position.notation), *(("action", text) for text in texts)]
        if position.status == "drawing":
            named = possible_draw(position)
            written.append(("draw", ruleset.wire.notation.draw.write(named)))
            assert named == read(ruleset.wire.notation.draw, written[-1][1])
        assert [] == [text for kind, text in written if kind in rules and not rules[kind].fullmatch(text)]


def legal_of(position: Position) -> list[int]:
    """Return some of the legal actions, including aliases."""
    legal = [*position.legal_actions(), *position.aliases()]
    return legal[:: 1 + len(legal) // MAX_WRITTEN]


def possible_draw(position: Position) -> Json:
    """Return a possible draw as JSON."""
    return dict(position.ruleset.wire.name_draw(position.table_state(), position.sample(generator(b"\7" * 32))))


# ------------------------------------------------------------------------------- invalid notation

AZUL_LINE = grammar.examples("azul")[-1]
PAVILION_LINE = grammar.examples("summer-pavilion")[-1]
GARDEN_LINE = grammar.examples("queens-garden")[-1]
FAULTS = [
    pytest.param(line.replace(good, bad, 1), line.index(good) + offset, pointer, id=f"{pointer}-{bad or 'nothing'}")
    for line, good, bad, offset, pointer in (
        (AZUL_LINE, "azul", "chess", 0, "/ruleset"),
        (AZUL_LINE, "coloured", "blue", 0, "/variant"),
        (AZUL_LINE, " draft", "", 1, "/phase"),
        (AZUL_LINE, "bykw", "bpkw", 1, "/centre"),
        (AZUL_LINE, "b9y", "b0y", 1, "/box_lid"),
        (AZUL_LINE, "r3,-,k2;", "r3,b2k,k2;", -4, "/seats/0/pattern_lines"),
        (AZUL_LINE, "by3", "by0", 2, "/seats/0/floor_line"),
        (AZUL_LINE, "by3", "xy3", 0, "/seats/0/wall/0"),
        (AZUL_LINE, "Tw", "xw", 0, "/seats/0/floor_line"),
        (AZUL_LINE, " 1;w", " ;w", 1, "/seats/1/score"),
        (PAVILION_LINE, "passed", "away", 0, "/seats/1/passed"),
        (PAVILION_LINE, "6/r5", "6/x5", 2, "/seats/1/stars/red"),
        (GARDEN_LINE, "1[d3]", "1[d7]", 3, "/display/beside/1/face/pattern"),
        (GARDEN_LINE, "3d....;", "3x....;", 1, "/seats/0/areas/1"),
        (GARDEN_LINE, "b1b3....", "b1b3.....", 0, "/seats/0/garden"),
    )
]


@pytest.mark.parametrize(("line", "at", "pointer"), FAULTS)
def test_invalid_notation_is_reported_with_its_offset_and_pointer(line: str, at: int, pointer: str) -> None:
    ruleset = next(ruleset for ruleset in RULESETS.values() if line.partition(" ")[0] in (ruleset.id, "chess"))
    with pytest.raises(UnreadableTextError) as caught:
        ruleset.read_notation(line)
    assert (at, pointer) == (caught.value.at, caught.value.pointer)
    assert caught.value.expected


ALTERNATIVES = [
    pytest.param(RULESETS[name], kind, text, at, expected, id=f"{name}-{text}")
    for name, kind, text, at, expected in (
        ("azul", "action", "zz", 0, "one of: 0 1 2 3 4 5 6 7 8 c"),
        ("azul", "action", "0q1", 1, "one of: b y r k w @"),
        ("azul", "action", "3b9", 2, "one of: 0 1 2 3 4 f"),
        ("azul", "draw", "deax:bb", 0, "one of: first: deal:"),
        ("summer-pavilion", "action", "Q", 0, "one of: 0 1 2 3 4 5 6 7 8 c p g o y b r bonus: pass"),
        ("summer-pavilion", "action", "pass!", 4, "the end"),
        ("summer-pavilion", "draw", "refil:p", 0, "one of: first: deal: refill:"),
        ("queens-garden", "action", "zz", 0, "one of: b d l y p k 1 2 3 4 5 6 [ buy:a pass"),
        ("queens-garden", "draw", "fil:b1", 0, "one of: first: fill: turn:"),
    )
]


@pytest.mark.parametrize(("ruleset", "kind", "text", "at", "expected"), ALTERNATIVES)
def test_an_error_lists_everything_that_is_expected_at_its_place(
    ruleset: Ruleset, kind: str, text: str, at: int, expected: str
) -> None:
    with pytest.raises(UnreadableTextError) as caught:
        read(getattr(ruleset.wire.notation, kind), text)
    assert (at, expected) == (caught.value.at, caught.value.expected)


def test_faults_at_the_same_place_are_joined_without_repetition() -> None:
    """An earlier fault is ignored. Different pointers become that of the whole value."""
    faults = [
        UnreadableTextError("", 3, "/a", literals=["x", "y"]),
        UnreadableTextError("a number", 3, "/b"),
        UnreadableTextError("a space", 1, "/c"),
        UnreadableTextError("a number", 3, "/b", literals=["y", "z"]),
        UnreadableTextError("the end", 3, "/b"),
    ]
    fault = last_fault(faults)
    assert ("one of: x y z, or a number, or the end", 3, "") == (fault.expected, fault.at, fault.pointer)
    assert "/b" == last_fault(faults[1:]).pointer


BESIDE = "/display/beside/0/tiles"
NOT_IN_THE_GRAMMAR = [
    pytest.param(RULESETS[name], kind, text, at, pointer, id=f"{name}-{text[at - 5 : at + 1]}")
    for name, kind, text, at, pointer in (
        ("azul", "position", f"{AZUL_LINE.partition(' 12;')[0]} -", AZUL_LINE.index(" 12;") + 1, "/seats/0/score"),
        ("azul", "position", AZUL_LINE.replace("by3/2y2/5/r3y/5", "-"), AZUL_LINE.index("by3/"), "/seats/0/wall/0"),
        ("azul", "position", AZUL_LINE.replace(";Tw", ";T/w"), AZUL_LINE.index("Tw") + 1, ""),
        ("summer-pavilion", "action", "r@b3+0", 5, "/wilds"),
        ("summer-pavilion", "draw", "refill:-", 7, "/tiles"),
        ("summer-pavilion", "draw", "deal:g/y", 6, ""),
        ("queens-garden", "action", "b:-", 2, "/pieces/0/from"),
        ("queens-garden", "action", "b3@2,0=[-]*2", 8, "/payment/expansions"),
        ("queens-garden", "action", "pass:[-]", 6, "/discard/expansions"),
        ("queens-garden", "draw", "fill:-", 5, "/tiles"),
        ("queens-garden", "draw", "turn:-", 5, "/faces"),
        ("queens-garden", "position", GARDEN_LINE.replace("0:b1d2/", "0:-/"), GARDEN_LINE.index("b1d2/"), BESIDE),
    )
]


@pytest.mark.parametrize(("ruleset", "kind", "text", "at", "pointer"), NOT_IN_THE_GRAMMAR)
def test_an_empty_list_or_a_sign_that_the_grammar_lacks_is_refused_at_its_place(
    ruleset: Ruleset, kind: str, text: str, at: int, pointer: str
) -> None:
    assert not grammar.expression(ruleset.id, kind).fullmatch(text)
    with pytest.raises(UnreadableTextError) as caught:
        read(getattr(ruleset.wire.notation, kind), text)
    assert (at, pointer) == (caught.value.at, caught.value.pointer)


@in_the_guide
def test_notation_with_trailing_text_or_excessive_length_is_refused(ruleset: Ruleset) -> None:
    line, action = grammar.examples(ruleset.id)[-1], grammar.examples(ruleset.id)[0]
    for read_text, text in ((ruleset.read_notation, line), (ruleset.action_of, action)):
        for longer, at in ((f"{text}!", len(text)), (f"{text}{' ' * LONGEST_LINE}", LONGEST_LINE)):
            with pytest.raises(UnreadableTextError) as caught:
                read_text(longer)
            assert at == caught.value.at
    with pytest.raises(UnreadableTextError):
        ruleset.action_of("")


@in_the_guide
def test_an_impossible_position_has_the_same_errors_in_notation_and_in_json(ruleset: Ruleset) -> None:
    line = grammar.examples(ruleset.id)[-1]
    seats = line.index(";") if ruleset.id != "queens-garden" else line.index(" 23;") + 3
    spoilt = f"{line[:seats]}9999{line[seats:]}"
    of_text = errors(ruleset.read_notation, spoilt)
    assert of_text == errors(ruleset.read, read(ruleset.wire.notation.position, spoilt))
    assert ["/seats/0/score"] == [*of_text]


SIGNS = st.text(alphabet=string.ascii_letters + string.digits + " -;:,/@+*=[].Tü\n\0", max_size=4)


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_damaged_notation_is_refused_or_matches_the_grammar(data: st.DataObject) -> None:
    """No exceptions other than the documented ones are raised, and what can be read matches the guide's grammar."""
    ruleset = RULESETS[data.draw(st.sampled_from([*grammar.TITLES]))]
    text = data.draw(st.sampled_from(grammar.examples(ruleset.id)))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(SIGNS) + text[at + data.draw(st.integers(0, 3)) :]
    for read_text in (ruleset.read_notation, ruleset.action_of):
        with contextlib.suppress(UnreadableTextError, InconsistentStateError):
            read_text(text)
    with contextlib.suppress(UnreadableTextError, InconsistentStateError):
        ruleset.wire.read_draw(read(ruleset.wire.notation.draw, text))
    for kind in ("action", "draw", "position"):
        with contextlib.suppress(UnreadableTextError):
            read(getattr(ruleset.wire.notation, kind), text)
            assert grammar.expression(ruleset.id, kind).fullmatch(text), text
