# SPDX-License-Identifier: Apache-2.0
"""What is shown of a stop, as rows of styled text. The terminal and scripts show the same."""
import itertools
import os
import textwrap

from .session import shown
from .source import Sources

LEGEND = (("> runs   | waits   ~ waits for memory", "+ ready  x returned  . not started"),)
PLAIN, TITLE, HEADING, CURRENT, DIM, FOCUS, ALARM = "plain", "title", "heading", "current", "dim", "focus", "alarm"
RULER_STEP = 8
LEAST_SOURCE = 6  # rows
MOST_WAITS = 6    # rows
MOST_FINDINGS = 3
MOST_CELL = 14  # a pointer
GAP = "  "
NO_VALUE = "-"
WIDE = 110  # columns, for the lines that warps are at


def cut_text(text, width):
    return text if len(text) <= width else text[:max(0, width - 2)] + ".."


def state_style(letter):
    """Of a lane in the grid of warps."""
    return "lane " + letter


class Row:
    """A row of text in pieces, each with a style."""

    def __init__(self, *pieces):
        self.pieces = [(piece, PLAIN) if isinstance(piece, str) else piece for piece in pieces]

    def text(self):
        return "".join(text for text, _ in self.pieces)

    def cut(self, width):
        pieces, left = [], width
        for text, style in self.pieces:
            pieces.append((text[:left], style))
            left -= len(pieces[-1][0])
        return Row(*pieces)

    def padded(self, width):
        return Row(*self.cut(width).pieces, " " * (width - min(width, len(self.text()))))


def heading(text, width):
    return Row((("-- %s " % text).ljust(width, "-")[:width], HEADING))


