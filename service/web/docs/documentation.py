"""The pages of docs/ as HTML, with tabs for code in several languages.

The list of sections and pages in docs/README.md is the navigation. Consecutive code blocks in different languages of
`TABS` become one block with tabs, without a script. Tests run the code.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from urllib.parse import urldefrag

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

FOLDER = Path(__file__).parents[3] / "docs"
PICTURES = FOLDER / "pictures"
CONCEPTS = "reference/concepts"
TABS = {"sh": "curl", "python": "Python", "typescript": "TypeScript"}
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
PAGE_LINK = re.compile(r"\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Page:
    """A page of the documentation. `path` is its address below /docs; `headings` are for the search."""

    path: str
    title: str
    html: Markup
    headings: tuple[str, ...]

    @property
    def root(self) -> str:
        """The relative URL from the page to the root of the service."""
        return _root(self.path)


@dataclass(frozen=True)
class Documentation:
    """All pages by path, and the sections of the navigation: title to pages, in order."""

    pages: dict[str, Page]
    sections: dict[str, tuple[Page, ...]]

    def next_page(self, path: str) -> Page | None:
        """Return the page after this one in its section."""
        for pages in self.sections.values():
            for page, following in pairwise(pages):
                if page.path == path:
                    return following
        return None


def documentation(concepts: str, places: Mapping[str, str]) -> Documentation:
    """Return all pages.

    `concepts`: the description of the OpenAPI document, which is a page too. `places`: the address of each operation
    and error code; code that names one becomes a link.
    """
    texts = {_path(file.relative_to(FOLDER).as_posix()): file.read_text("utf-8") for file in FOLDER.rglob("*.md")}
    index = texts.pop("")
    texts[CONCEPTS] = f"# Concepts\n\n{concepts}"
    places = {path: f"docs/{path}" for path in texts} | {"": "docs"} | dict(places)
    pages = {path: _page(path, text, places) for path, text in texts.items()}
    sections = {}
    for part in index.split("\n## ")[1:]:
        title, _, links = part.partition("\n")
        sections[title] = tuple(pages[_path(link)] for link in PAGE_LINK.findall(links) if _path(link) in pages)
    return Documentation(pages, sections)


def html_of(text: str) -> Markup:
    """Return a text of blocks as HTML."""
    return _html(MARKDOWN.parse(text))


def anchor(heading: str) -> str:
    """Return the id of a heading, for links."""
    plain = unicodedata.normalize("NFKD", heading.lower()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def inline(text: str) -> Markup:
    """Return a text within a line or a paragraph as HTML."""
    return Markup(MARKDOWN.renderInline(text))  # noqa: S704 - HTML is disabled


def _path(file: str) -> str:
    """Return the path of the page of a file: `guides/seats.md` is guides/seats, `decisions/README.md` is decisions."""
    return file.removesuffix(".md").removesuffix("README").removesuffix("/")


def _root(path: str) -> str:
    return "../" * (path.count("/") + 1)


def _page(path: str, text: str, places: Mapping[str, str]) -> Page:
    tokens = MARKDOWN.parse(re.sub(r"^<!--.*?-->\n", "", text, flags=re.MULTILINE | re.DOTALL))
    for token in tokens:
        if token.children:
            token.children = _resolve_links(token.children, path, places)
    headings = [content.content for opening, content in pairwise(tokens) if opening.type == "heading_open"]
    return Page(path, headings[0], _html(tokens), tuple(headings))


def _resolve_links(tokens: list[Token], path: str, places: Mapping[str, str]) -> list[Token]:
    """Return a line with links to files replaced by links to pages. Links to other files are removed."""
    folder = posixpath.dirname(path if (FOLDER / f"{path}.md").is_file() else f"{path}/README")
    resolved, is_page = list[Token](), True
    for token in tokens:
        before = resolved[-1].type if resolved else ""
        if token.type == "link_open":
            href, fragment = urldefrag(str(token.attrGet("href")))
            if href.startswith("/"):  # in the description of the document
                token.attrSet("href", _root(path) + href[1:] + (f"#{fragment}" if fragment else ""))
            elif href and ":" not in href:
                target = _path(posixpath.normpath(posixpath.join(folder, href))).removeprefix(".")
                is_page = target in places
                token.attrSet("href", _root(path) + places.get(target, "") + (f"#{fragment}" if fragment else ""))
        elif token.type == "code_inline" and token.content in places and before != "link_open":
            href = _root(path) + places[token.content]
            resolved += [Token("link_open", "a", 1, {"href": href}), token, Token("link_close", "a", -1)]
            continue
        if is_page or token.type not in {"link_open", "link_close"}:
            resolved.append(token)
        is_page = is_page or token.type == "link_close"
    return resolved


def _html(tokens: list[Token]) -> Markup:
    for heading, content in pairwise(tokens):
        if heading.type == "heading_open":
            heading.attrSet("id", anchor(content.content))
    parts = [list(run) for _, run in groupby(tokens, lambda token: token.type == "fence")]
    return Markup("").join(_tabs(part, number) or _plain(part) for number, part in enumerate(parts))


def _plain(tokens: list[Token]) -> Markup:
    return Markup(MARKDOWN.renderer.render(tokens, MARKDOWN.options, {}))  # noqa: S704 - HTML is disabled


def _tabs(blocks: list[Token], number: int) -> Markup | None:
    """Return the blocks as tabs, or None unless each is in a different language of `TABS`."""
    languages = [block.info for block in blocks]
    if len(blocks) < 2 or len({*languages}) < len(blocks) or not TABS.keys() >= {*languages}:
        return None
    radios = "".join(
        f'<label><input type="radio" name="tabs-{number}" value="{TABS[language].lower()}"'
        f"{' checked' if language == languages[0] else ''}><span>{TABS[language]}</span></label>"
        for language in languages
    )
    codes = "".join(
        f'<pre class="{TABS[block.info].lower()}" tabindex="0" aria-label="{TABS[block.info]}">'
        f"<code>{escape(block.content)}</code></pre>"
        for block in blocks
    )
    return Markup(f'<fieldset class="tabs" aria-label="Language">{radios}{codes}</fieldset>')  # noqa: S704 - escaped
