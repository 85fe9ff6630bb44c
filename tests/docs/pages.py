# SPDX-License-Identifier: Apache-2.0
#
# Code blocks of Markdown pages, and the rules that every block of README.md, docs/ and examples/ has to keep. A block is
# fenced; what follows its language says what is done with it (README.md in this folder lists it).
import os
import re
import textwrap

FENCE = re.compile(r"^( *)```(.*)$")
INDENTED = re.compile(r"^ {4,}\S")
COMMAND = re.compile(r"^\s*(\$ |(warpfiber|cmake|ctest|make|nvcc|scripts/\w+|\./\w+)( |$)|[A-Z_]+=\S+ \S)")
ITEM = re.compile(r"^ *([-*]|\d+\.) ")
SENTENCE_END = re.compile(r"(?<=[.!?])[)*]*\s+|\n\n|(?<=:)\n")
SHELL = ("console", "sh")
LINE_LENGTH = 160
SENTENCE_WORDS = 25
LONGEST_SENTENCE = 45


class Block:
    """One fenced block: `first` is the number of the line behind its opening fence, counted from 0."""

    def __init__(self, page, first, indent, info):
        self.page, self.first, self.indent, self.lines = page, first, indent, []
        language, _, rest = info.strip().partition(" ")
        self.language, self.rest = language, rest.strip()

    @property
    def skipped(self):
        return self.rest.startswith("skip: ") and len(self.rest) > len("skip: ")

    @property
    def exit_code(self):
        found = re.fullmatch(r"exit=(\d+)", self.rest)
        return int(found[1]) if found else 0

    @property
    def place(self):
        return f"{self.page}:{self.first + 1}"

    def commands(self):
        """Pairs of a command and the lines of output shown below it; of a block of language sh one pair."""
        if self.language == "sh":
            return [("\n".join(self.lines), [])]
        pairs, open_command = [], False
        for line in self.lines:
            if open_command:
                pairs[-1] = (pairs[-1][0] + "\n" + line, [])
            elif line.startswith("$ "):
                pairs.append((line[2:], []))
            elif pairs:
                pairs[-1][1].append(line)
            open_command = pairs and not pairs[-1][1] and line.endswith("\\")
        return pairs


def blocks_of(page, text):
    blocks, block = [], None
    for number, line in enumerate(text.split("\n")):
        fence = FENCE.match(line)
        if block and fence:
            block = None
        elif fence:
            block = Block(page, number + 1, fence[1], fence[2])
            blocks.append(block)
        elif block:
            block.lines.append(line[len(block.indent):] if line.startswith(block.indent) else line.lstrip())
    return blocks


def complaints(root, page):
    """What is wrong with the blocks of the page, each as "path:line: what"."""
    text = _read(os.path.join(root, page))
    yield from _indented(page, text)
    yield from _hard_to_read(page, text)
    for block in blocks_of(page, text):
        for what in _about(root, block):
            yield f"{block.place}: {what}"


def _indented(page, text):
    before, fenced = "", False
    for number, line in enumerate(text.split("\n"), 1):
        fenced ^= bool(FENCE.match(line))
        if not fenced and not before.strip() and INDENTED.match(line):
            yield f"{page}:{number}: an indented block; fence it and name its language"
        before = line


def _hard_to_read(page, text):
    """Lines and sentences that are too long, each or on average; of prose, not of tables and blocks."""
    prose, fenced = [], False
    for number, line in enumerate(text.split("\n"), 1):
        fenced ^= bool(FENCE.match(line))
        if fenced or FENCE.match(line) or line.startswith(("|", "#")):
            prose.append("")
            continue
        prose.append(ITEM.sub("\n", line))
        if len(line) > LINE_LENGTH:
            yield f"{page}:{number}: {len(line)} characters, the limit is {LINE_LENGTH}"
    sentences = [words for words in map(str.split, SENTENCE_END.split("\n".join(prose))) if len(words) > 2]
    for words in sentences:
        if len(words) > LONGEST_SENTENCE:
            yield f"{page}:1: a sentence of {len(words)} words, the limit is {LONGEST_SENTENCE}: {' '.join(words[:6])} ..."
    average = sum(map(len, sentences)) / max(len(sentences), 1)
    if average > SENTENCE_WORDS:
        yield f"{page}:1: sentences of {average:.0f} words on average, the limit is {SENTENCE_WORDS}"


def _about(root, block):
    if not block.language:
        yield "a block without a language"
    elif block.skipped:
        return
    elif block.language in SHELL:
        yield from _about_commands(block)
    elif not block.rest:
        yield f"a {block.language} block that names neither a file of examples/ nor a reason (skip: ...)"
    else:
        yield from _about_file(root, block)


def _about_commands(block):
    if block.rest and not re.fullmatch(r"exit=\d+", block.rest):
        yield f"`{block.rest}` is neither exit=N nor skip: and a reason"
    if block.language == "console" and not (block.lines and block.lines[0].startswith("$ ")):
        yield "a console block begins with a command, behind `$ `"


def _about_file(root, block):
    path = os.path.join(root, examples_of(block.page), block.rest)
    if not os.path.isfile(path):
        yield f"there is no {os.path.relpath(path, root)}"
    elif not _holds(_read(path).split("\n"), block.lines):
        yield f"{os.path.relpath(path, root)} does not contain these lines one after the other"


def _holds(lines, part):
    part = textwrap.dedent("\n".join(part)).strip("\n").split("\n")
    windows = (lines[at:at + len(part)] for at in range(len(lines) - len(part) + 1))
    return any(textwrap.dedent("\n".join(window)) == "\n".join(part) for window in windows)


def hidden_commands(root, page):
    """Commands in skipped blocks of other languages, where nobody would look for them."""
    for block in blocks_of(page, _read(os.path.join(root, page))):
        for number, line in enumerate(block.lines, block.first + 1):
            if block.language == "text" and COMMAND.match(line):
                yield f"{page}:{number}: a command in a block of language {block.language}"


def examples_of(page):
    """The folder in which the commands of a page run: docs/findings/x.md belongs to examples/findings."""
    folder = os.path.dirname(page)
    for top in ("docs", "examples"):
        if folder == top or folder.startswith(top + "/"):
            return os.path.normpath(os.path.join("examples", os.path.relpath(folder, top)))
    return "examples"


def unnamed_examples(root):
    """Files of examples/ that its README does not name; those of findings no page of docs/findings either."""
    readme = _read(os.path.join(root, "examples", "README.md"))
    pages = "".join(_read(os.path.join(root, page)) for page in pages_of(root) if page.startswith("docs/findings/"))
    for folder, _, names in sorted(os.walk(os.path.join(root, "examples"))):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), os.path.join(root, "examples"))
            is_shown = path.startswith("findings/") and re.search(rf"\b{re.escape(name)}\b", pages)
            if path != "README.md" and not is_shown and f"`{path}`" not in readme and f"({path})" not in readme:
                yield f"examples/README.md:1: does not name {path}"


def unnamed_pages(root):
    """Pages of docs/ that its README, the map, does not link; docs/findings has an index of its own."""
    readme = _read(os.path.join(root, "docs", "README.md"))
    for page in pages_of(root):
        name = os.path.relpath(page, "docs")
        if page.startswith("docs/") and not name.startswith(("README", "findings/")) and f"]({name})" not in readme:
            yield f"docs/README.md:1: does not name {name}"


def pages_of(root):
    found = ["README.md"]
    for top in ("docs", "examples"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            found += [os.path.relpath(os.path.join(folder, name), root) for name in names if name.endswith(".md")]
    return sorted(found)


def _read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()
