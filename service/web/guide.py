"""The guide: Markdown of service/guide as HTML, the same code in several languages behind tabs.

Code blocks that follow one another, each of another of `TABS`' languages, become one block with tabs, which need no
script. Tests run the code.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

PAGES = Path(__file__).parents[1] / "guide"
ORDER = (
    *("first-game", "seats", "players", "strangers", "competitions", "ratings", "following", "bots"),
    *("notation", "fair-draws", "errors"),
)
TABS = {"sh": "curl", "python": "Python", "typescript": "TypeScript"}
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True)
class Page:
    """One page of the guide."""

    name: str
    title: str
    html: Markup


def html_of(text: str) -> Markup:
    """A text of blocks."""
    tokens = MARKDOWN.parse(text)
    for heading, content in pairwise(tokens):
        if heading.type == "heading_open":
            heading.attrSet("id", anchor(content.content))
    parts = [list(run) for _, run in groupby(tokens, lambda token: token.type == "fence")]
    return Markup("").join(_tabs(part, number) or _plain(part) for number, part in enumerate(parts))


def anchor(heading: str) -> str:
    """The id of a heading, by which links lead there."""
    plain = unicodedata.normalize("NFKD", heading.lower()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def inline(text: str) -> Markup:
    """A text within a line or a paragraph."""
    return Markup(MARKDOWN.renderInline(text))  # noqa: S704 - it lets no HTML through


def _plain(tokens: list[Token]) -> Markup:
    return Markup(MARKDOWN.renderer.render(tokens, MARKDOWN.options, {}))  # noqa: S704 - it lets no HTML through


def _tabs(blocks: list[Token], number: int) -> Markup | None:
    """The blocks behind tabs; None where they are not the same in several languages."""
    languages = [block.info for block in blocks]
    if len(blocks) < 2 or len({*languages}) < len(blocks) or not TABS.keys() >= {*languages}:
        return None
    radios = "".join(
        f'<input type="radio" name="tabs-{number}" id="tab-{number}-{language}" value="{TABS[language].lower()}"'
        f"{' checked' if language == languages[0] else ''}>"
        f'<label for="tab-{number}-{language}">{TABS[language]}</label>'
        for language in languages
    )
    codes = "".join(
        f'<pre class="{TABS[block.info].lower()}" tabindex="0" aria-label="{TABS[block.info]}">'
        f"<code>{escape(block.content)}</code></pre>"
        for block in blocks
    )
    return Markup(f'<fieldset class="tabs" aria-label="Language">{radios}{codes}</fieldset>')  # noqa: S704 - escaped


@cache
def pages(concepts: str) -> dict[str, Page]:
    """All pages in order, by name, the last of them the document's own description: `concepts`."""
    texts = {name: PAGES.joinpath(f"{name}.md").read_text("utf-8") for name in ORDER}
    texts["concepts"] = f"# Concepts\n\n{concepts}"
    return {name: Page(name, text.partition("\n")[0].removeprefix("# "), html_of(text)) for name, text in texts.items()}
