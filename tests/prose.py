"""Check the English of pages, the OpenAPI document, texts of the games and the table, docstrings and comments.

    python -m tests.prose

Prints each place that uses a construction of `PATTERNS`, and each sentence of a page that is too long; exits 1 if there
is any, or if the sentences of all pages are too long on average.
"""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[1]
MAX_WORDS, MAX_MEAN_WORDS = 30, 16
SUBJECT = r"(?:^|[.;:,(] )"
PATTERNS = {
    r"\b[Ww]ho(?:so)?ever\b": "name the subject",
    SUBJECT + r"[Ww]ho (?!am\b|are you\b)\w+s\b(?!\?)": "name the subject: a client that, the player who",
    SUBJECT + r"[Ww]hat (?:is|was|has|comes|came|follows|became|hangs|may|must|needs|waits)\b(?![^.]*\?)": "use a noun",
    SUBJECT + r"(?:[Oo]f|[Ii]n|[Aa]t|[Bb]y|[Tt]o|[Ff]rom) (?:which|whom|what)\b": "put the noun first",
    r"\b(?:tells?|told|telling)\b": "return, report, send, notify, contain",
    r"\b(?:stands?|stood)\b(?! for\b| alone\b|-?by\b|-alone\b)": "is, is in, is stored in",
    r"\b(?:anew|meanwhile|thereof|therein|thereby|hereof|whence|thence|lest|ere)\b": "plain words",
    r"\b(?:mend|heed)(?:s|ed|ing)?\b": "fix, repair; follow, respect",
    r"\b(?:is|are|be) (?:the \w+'s )?no more\b": "was deleted, no longer exists",
    r"\bas (?:it|they) (?:is|are|was|were)\b(?! not)": "unchanged, current",
    r"\b(?:so long|so often|so much|so many)\b(?! as)": "for N seconds, this often",
    r"\bthat one\b|\bthe one (?:that|of)\b": "repeat the noun",
    r"\bbrings?\b|\bbrought\b": "return, cause, provide, add",
    r"\b(?:hangs?|hung) on\b": "depend on",
    r"\bh(?:old|eld|olds) against\b": "compare with",
    r"\b(?:is|are|was|were) to (?:be|have|come|go|do|end|begin|decide|play|wait)\b": "must, will, should",
    r"\b(?:of none|that are none|that is none|by nobody|of nobody)\b": "null, empty, missing",
    r"\b(?:is|are) there again\b|\bis there\b[.,;]": "exists, has restarted",
}
GENERATED = ("openapi/clients/python/azul_games_client/",)
SLASHES, HASH = r"(?:(?<!:)//|^\s*\*|/\*)(.*)", r"(?:^|\s)#\s(.*)"
COMMENTS = {
    ".py": "",
    ".lua": r"--(.*)",
    **dict.fromkeys((".ts", ".tsx", ".js", ".css"), SLASHES),
    **dict.fromkeys((".toml", ".yaml", ".sh", ".conf", ".service"), HASH),
}
"""Comments by suffix of a file. Python files are parsed instead."""
MARKDOWN = MarkdownIt("commonmark").enable("table")


class Text(NamedTuple):
    """A text that users read. `line` is 0 in the document; `in_page`: a paragraph or an item of a page."""

    file: str
    line: int
    words: str
    in_page: bool = False


def texts() -> Iterator[Text]:
    """Yield all texts that git knows, or would add."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.check_output(listed, cwd=ROOT, text=True).splitlines():
        path = ROOT / name
        if not path.is_file() or name.startswith(GENERATED):
            continue
        if name in ("openapi/openapi.json", "openapi/admin.json"):
            yield from (Text(name, 0, words) for words in descriptions(json.loads(path.read_text("utf-8"))))
        elif path.suffix == ".md" and not name.endswith(".de.md"):
            yield from (Text(name, *found) for found in paragraphs(path.read_text("utf-8")))
        elif path.name == "en.ftl" or re.search(r"^frontend/src/.*/(words/en/\w+|en)\.ts$", name):
            for line, source in enumerate(path.read_text("utf-8").splitlines(), 1):
                if not source.lstrip().startswith(("#", "//", "*", "/*")):
                    found = (
                        [source.partition("= ")[2]] if path.suffix == ".ftl" else re.findall(r'["`](.*?)["`]', source)
                    )
                    yield from (Text(name, line, words) for words in found if " " in words)
        elif path.suffix in COMMENTS and not re.search(r"\bde\.ts$|/de/", name):
            yield from (Text(name, *found) for found in explanations(path.read_text("utf-8"), path.suffix))


def explanations(source: str, suffix: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the words of each line of a comment, and of each paragraph of a docstring."""
    if suffix != ".py":
        for line, words in enumerate(source.splitlines(), 1):
            if found := re.search(COMMENTS[suffix], words):
                yield line, found[1].strip()
        return
    begins_statement = True
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("#: ")
        elif token.type == tokenize.STRING and begins_statement:
            for paragraph in str(ast.literal_eval(token.string)).split("\n\n"):
                yield token.start[0], " ".join(paragraph.split())
        if token.type not in {tokenize.COMMENT, tokenize.NL}:
            begins_statement = token.type in {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}


def descriptions(value: Any) -> Iterator[str]:
    """Yield the summaries, descriptions and titles of the document, without its examples."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in {"summary", "description", "title"} and isinstance(inner, str):
                yield from (words for _, words, _ in paragraphs(inner))
            elif key not in {"example", "examples"}:
                yield from descriptions(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from descriptions(inner)


def paragraphs(markdown: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the line and the words of each text, and whether it is a paragraph or an item. Code counts as a word."""
    line, opening = 0, ""
    for token in MARKDOWN.parse(markdown):
        line = token.map[0] + 1 if token.map else line
        if token.type == "inline":
            kinds = {"code_inline": "CODE", "softbreak": " ", "hardbreak": " "}
            words = "".join(kinds.get(child.type, child.content) for child in token.children or [])
            yield line, words, opening == "paragraph_open"
        opening = token.type


def sentences(text: str) -> list[str]:
    """Return the sentences of a paragraph."""
    return [sentence for sentence in re.split(r"(?<=[.!?:])\s+", text) if len(sentence.split()) > 2]


def main() -> int:
    """Print what is wrong. Return 1 if anything is."""
    faults, lengths, words = 0, list[int](), 0
    for file, line, text, in_page in texts():
        words += len(text.split())
        for pattern, advice in PATTERNS.items():
            for found in re.finditer(pattern, text):
                faults += 1
                print(f'{file}:{line}: "{found[0].strip()}" in "{text[:80]}": {advice}')
        if in_page:
            for sentence in sentences(text):
                lengths.append(len(sentence.split()))
                if lengths[-1] > MAX_WORDS:
                    faults += 1
                    print(f"{file}:{line}: {lengths[-1]} words, at most {MAX_WORDS}: {sentence[:80]}")
    average = mean(lengths)
    print(f"{faults} faults in {words} words; {average:.1f} words in a sentence of the pages, at most {MAX_MEAN_WORDS}")
    return int(faults > 0 or average > MAX_MEAN_WORDS)


if __name__ == "__main__":
    sys.exit(main())
