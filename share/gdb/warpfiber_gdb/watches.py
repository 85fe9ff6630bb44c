# SPDX-License-Identifier: Apache-2.0
"""`cuda watch EXPR`: values of expressions in all lanes of the warp in focus, now and whenever the program stops."""
import re

import gdb

from .focus import FOCUS, lanes_of
from .memory import Selection, message
from .names import shown
from .tables import mark, print_table


class Watches:
    def __init__(self):
        self.expressions = []

    def add(self, expression):
        if not expression:
            raise gdb.GdbError("Watch what? For example: cuda watch tile[threadIdx.x]")
        self.expressions.append(expression)
        self.show()

    def remove(self, expression):
        if expression and expression not in self.expressions:
            raise gdb.GdbError("`%s' is not watched; `cuda unwatch' alone forgets all." % expression)
        self.expressions = [one for one in self.expressions if expression and one != expression]

    def show(self):
        focus = FOCUS.current()
        if not self.expressions or focus is None:
            return
        rows = []
        with Visit():
            for thread in lanes_of(focus):
                values = self.values(thread)
                rows.append((mark(thread.same_as(focus)), thread.lane, shown(thread.index), *values))
        message("%s, block %s, warp %d" % (focus.block.kernel, shown(focus.block.index), focus.warp))
        print_table(("", "Lane", "ThreadIdx", *self.expressions), rows)

    def values(self, thread):
        if not thread.has_frames():
            return ["-"] * len(self.expressions)
        FOCUS.set(thread)
        return [value_or_mark(expression) for expression in self.expressions]


class Visit:
    """Other threads come into focus meanwhile."""

    def __enter__(self):
        self.selection, self.thread = Selection(), FOCUS.thread

    def __exit__(self, *_):
        FOCUS.leave()
        self.selection.thread.switch()
        if self.thread is not None:
            FOCUS.set(self.thread)
        self.selection.restore()


def declared_later(expression):
    """The first local variable in the expression the declaration of which the thread has yet to execute: what lies in its
    place is no value. The call that stops the thread before a statement is on the line of the one before."""
    frame = gdb.selected_frame()
    here = frame.find_sal()
    for name in re.findall(r"(?<![\w.>:])[A-Za-z_]\w*", expression):
        symbol, _ = gdb.lookup_symbol(name, frame.block())
        if symbol is None or not symbol.needs_frame or symbol.is_argument or here.symtab is None:
            continue
        if symbol.symtab.fullname() != here.symtab.fullname():
            continue
        if symbol.line > here.line:
            return name
    return None


def value_of(expression):
    """Where the thread is, the expression may have no value: gdb.error."""
    unset = declared_later(expression)
    if unset is not None:
        raise gdb.error("%s has no value yet" % unset)
    return gdb.parse_and_eval(expression).format_string(max_elements=8, symbols=False)


def value_or_mark(expression):
    try:
        return value_of(expression)
    except gdb.error:
        return "?"


WATCHES = Watches()
