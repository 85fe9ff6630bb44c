# SPDX-License-Identifier: Apache-2.0
#
# The rules of rules.py about findings: the catalogue is the only list of them, and each has a page.
import re

CATALOGUE = "src/foundation/record/verdicts.inc"
CATALOGUE_ROW = re.compile(r'^WARPFIBER_VERDICT\(\w+,\s*"([a-z-]+)",\s*"([^"]+)",\s*"([^"]*)"\)$', re.MULTILINE)
FINDING_PAGES = "docs/findings"
# Ids that mean other things as well: the name of a macro or of a role.
PLAIN_WORDS = {"assert", "conversion", "exception", "leak", "trap"}
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


def ids_stand_in_the_catalogue(tree):
    """Code compares verdicts, and formats ask the catalogue for their ids."""
    ids = set(_catalogue(tree)) - PLAIN_WORDS
    for path in tree.cpp_files():
        for number, line in enumerate(tree.read(path).split("\n") if path.startswith("src/") else [], 1):
            for text in STRING.findall(line.split("//")[0]):
                if text in ids:
                    yield f'{path}:{number}: "{text}" is the id of a finding, which only the catalogue has as a text'


def _catalogue(tree):
    """What each id means, and the vendor's term."""
    rows = CATALOGUE_ROW.findall(tree.read(CATALOGUE)) if tree.exists(CATALOGUE) else []
    return {name: (meaning, term) for name, meaning, term in rows}


def findings_have_pages(tree):
    """Each has a page with its id as the heading, and a row in the list of pages that begins with what it means and ends
    with the vendor's term."""
    index = f"{FINDING_PAGES}/README.md"
    rows = tree.read(index).split("\n") if tree.exists(index) else []
    for name, (meaning, term) in _catalogue(tree).items():
        page = f"{FINDING_PAGES}/{name}.md"
        if not tree.exists(page) or not tree.read(page).startswith(f"# {name}\n"):
            yield f"{page}:1: the heading is not {name}"
        end = f"| `{term}` |" if term else "|"
        if not any(row.startswith(f"| [`{name}`]({name}.md) | {meaning}") and row.endswith(end) for row in rows):
            yield f"{index}:1: no row says of {name}: {meaning}, {term}"


FINDING_RULES = [
    ids_stand_in_the_catalogue,
    findings_have_pages,
]
