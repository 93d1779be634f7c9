"""Pages for players in every language: rules, with pictures and examples that match the rules code, and conduct."""

from __future__ import annotations

import gzip
import re
from html import unescape
from urllib.parse import urljoin
from xml.etree import ElementTree as ET

import pytest

from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Json
from service.rulesets.texts import LANGUAGES
from service.usecases.views import player_pages
from service.web.docs.documentation import MARKDOWN
from tests.rulesets.offers import WITH_RULES
from tests.rulesets.tiny import TINY
from tests.web.client import Client, refusal_of
from tests.web.limited_service import Serve

EVERY = [(ruleset_id, language) for ruleset_id in WITH_RULES for language in LANGUAGES]
IMAGE = re.compile(r'<img src="([^"]+)" alt="([^"]+)" width="(\d+)" height="(\d+)"')
SVG = "{http://www.w3.org/2000/svg}svg"

LAST_TILE = (  # positions before the figures that show an end
    "azul coloured 5 draft 0 1 1 0 - - -/-/-/-/- y b6y8r8k7w8 b6y7r8k7w7 "
    "31;-,y,-,k2,-;b1r2/wb1rk/2b2/2wb1/2k1b;- 28;-,r,k,-,-;1yr1w/1by2/1wb2/3b1/y1kw1;T"
)
LAST_PASS = (
    "summer-pavilion coloured 6 play 0 1 1 0 p2g2o2y2br -/-/-/-/- - p7g7o9y8b7r7 p7g7o8y7b6r7 "
    "50;-;g;-;0;o5/rr1r2/bbbbbb/yy4/g1g3/p1p3/r1by2 47;passed;-;-;0;oo4/rrr3/b5/1y4/gg2g1/ppp3/1yp3"
)
LAST_ROUND = (
    "queens-garden standard 4 play 0 0 1 0;5;-;- 33 b123456d123456l123456y123456p12356k123456 "
    "b11223344555666d1112233344555666l1112233344555666y112233445566p1112233344555666k111223344555666 d2l4p24k24 "
    "40;-;2;d4;-;0;0.....;y1y4y2y6y3y5/p4....../-/-/-/-/- 36;passed;1;-;-;0;dd....;b1b3k3.../b4b2...../......l2/-/-/-/-"
)

# ruleset, figure, position before it if it shows the outcome, action, effects on the first seat, score, words
EXAMPLES = [
    ("azul", 2, None, "ck4", [("tiles_placed", {"line": 4, "count": 2})], 0, ["5 of 5", "5 von 5"]),
    (
        *("azul", 3, None, "cb2"),
        [("tile_placed", {"points": 5}), ("floor_penalty", {"points": -2})],
        12,
        ["5 points", "2 points", "12 points", "5 Punkte", "2 Punkte", "12 Punkte"],
    ),
    (
        *("azul", 4, LAST_TILE, "cy1"),
        [("tile_placed", {"points": 10}), ("end_bonus", {"rows": 1, "columns": 1, "colours": 1, "points": 19})],
        60,
        ["10 points", "19 points", "60 points", "10 Punkte", "19 Punkte", "60 Punkte"],
    ),
    ("azul", 5, None, "1@3", [("tile_placed", {"points": 4})], 17, ["4 points", "4 Punkte"]),
    ("azul", 5, None, "1@0", [("tile_placed", {"points": 1})], 14, ["1 point", "1 Punkt"]),
    ("summer-pavilion", 1, None, "0b", [("tiles_acquired", {"count": 2, "wilds": 1})], 5, ["2 tiles", "2 Fliesen"]),
    (
        *("summer-pavilion", 2, None, "cy"),
        [("tiles_acquired", {"count": 4, "wilds": 1}), ("start_token_taken", {"points": -4})],
        1,
        ["4 tiles", "4 points", "4 Fliesen", "4 Punkte"],
    ),
    (
        *("summer-pavilion", 3, None, "b@b6+3"),
        [("tile_placed", {"points": 3}), ("feature_surrounded", {"feature": "window_blue", "tiles": 3})],
        12,
        ["3 points", "12 points", "3 tiles", "3 Punkte", "12 Punkte", "3 Fliesen"],
    ),
    (
        *("summer-pavilion", 4, LAST_PASS, "pass:g"),
        [("end_bonus", {"points": 15 + 4}), ("leftover_penalty", {"points": -1})],
        68,
        ["15 points", "4 points", "68 points", "15 Punkte", "4 Punkte", "68 Punkte"],
    ),
    ("queens-garden", 1, None, "k:tk2,tk4", [("pieces_acquired", {})], 15, ["2 tiles", "2 Fliesen"]),
    (
        *("queens-garden", 2, None, "b3@1,-1=b2*1"),
        [("element_completed", {"kind": "fountain", "jokers": 1})],
        15,
        ["1 joker", "1 Joker"],
    ),
    (
        *("queens-garden", 3, None, "pass"),
        [("round_scored", {"points": 7})],
        22,
        ["7 points", "22 points", "7 Punkte", "22 Punkte"],
    ),
    (
        *("queens-garden", 4, LAST_ROUND, "pass"),
        [
            ("round_scored", {"points": 7, "pavilions": 1}),
            ("storage_counted", {"points": -2}),
            ("groups_scored", {"points": 27}),
        ],
        72,
        ["−2 points", "27 points", "72 points", "−2 Punkte", "27 Punkte", "72 Punkte"],
    ),
]


