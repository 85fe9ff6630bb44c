#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
#   links.py FOLDER    every relative link of the Markdown pages below FOLDER, the documentation as it is installed,
#                      leads to a file there, and to a heading of it where it has a fragment
import os
import re
import sys

LINK = re.compile(r"\]\(([^()\s]+)\)")
FENCED = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ +(.*?) *$", re.MULTILINE)


def read(path):
    with open(path, encoding="utf-8") as file:
        return FENCED.sub("", file.read())


def fragments(page):
    """The fragments that code hosts make of a page's headings."""
    words = (re.sub(r"[^\w -]", "", heading).lower() for heading in HEADING.findall(read(page)))
    return {text.replace(" ", "-") for text in words}


def complaint(page, link):
    path, _, fragment = link.partition("#")
    target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if not os.path.exists(target):
        return f"{page}: {link} leads nowhere"
    if fragment and fragment not in fragments(target):
        return f"{page}: {link}: {path or 'the page'} has no such heading"
    return None


def complaints(folder):
    for parent, _, names in sorted(os.walk(folder)):
        for page in sorted(os.path.join(parent, name) for name in names if name.endswith(".md")):
            links = (link for link in LINK.findall(read(page)) if "://" not in link)
            yield from filter(None, (complaint(page, link) for link in links))


if __name__ == "__main__":
    found = list(complaints(sys.argv[1]))
    print("\n".join(found))
    sys.exit(1 if found else 0)
