"""`board.txt`: the table as text at any revision."""

from __future__ import annotations

import pytest

from service.rulesets.registry import RULESETS
from tests.rulesets.offers import WITH_TEXT_PICTURE
from tests.web.client import refusal_of
from tests.web.table import EVERY_VARIANT, NewTable, Table


def board(table: Table, query: str = "") -> str:
    """Return the text, requested by the host."""
    answer = table.host.get(f"{table.path}/board.txt{query}")
    assert (200, "text/plain; charset=utf-8") == (answer.status_code, answer.content_type), answer.data
    return answer.text


@pytest.mark.parametrize(("ruleset", "variant"), [side for side in EVERY_VARIANT if side[0] in WITH_TEXT_PICTURE])
def test_the_text_is_the_position_as_str(new_game: NewTable, ruleset: str, variant: str) -> None:
    table = new_game(ruleset=ruleset, variant=variant)
    table.act()
    assert f"{RULESETS[ruleset].read(table.view()['position'])}\n" == board(table)


def test_the_etag_of_a_text_is_its_revision_and_it_is_not_sent_twice(table: Table) -> None:
    tag = table.host.get(f"{table.path}/board.txt").headers["ETag"]
    assert f'"{table.view()["revision"]}"' == tag
    again = table.host.get(f"{table.path}/board.txt", If_None_Match=tag)
    assert (304, b"", tag) == (again.status_code, again.data, again.headers["ETag"])
    table.act()
    assert 200 == table.host.get(f"{table.path}/board.txt", If_None_Match=tag).status_code


def test_older_revisions_have_their_own_text(table: Table) -> None:
    revision, before = table.view()["revision"], board(table)
    table.act()
    assert before == board(table, f"?revision={revision}") != board(table)
    assert "chance decides" in board(table, "?revision=1")
    for wrong in (0, table.view()["revision"] + 1):
        answer = table.host.get(f"{table.path}/board.txt?revision={wrong}")
        assert (404, "game/revision_not_found") == refusal_of(answer)