def html_of(anyone: Client, path: str) -> str:
    answer = anyone.flask.get(path)
    assert (200, "text/html") == (answer.status_code, answer.mimetype)
    return unescape(answer.get_data(as_text=True))


def page_text(ruleset_id: str, language: str) -> str:
    """Return all words of a page, without the positions of its figures."""
    parts = player_pages.page(player_pages.RULES, ruleset_id, language).parts
    return "\n".join(part if isinstance(part, str) else part.caption for part in parts)


@pytest.mark.parametrize(("ruleset_id", "language"), EVERY)
def test_a_page_shows_its_text_and_pictures_of_its_positions(anyone: Client, ruleset_id: str, language: str) -> None:
    path = f"/docs/rules/{ruleset_id}/{language}"
    html, shown = html_of(anyone, path), player_pages.page(player_pages.RULES, ruleset_id, language)
    assert f'<html lang="{language}">' in html
    assert re.search(rf'<h1 id="[a-z-]+">{shown.title}</h1>', html)
    images = IMAGE.findall(html)
    assert [figure.caption for figure in shown.figures.values()] == [caption for _, caption, *_ in images]
    assert len(images) >= 4
    for source, caption, width, height in images:
        answer = anyone.flask.get(urljoin(path, source))
        assert (200, "image/svg+xml") == (answer.status_code, answer.mimetype)
        assert "default-src 'none'; style-src 'unsafe-inline'" == answer.headers["Content-Security-Policy"]
        root = ET.fromstring(answer.data)  # noqa: S314 - our own
        _, _, *size = map(float, root.attrib["viewBox"].split())
        assert (SVG, [int(width), int(height)]) == (root.tag, [round(length) for length in size])
        assert caption == root.findtext("{*}desc")


@pytest.mark.parametrize("ruleset_id", WITH_RULES)
def test_pages_have_the_same_structure_in_every_language(ruleset_id: str) -> None:
    pages = [player_pages.page(player_pages.RULES, ruleset_id, language) for language in LANGUAGES]
    positions = [[figure.notation for figure in page.figures.values()] for page in pages]
    forms = [[token.type for token in MARKDOWN.parse(page_text(ruleset_id, language))] for language in LANGUAGES]
    assert all(each == positions[0] for each in positions)
    assert all(each == forms[0] for each in forms)
    assert 1 == len({len(page.headings) for page in pages})


@pytest.mark.parametrize("ruleset_id", WITH_RULES)
def test_a_page_covers_every_variant_and_number_of_seats(ruleset_id: str) -> None:
    text = page_text(ruleset_id, "en")
    assert [] == [word for word in ("two people", "three", "four") if word not in text]
    assert [] == [side for side in RULESETS[ruleset_id].variants[1:] if f"## The {side} side" not in text]


