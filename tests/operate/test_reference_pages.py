"""The generated pages of docs/reference match their sources."""

from __future__ import annotations

import pytest

from openapi.build import document
from service.operate.reference_pages import FOLDER, KNOWN, PAGES, TOPICS, growing_sets, make_targets
from service.settings import SETTINGS
from service.web.docs.components import objects


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_up_to_date(name: str) -> None:
    assert PAGES[name]() == (FOLDER / name).read_text("utf-8"), "run `make docs`"


def test_every_setting_belongs_to_one_topic() -> None:
    assert sorted(setting.name for setting in SETTINGS) == sorted(name for names in TOPICS.values() for name in names)


def test_make_targets_are_grouped_by_heading() -> None:
    makefile = (
        "##@ Run\nserve: .venv ## start it\nhidden: serve\n##@ Clients\nclient-a client-b: client-%: x ## make one\n"
    )
    expected = {"Run": [("serve", "start it")], "Clients": [("client-a", "make one"), ("client-b", "make one")]}
    assert expected == make_targets(makefile)


def test_every_growing_set_of_the_document_is_listed() -> None:
    listed = [*growing_sets(document()["components"]["schemas"])]
    assert sum(KNOWN in node for node in objects(document())) == len(listed)
    sets = dict(listed)
    assert ["win", "draw", "double_forfeit"] == sets["AdjudicatedResult"]
    assert ["active", "away", "resigned", "timed_out", "failed"] == sets["Seat.status"]
    assert "start_token" in sets["AzulBoard.floor_line"]
