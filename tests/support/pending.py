# SPDX-License-Identifier: Apache-2.0
"""Recordings of a GPU that wait for one. In a golden, a value may be `pending: REASON` in place of what a GPU has printed
behind the same words, and a whole golden may be that one line. What is pending has to be printed, is not compared, and is
named in the output of the test. tests/architecture counts what is pending, and asks for reasons."""

WORD = "pending:"


class Pending:
    def __init__(self):
        self.reasons = {}  # by the words that the values stand behind

    def has(self, key, value):
        """Whether there is no recording of the value yet."""
        value = value.strip()
        if not value.startswith(WORD):
            return False
        self.reasons[key] = value[len(WORD):].strip()
        if not self.reasons[key]:
            raise ValueError(f"{key}: pending without a reason")
        return True

    def agrees(self, gpu, here, agree):
        """Whether two lines agree by agree(gpu, here). Where the value is pending, behind " -> " or ": ", the words before
        it have to be the same."""
        for mark in (" -> ", ": "):
            key, found, value = gpu.partition(mark)
            if found and value.strip().startswith(WORD):
                return here.startswith(key + mark.rstrip()) and self.has(key, value)
        return agree(gpu, here)

    def result(self, wrong, compared):
        """Prints what is wrong and what is pending; the exit code of a test that has compared so many lines."""
        for key, reason in self.reasons.items():
            print(f"pending: {key}: {reason}")
        agree = f"{compared - len(self.reasons)} lines agree" + (f", {len(self.reasons)} pending" if self.reasons else "")
        print("\n".join(wrong) or agree)
        return 1 if wrong or not compared else 0


def golden(path, pending):
    """The text of a golden; nothing where all of it is pending."""
    text = path.read_text()
    return "" if pending.has(path.name, text) else text
