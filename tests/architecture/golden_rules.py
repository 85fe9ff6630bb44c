# SPDX-License-Identifier: Apache-2.0
#
# The rule of rules.py about what a GPU has printed: a recording may be pending (tests/support/pending.py), with a reason.
import re

GOLDEN = re.compile(r"^tests/(?:\w+/)+golden/[\w.]+\.txt$")
PENDING = re.compile(r"(?:^|[:=>]) ?pending:(.*)$")
REASON_WORDS = 3


def pending_recordings(tree):
    """Triples of path, line and reason."""
    for path in filter(GOLDEN.match, tree.paths):
        for number, line in enumerate(tree.read(path).split("\n") if "pending:" in tree.read(path) else [], 1):
            found = PENDING.search(line)
            if found:
                yield path, number, found[1].strip()


def pending_recordings_have_reasons(tree):
    for path, number, reason in pending_recordings(tree):
        if len(reason.split()) < REASON_WORDS:
            yield f"{path}:{number}: pending without a reason of {REASON_WORDS} words"


GOLDEN_RULES = [pending_recordings_have_reasons]
