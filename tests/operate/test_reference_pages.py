"""The generated pages of docs/reference match their sources."""

from __future__ import annotations

import pytest

from service.operate.reference_pages import FOLDER, PAGES, TOPICS, make_targets
from service.settings import SETTINGS


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