def short_count(count):
    """At most six characters; exact where that is enough."""
    for unit, size in (("", 1), ("k", 10**3), ("M", 10**6), ("G", 10**9)):
        if count < 10**5 * size:
            return "%d%s" % (count // size, unit)
    return "%.0e" % count


class Frame:
    """view: what the user has chosen to see: rows that the source is scrolled by, and columns."""

    def __init__(self, session, sources=None, scroll=0, shift=0):
        self.session, self.state = session, session.state
        self.sources = sources or Sources()
        self.scroll, self.shift = scroll, shift

    def rows(self, width, height):
        """All of it: `height` rows, none wider than `width`."""
        below = self.findings(width)
        waits = self.waits(width)
        least = max(LEAST_SOURCE, (height - 1) * 2 // 5)
        watches = self.watches(width, height - 1 - least - len(waits) - len(below))
        below = waits + watches + below
        upper = self.upper(width, max(LEAST_SOURCE, height - 1 - len(below)))
        rows = [self.title(width)] + upper + below
        return [row.cut(width) for row in rows[:height]]

    # The first row.
    def title(self, width):
        session, state = self.session, self.state
        if session.has_ended():
            return Row((session.shown_exit().ljust(width), TITLE))
        right = "position %d" % state.get("position", 0)
        left = "no kernel runs"
        if session.is_in_kernel():
            left = "%s<<<%s,%s>>>  %s  %s  epoch %d" % (
                state["kernel"], extent_text(state["grid"]), extent_text(state["extent"]), session.block_of(state),
                session.thread_of(state), state["epoch"])
        room = width - len(right) - 2
        left = cut_text(left, room)
        return Row((left.ljust(width - len(right)) + right, TITLE))

    # Source and warps, side by side.
    def upper(self, width, height):
        grid = self.grid(height)
        grid_width = max((len(row.text()) for row in grid), default=0)
        if grid and width >= WIDE:
            grid = self.with_lines(grid)
            grid_width = max(len(row.text()) for row in grid)
        source_width = width - grid_width - len(GAP) if grid_width else width
        source = self.source(source_width, height)
        rows = []
        for i in range(height):
            left = source[i] if i < len(source) else Row("")
            right = grid[i] if i < len(grid) else Row("")
            rows.append(Row(*left.padded(source_width).pieces, GAP, *right.pieces) if grid_width else left)
        return rows

    def current_place(self):
        """(file, line) of the thread in focus; where none runs of the line that was executed most."""
        state = self.state
        if self.session.is_in_kernel():
            file, line = state["places"][state["rank"]]
            if line:
                return state["files"][file], line
            return (state["files"][0], 1) if state["files"] else ("", 0)
        for finding in reversed(state["findings"]):
            if finding["place"]:
                return tuple(finding["place"])
        counts = state["counts"]
        return max(((file, line) for file, lines in counts.items() for line in lines),
                   key=lambda place: counts[place[0]][place[1]], default=("", 0))

    def source(self, width, height):
        file, line = self.current_place()
        if not file:
            return [Row(("no statement of a kernel has been executed", DIM))]
        lines = self.sources.lines(file)
        if lines is None:
            return [Row(("cannot read %s" % file, ALARM)), Row("line %d" % line)]
        counts = self.state["counts"].get(file, {})
        first = max(1, min(line - height // 2 + self.scroll, len(lines) - height + 2))
        self.scroll = first - (line - height // 2) if self.scroll else 0
        shown_lines = range(first, min(first + height - 1, len(lines) + 1))
        count_width = max([len(short_count(counts.get(one, 0))) for one in shown_lines] + [len("count")])
        number_width = len(str(len(lines)))
        head = "%s %s %s" % ("count".rjust(count_width), " " * number_width, os.path.basename(file))
        rows = [Row((head[:width].ljust(width), HEADING))]
        for number in shown_lines:
            rows.append(self.source_row(number, line, lines[number - 1], counts, (count_width, number_width, width)))
        return rows

    def source_row(self, number, current, code, counts, widths):
        count_width, number_width, width = widths
        count = short_count(counts[number]) if number in counts else ""
        here = number == current and self.session.is_in_kernel()
        margin = "%s %s%s " % (count.rjust(count_width), str(number).rjust(number_width), ">" if here else " ")
        room = width - len(margin)
        code = cut_text(code.expandtabs(4)[self.shift:], room)
        if here:
            return Row((margin + code.ljust(room), CURRENT))
        return Row((margin, DIM if not count else PLAIN), code)

    # The warps of the block.
    def grid(self, height):
        if not self.session.is_in_kernel():
            return []
        state = self.state
        size, focus = state["warp_size"], state["rank"]
        warps = -(-len(state["states"]) // size)
        ruler = "".join(str(lane).ljust(RULER_STEP) for lane in range(0, size, RULER_STEP))[:size]
        lane = focus % size
        ruler = "     " + ruler[:lane] + "v" + ruler[lane + 1:]
        head = "warp %s" % "lanes; %d warps" % warps if warps > 1 else "warp lanes"
        room = height - 2 - len(LEGEND[0])
        first = max(0, min(focus // size - room // 2, warps - room)) if warps > room else 0
        rows = [Row((head, HEADING)), Row((ruler.rstrip(), DIM))]
        for warp in range(first, min(first + max(room, 1), warps)):
            rows.append(self.warp_row(warp, size, focus))
        return rows + [Row((line, DIM)) for line in LEGEND[0]]

    def warp_row(self, warp, size, focus):
        states = self.state["states"][warp * size:(warp + 1) * size]
        if warp != focus // size:
            return Row("%4d " % warp, *styled_states(states))
        lane = focus % size
        return Row("%4d" % warp, ("*", FOCUS), *styled_states(states[:lane]), (states[lane], FOCUS),
                   *styled_states(states[lane + 1:]))

    def with_lines(self, grid):
        """In a wide terminal each warp has the lines that its lanes are at, and how many are there."""
        size = max(len(row.text()) for row in grid)
        head = Row(*grid[0].padded(size).pieces, ("  line:lanes", HEADING))
        return [head] + [Row(*row.padded(size).pieces, "  " + self.lines_of(row)) if self.is_warp(row) else row
                         for row in grid[1:]]

    @staticmethod
    def is_warp(row):
        return row.text()[:4].strip().isdigit() and len(row.text()) > 5 and row.text()[4] in " *"

    def lines_of(self, row):
        size, warp = self.state["warp_size"], int(row.text()[:4])
        lines = {}
        for rank in range(warp * size, min((warp + 1) * size, len(self.state["states"]))):
            line = self.state["places"][rank][1]
            if line and self.state["states"][rank] not in "x.":
                lines[line] = lines.get(line, 0) + 1
        return "  ".join("%d:%d" % (line, count) for line, count in sorted(lines.items()))

    # Who waits for whom.
    def waits(self, width):
        if not self.session.is_in_kernel() or not self.state["waits"]:
            return []
        rows = []
        for wait in self.state["waits"]:
            line = ", line %d" % wait["line"] if wait["line"] else ""
            text = "%s%s: %s" % (wait["what"], line, self.threads(wait["here"]))
            rows += self.wrapped(text, width, "  ")
            if wait["missing_count"]:
                who = "; ".join("%s %s" % (self.threads(ranges), reason)
                                for reason, ranges in by_reason(wait["missing"]).items())
                text = "%d missing%s" % (wait["missing_count"], ": " + who if who else "")
                rows += self.wrapped("  " + text, width, "    ")
        if len(rows) > MOST_WAITS:
            rows = rows[:MOST_WAITS - 1] + [Row(("  .. %d more rows" % (len(rows) - MOST_WAITS + 1), DIM))]
        return [heading("waiting at", width)] + rows

    def threads(self, ranges):
        names = []
        for first, last, _ in ranges:
            names.append(self.name(first) if first == last else "%s-%s" % (self.name(first), self.name(last)))
        alone = len(ranges) == 1 and ranges[0][0] == ranges[0][1]
        return ("thread " if alone else "threads ") + ", ".join(names)

    def name(self, rank):
        extent = self.state["extent"]
        index = (rank % extent[0], rank // extent[0] % extent[1], rank // (extent[0] * extent[1]))
        return shown(index, extent)

    @staticmethod
    def wrapped(text, width, indent):
        return [Row(line) for line in textwrap.wrap(text, width, subsequent_indent=indent, drop_whitespace=True,
                                                    initial_indent=" " * (len(text) - len(text.lstrip())))]

    # Values.
    def watches(self, width, room):
        if not self.session.is_in_kernel() or not self.state["watches"]:
            return []
        state = self.state
        size, focus = state["warp_size"], state["rank"]
        warp, lane = focus // size, focus % size
        known = [(expression, [cell(value) for value in watch["values"]])
                 for expression, watch in zip(state["expressions"], state["watches"]) if not has_no_value(watch)]
        errors = [Row(("%s: %s" % (expression, watch["error"]), ALARM))
                  for expression, watch in zip(state["expressions"], state["watches"]) if has_no_value(watch)]
        if not known:
            return [heading("warp %d" % warp, width)] + errors
        names, values = [name for name, _ in known], [row for _, row in known]
        lanes, room = len(values[0]), room - len(errors)
        label = min(max(len(one) for one in names + ["lane"]), width // 4)
        cell_width = max(len(value) for row in values + [[str(lanes - 1)]] for value in row) + 1
        per = 1
        while per * 2 <= lanes and label + 1 + per * 2 * cell_width <= width:
            per *= 2
        bands = [range(first, min(first + per, lanes)) for first in range(0, lanes, per)]
        at = lane // per
        last = max([at] + [number for number, band in enumerate(bands) if any(row[one] != NO_VALUE for one in band
                                                                             for row in values)])
        fitting = max(1, (room - 1) // (len(values) + 1))
        first = max(0, min(at - fitting // 2, last + 1 - fitting))
        visible = bands[first:min(first + fitting, last + 1)]
        note = "" if len(visible) == len(bands) else ", lanes %d-%d of %d" % (visible[0][0], visible[-1][-1], lanes)
        rows = [heading("warp %d%s" % (warp, note), width)]
        for band in visible:
            rows.append(self.value_row("lane", [str(one) for one in band], (label, cell_width), None, HEADING))
            for name, row in known:
                marked = lane - band[0] if lane in band else None
                rows.append(self.value_row(name, [row[one] for one in band], (label, cell_width), marked, PLAIN))
        return rows + errors

    @staticmethod
    def value_row(name, values, widths, marked, style):
        label, cell_width = widths
        pieces = [(cut_text(name, label).ljust(label) + " ", style)]
        for i, value in enumerate(values):
            pieces.append((value.rjust(cell_width), FOCUS if i == marked else style))
        return Row(*pieces)

    # Findings, the last ones.
    def findings(self, width):
        findings = self.state["findings"]
        if not findings:
            return []
        rows = [heading("findings" if len(findings) <= MOST_FINDINGS else "findings, the last of %d" % len(findings), width)]
        for number, finding in list(enumerate(findings, 1))[-MOST_FINDINGS:]:
            place = " at %s:%d" % (os.path.basename(finding["place"][0]), finding["place"][1]) if finding["place"] else ""
            who = ", " + self.shown_thread(finding["thread"]) if finding["thread"] else ""
            rows.append(Row(("%d  %s%s%s, position %d" % (number, finding["what"], place, who, finding["position"]), ALARM)))
        return rows

    @staticmethod
    def shown_thread(thread):
        extent, block, index = thread
        return "block %s thread %s" % (shown_short(block), shown(index, extent))


def styled_states(states):
    return [("".join(group), state_style(letter)) for letter, group in itertools.groupby(states)]


def by_reason(ranges):
    """{what threads do that others wait for: ranges of them}"""
    found = {}
    for one in ranges:
        found.setdefault(one[2], []).append(one)
    return found


def shown_short(index):
    return str(index[0]) if index[1] == 0 and index[2] == 0 else "(%d,%d,%d)" % tuple(index)


def has_no_value(watch):
    """Whether it has none in any lane that runs."""
    return all(value in (None, "?") for value in watch["values"]) and watch["error"] != ""


def cell(value):
    if value is None:
        return NO_VALUE
    return cut_text(" ".join(value.split()), MOST_CELL)


def extent_text(extent):
    """(4,1,1) as a launch would have it: 4."""
    if extent[1] == 1 and extent[2] == 1:
        return str(extent[0])
    return "(%s)" % ",".join(str(size) for size in (extent if extent[2] > 1 else extent[:2]))
