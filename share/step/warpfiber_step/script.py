# SPDX-License-Identifier: Apache-2.0
"""`--script FILE`: one move a line, for slides and tests. Each move prints where the program is then."""
from .errors import Refused
from .frame import Frame
from .session import MOVES, parse_place

HEIGHT = 24
WITH_NUMBER = MOVES + ("back",)


class ScriptError(Exception):
    """A line that is no move."""


def show(session, sources, width):
    return "\n".join(row.text().rstrip() for row in Frame(session, sources).rows(width, HEIGHT)).rstrip()


def number_of(word, rest):
    if not rest:
        return 1
    if not rest.isdigit() or int(rest) == 0:
        raise ScriptError("`%s' is followed by a number, and not by `%s'" % (word, rest))
    return int(rest)


def needs(rest, what):
    if not rest:
        raise ScriptError(what)
    return rest


def without_rest(word, rest):
    if rest:
        raise ScriptError("nothing follows `%s'" % word)


class Script:
    """Runs the lines of a file; `write` gets what they print."""

    def __init__(self, session, sources, width, write):
        self.session, self.sources, self.width, self.write = session, sources, width, write

    def run(self, lines, name):
        """The exit code: 2 after a line that is none, 0 else."""
        for number, line in enumerate(lines, 1):
            line = line.split("#")[0].strip() if not line.strip().startswith(("watch ", "unwatch ")) else line.strip()
            if line == "quit":
                break
            if not line:
                continue
            try:
                self.write(self.perform(line))
            except Refused as refused:
                self.write(str(refused))
            except ScriptError as error:
                return "%s:%d: %s" % (name, number, error)
        return ""

    def perform(self, line):
        """What a line prints."""
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if word in WITH_NUMBER:
            times = number_of(word, rest)
            return self.session.back(times) if word == "back" else self.session.move(word, times)
        if word == "thread":
            return self.session.focus(**parse_place(line))
        actions = {"goto": self.goto, "finding": self.finding, "watch": self.watch, "unwatch": self.unwatch,
                   "show": self.show, "output": self.output, "focus": self.focus}
        if word not in actions:
            raise ScriptError("`%s' is no move; there are %s" % (
                word, ", ".join(sorted([*WITH_NUMBER, *actions, "thread", "quit"]))))
        return actions[word](rest)

    def goto(self, rest):
        return self.session.goto(number_of("goto", needs(rest, "`goto' is followed by a position")))

    def finding(self, rest):
        without_rest("finding", rest)
        return self.session.to_finding()

    def watch(self, rest):
        return self.session.watch(needs(rest, "`watch' is followed by an expression"))

    def unwatch(self, rest):
        return self.session.unwatch(needs(rest, "`unwatch' is followed by an expression"))

    def focus(self, rest):
        return self.session.focus(**parse_place(rest))

    def show(self, rest):
        without_rest("show", rest)
        return show(self.session, self.sources, self.width)

    def output(self, rest):
        without_rest("output", rest)
        return self.session.debugger.printed().rstrip("\n")