@pytest.mark.parametrize(("ruleset", "language"), EVERY)
def test_a_page_mentions_no_other_game(ruleset: str, language: str) -> None:
    titles = player_pages.titles(player_pages.RULES, language)
    names = {name: title.removeprefix("Azul: ") for name, title in titles.items() if ":" in title}
    assert len(names) == len(WITH_RULES) - 1
    assert [] == [name for other, name in names.items() if other != ruleset and name in page_text(ruleset, language)]


@pytest.mark.parametrize(("ruleset_id", "number", "before", "action", "effects", "score", "words"), EXAMPLES)
def test_examples_match_the_rules(
    ruleset_id: str,
    number: int,
    before: str | None,
    action: str,
    effects: list[tuple[str, Json]],
    score: int,
    words: list[str],
) -> None:
    ruleset = RULESETS[ruleset_id]
    figure = player_pages.page(player_pages.RULES, ruleset_id, LANGUAGES[0]).figures[number]
    position = ruleset.read_notation(before or figure.notation)
    actual_effects, after = position.step(ruleset.action_of(action))
    own = [effect for effect in actual_effects if effect.get("seat") == 0]
    for kind, fields in effects:
        matching = [effect for effect in own if effect["type"] == f"{ruleset_id}.{kind}"]
        assert [fields] == [{name: effect[name] for name in fields} for effect in matching]
    assert score == after.scores[0]
    assert before is None or after.notation == figure.notation
    texts = "".join(page_text(ruleset_id, language) for language in LANGUAGES)
    assert [] == [word for word in words if f"**{word}**" not in texts]


@pytest.mark.parametrize(
    "path",
    [
        "x",
        "azul/fr",
        "azul/en/0.svg",
        "azul/en/99.svg",
        "azul/fr/1.svg",
        "azul/en/x.svg",
        "x/en/1.svg",
        "tiny",
        "tiny/de",
    ],
)
def test_a_missing_page_or_picture_is_a_problem(anyone: Client, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setitem(RULESETS, TINY.id, TINY)  # it has no text
    answer = anyone.get(f"/docs/rules/{path}")
    assert (404, "request/not_found") == (answer.status_code, (answer.json or {})["code"])


CONDUCT = [(name, language) for name in player_pages.CONDUCT_PAGES for language in LANGUAGES]
CONTACT = "mailto:appeals@games.example"


@pytest.mark.parametrize(("name", "language"), CONDUCT)
def test_guidance_is_served_with_links_that_work(anyone: Client, name: str, language: str) -> None:
    path = f"/docs/conduct/{name}/{language}"
    html, shown = html_of(anyone, path), player_pages.page(player_pages.CONDUCT, name, language)
    assert f'<html lang="{language}">' in html
    assert re.search(rf'<h1 id="[a-z-]+">{shown.title}</h1>', html)
    ids = re.findall(r' id="([^"]+)"', html)
    assert len({*ids}) == len(ids)
    assert "{" not in html
    links = {urljoin(path, link) for link in re.findall(r'href="([^"]+)"', html)}
    other = next(each for each in LANGUAGES if each != language)
    assert {*(f"/docs/conduct/{each}/{language}" for each in player_pages.CONDUCT_PAGES), "/play"} <= links
    assert f"/docs/conduct/{name}/{other}" in links
    for link in links:
        target, _, fragment = link.partition("#")
        assert (link, 200) == (link, anyone.flask.get(target, follow_redirects=True).status_code)
        assert not fragment or fragment in ids


@pytest.mark.parametrize("name", player_pages.CONDUCT_PAGES)
def test_guidance_has_the_same_structure_in_every_language(name: str) -> None:
    texts = [player_pages.page(player_pages.CONDUCT, name, language).parts[0] for language in LANGUAGES]
    blocks = [[token.type for token in MARKDOWN.parse(str(text)) if token.type != "inline"] for text in texts]
    assert all(each == blocks[0] for each in blocks)


def test_guidance_shows_the_contact_for_appeals_or_says_that_there_is_none(anyone: Client, serve: Serve) -> None:
    path = "/docs/conduct/players/en"
    with_contact = html_of(serve(CONTACT=CONTACT), path)
    assert f'<a href="{CONTACT}">{CONTACT.removeprefix("mailto:")}</a>' in with_contact
    without = html_of(anyone, path)
    assert "no contact address" in without
    assert "mailto:" not in without


def test_missing_guidance_is_a_problem(anyone: Client) -> None:
    for path in ("x", "x/en", "players/fr", "azul/en"):
        assert (404, "request/not_found") == refusal_of(anyone.get(f"/docs/conduct/{path}"))


def test_pictures_are_compressed_and_not_sent_twice(anyone: Client) -> None:
    path = "/docs/rules/azul/de/1.svg"
    small = anyone.flask.get(path, headers={"Accept-Encoding": "gzip"})
    assert player_pages.page(player_pages.RULES, "azul", "de").figures[1].svg == gzip.decompress(small.data)
    again = anyone.flask.get(path, headers={"If-None-Match": small.headers["ETag"]})
    assert (304, b"") == (again.status_code, again.data)


def test_sections_begin_with_the_first_page(anyone: Client) -> None:
    assert "/docs/rules/azul" == anyone.flask.get("/docs/rules").headers["Location"]
    assert "/docs/conduct/players" == anyone.flask.get("/docs/conduct").headers["Location"]


@pytest.mark.parametrize(
    ("accepted", "language"),
    [(None, "en"), ("de", "de"), ("de-AT,de;q=0.9,en;q=0.5", "de"), ("fr,en;q=0.5,de;q=0.2", "en"), ("fr", "en")],
)
def test_a_page_without_a_language_uses_the_language_of_the_browser(
    anyone: Client, accepted: str | None, language: str
) -> None:
    path = "/docs/rules/azul"
    answer = anyone.flask.get(path, headers={"Accept-Language": accepted} if accepted else {})
    assert (200, language) == (answer.status_code, answer.headers["Content-Language"])
    assert ["Accept-Encoding", "Accept-Language"] == sorted(answer.headers.getlist("Vary"))
    html = answer.get_data(as_text=True)
    assert f'<html lang="{language}">' in html
    images = [urljoin(path, source) for source, *_ in IMAGE.findall(html)]
    assert all(image.startswith(f"/docs/rules/azul/{language}/") for image in images)
    links = {urljoin(path, link) for link in re.findall(r'href="([^"]+)"', html)}
    other = next(each for each in LANGUAGES if each != language)
    assert {"/docs/rules/summer-pavilion", f"/docs/rules/azul/{other}", "/play"} <= links


def test_a_cached_page_is_sent_again_only_in_another_language(anyone: Client) -> None:
    path = "/docs/rules/azul"
    tag = anyone.flask.get(path, headers={"Accept-Language": "de"}).headers["ETag"]
    again = {
        language: anyone.flask.get(path, headers={"Accept-Language": language, "If-None-Match": tag})
        for language in LANGUAGES
    }
    assert {"en": 200, "de": 304} == {language: answer.status_code for language, answer in again.items()}
    assert all("Accept-Language" in answer.headers.getlist("Vary") for answer in again.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_with_a_language_ignores_the_browser(anyone: Client, language: str) -> None:
    answer = anyone.flask.get(f"/docs/rules/azul/{language}", headers={"Accept-Language": "en, de"})
    assert f'<html lang="{language}">' in answer.get_data(as_text=True)
    assert ["Accept-Encoding"] == answer.headers.getlist("Vary")


def test_a_page_links_to_its_sections_the_other_games_the_other_language_and_the_table(anyone: Client) -> None:
    html = html_of(anyone, "/docs/rules/azul/de")
    actual = re.findall(r'href="([^"]+)"', html.partition("<main>")[0])
    root = "../../../"
    others = [f"{root}docs/rules/{path}" for path in ("summer-pavilion/de", "queens-garden/de", "azul/en")]
    assert [] == [link for link in [*others, f"{root}play", "#was-zu-boden-fallt"] if link not in actual]
    assert 'id="was-zu-boden-fallt"' in html
