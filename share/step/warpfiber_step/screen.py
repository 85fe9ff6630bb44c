# SPDX-License-Identifier: Apache-2.0
"""The stepper in the terminal."""
import curses
import locale
import os
import select
import signal
import sys

from .debugger import Debugger
from .errors import Fatal, Refused
from .frame import ALARM, CURRENT, DIM, FOCUS, HEADING, PLAIN, TITLE, Frame, Row, cut_text, state_style
from .session import Session, parse_place
from .source import Sources

LEAST_WIDTH, LEAST_HEIGHT = 60, 16
KEYS = ("n line  l lane  w warp  e epoch  b back  f finding  g go to  t thread  a watch  o output  ? help  q quit",
        "n line  l lane  w warp  e epoch  b back  f finding  a watch  ? help  q quit",
        "n line  e epoch  b back  f finding  ? help  q quit")
HELP = """\
n Enter Space  the next statement of this thread, over barriers
l              the next statement of another lane
w              the next statement of another warp
e              epoch: behind the barrier that the whole block passes, or its end
k              the next block
L              the next launch
5n             a number repeats the move
b              back to the stop before; runs the program anew to there
B              ten stops back
Home           back to the first stop
g              go to a position: how many statements have begun
f              on to the next finding: a race, a deadlock, a fault
t              look at another thread: 5, (5,1), 5 block 1, warp 1 lane 3
a              watch an expression in all lanes of the warp
d              watch it no longer
o              what the program has printed; reports of findings, too
arrows Page    scroll the source
Ctrl-C         stops a program that runs; else it leaves, as q and Ctrl-D do

Lanes: > runs  | waits for others  ~ waits until memory changes
       + could go on  x has returned  . has not started
The count left of a line says how often threads have begun it."""
CTRL_C, CTRL_D, ESCAPE, NO_KEY = 3, 4, 27, -1
ENTER = (10, 13, curses.KEY_ENTER)
BACKSPACE = (8, 127, curses.KEY_BACKSPACE)
MOVE_KEYS = {"n": "line", " ": "line", "l": "lane", "w": "warp", "e": "epoch", "k": "block", "L": "launch"}
SCROLL_KEYS = {curses.KEY_UP: -1, curses.KEY_DOWN: 1, curses.KEY_PPAGE: -10, curses.KEY_NPAGE: 10}
SHIFT_KEYS = {curses.KEY_LEFT: -8, curses.KEY_RIGHT: 8}
TEN = 10
GONE = 128 + signal.SIGHUP  # the exit code where the terminal is gone


class Left(Exception):
    """The user has left the stepper. code: the exit code."""

    def __init__(self, code=0):
        super().__init__()
        self.code = code


class Keyboard:
    """Keys, changes of the terminal's size, and signals, which curses alone would let wait for the next key."""

    def __init__(self, window):
        self.window = window
        self.is_resized = False
        self.signalled, end = os.pipe()
        for descriptor in (self.signalled, end):
            os.set_blocking(descriptor, False)
        signal.set_wakeup_fd(end, warn_on_full_buffer=False)
        signal.signal(signal.SIGWINCH, self.note_size)
        window.nodelay(True)

    def note_size(self, *_):
        self.is_resized = True

    def sources(self):
        """What can be read where there may be a key."""
        return [sys.stdin.fileno(), self.signalled]

    def key(self):
        """The next one."""
        key = self.pressed()
        while key == NO_KEY:
            select.select(self.sources(), [], [])
            key = self.pressed()
            if key == NO_KEY and self.is_closed():
                raise Left(GONE)
        return key

    def is_closed(self):
        """Whether the terminal is gone. Its end could be read for ever."""
        poll = select.poll()
        poll.register(sys.stdin.fileno(), 0)
        return any(events & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, events in poll.poll(0))

    def pressed(self):
        """NO_KEY where there is none yet."""
        try:
            os.read(self.signalled, 4096)
        except BlockingIOError:
            pass
        if not self.is_resized:
            return self.window.getch()
        self.is_resized = False
        size = os.get_terminal_size()
        if size.lines and size.columns:  # some terminals say 0 x 0 until they are known
            curses.resizeterm(size.lines, size.columns)
        return curses.KEY_RESIZE


class Styles:
    """How each style looks. Colours only add to what the text says."""

    def __init__(self):
        self.known = {PLAIN: curses.A_NORMAL, TITLE: curses.A_REVERSE, HEADING: curses.A_BOLD, CURRENT: curses.A_BOLD,
                      DIM: curses.A_DIM, FOCUS: curses.A_REVERSE | curses.A_BOLD, ALARM: curses.A_BOLD}
        if curses.has_colors():
            curses.start_color()
            curses.use_default_colors()
            for number, (style, colour) in enumerate((
                    (CURRENT, curses.COLOR_YELLOW), (ALARM, curses.COLOR_RED), (HEADING, curses.COLOR_CYAN),
                    (state_style("|"), curses.COLOR_YELLOW), (state_style("~"), curses.COLOR_MAGENTA),
                    (state_style(">"), curses.COLOR_GREEN)), 1):
                curses.init_pair(number, colour, -1)
                self.known[style] = self.known.get(style, curses.A_NORMAL) | curses.color_pair(number)

    def __getitem__(self, style):
        return self.known.get(style, curses.A_NORMAL)


class Screen:
    def __init__(self, window, options):
        self.window, self.options = window, options
        self.styles = Styles()
        self.sources = Sources()
        self.session = None
        self.message, self.is_alarm = "", False
        self.scroll = self.shift = self.output_scroll = 0
        self.count = ""
        self.shows_output = False
        show_cursor(False)
        curses.raw()
        curses.set_escdelay(25)
        self.keyboard = Keyboard(window)

    def run(self):
        """Until the user leaves."""
        self.note("starting the program ..")
        self.draw_message()
        debugger = Debugger(self.options.gdb, self.options.commands, self.options.program, interactive=True)
        try:
            self.session = Session(debugger, self.options.watch, self.wait)
            self.attempt(self.session.start)
            while True:
                self.draw()
                self.press(self.keyboard.key())
        finally:
            debugger.close()

    # What the user asks for.
    def wait(self):
        """gdb's answer. Meanwhile the keyboard can stop the program."""
        self.note("running; Ctrl-C stops it")
        self.draw_message()
        typed = []
        message = None
        while message is None:
            message = self.session.debugger.poll(self.keyboard.sources())
            key = self.keyboard.pressed() if message is None else NO_KEY
            if key == CTRL_C:
                self.session.debugger.interrupt()
            elif key == curses.KEY_RESIZE:
                self.draw()
            elif key != NO_KEY:
                typed.append(key)
            elif message is None and self.keyboard.is_closed():
                raise Left(GONE)
        for key in reversed(typed):
            curses.ungetch(key)
        return message

    def attempt(self, action, *arguments, **named):
        """Shows what the action answers, or why it was refused."""
        try:
            self.note(action(*arguments, **named))
        except Refused as refused:
            self.note(str(refused), True)
        self.scroll = self.shift = 0
        self.output_scroll = 0

    def note(self, message, is_alarm=False):
        self.message, self.is_alarm = message, is_alarm

    def press(self, key):
        letter = chr(key) if 0 <= key < 128 else ""
        if letter.isdigit() and (letter != "0" or self.count):
            self.count += letter
            self.note(self.count)
            return
        times, self.count = int(self.count or 1), ""
        if key in (CTRL_C, CTRL_D, ord("q")):
            raise Left(130 if key == CTRL_C else 0)
        if key in SCROLL_KEYS or key in SHIFT_KEYS:
            self.scroll_by(SCROLL_KEYS.get(key, 0), SHIFT_KEYS.get(key, 0))
        elif key in ENTER or letter in MOVE_KEYS and letter:
            self.attempt(self.session.move, MOVE_KEYS.get(letter, "line"), times)
        elif letter in ("b", "B") or key == curses.KEY_HOME:
            self.attempt(self.session.back, {"b": times, "B": TEN}.get(letter, len(self.session.stops)))
        elif letter == "f":
            self.attempt(self.session.to_finding)
        elif letter == "o":
            self.shows_output = not self.shows_output
        elif letter == "?":
            self.help()
        elif letter in ("g", "t", "a", "d") and letter:
            self.ask(letter)

    def scroll_by(self, rows, columns):
        if self.shows_output:
            self.output_scroll = max(0, self.output_scroll - rows)
            return
        self.scroll += rows
        self.shift = max(0, self.shift + columns)

    def ask(self, letter):
        """What needs a word more."""
        session = self.session
        if letter == "d" and len(session.expressions) == 1:
            self.attempt(session.unwatch, session.expressions[0])
            return
        text = self.read({"g": "go to position: ", "t": "thread: ", "a": "watch: ", "d": "watch no longer: "}[letter])
        if not text:
            return
        if letter == "g":
            if not text.isdigit():
                self.note("`%s' is no position; a position is a number." % text, True)
                return
            self.attempt(session.goto, int(text))
        elif letter == "t":
            self.attempt(self.look_at, text)
        else:
            self.attempt(session.watch if letter == "a" else session.unwatch, text)

    def look_at(self, text):
        return self.session.focus(**parse_place("thread " + text if text[0] in "(0123456789" else text))

    def read(self, question):
        """A line that the user types; empty: none."""
        text = ""
        show_cursor(True)
        try:
            while True:
                self.note(question + text)
                self.draw()
                self.window.move(max(0, self.height() - 2), min(len(question + text), self.width() - 1))
                key = self.keyboard.key()
                if key in ENTER:
                    return text.strip()
                if key in (ESCAPE, CTRL_C, CTRL_D):
                    return ""
                if key in BACKSPACE:
                    text = text[:-1]
                elif 32 <= key < 127:
                    text += chr(key)
        finally:
            show_cursor(False)
            self.note("")

    def help(self):
        while True:
            self.window.erase()
            lines = HELP.splitlines()
            self.put_rows([Row((cut_text("warpfiber step", self.width()).ljust(self.width()), TITLE))] +
                          [Row(line) for line in lines[:self.height() - 2]] + [Row(("any key returns", DIM))])
            if self.keyboard.key() != curses.KEY_RESIZE:
                return

    # Drawing.
    def height(self):
        return self.window.getmaxyx()[0]

    def width(self):
        return self.window.getmaxyx()[1]

    def draw(self):
        width, height = self.width(), self.height()
        self.window.erase()
        if width < LEAST_WIDTH or height < LEAST_HEIGHT:
            self.put_rows([Row("The terminal is smaller than %d x %d." % (LEAST_WIDTH, LEAST_HEIGHT))])
        elif self.session.state:
            frame = Frame(self.session, self.sources, self.scroll, self.shift)
            self.put_rows(self.output_rows(frame, width, height - 2) if self.shows_output else
                          frame.rows(width, height - 2))
            self.scroll = frame.scroll
        self.draw_message()

    def output_rows(self, frame, width, height):
        """The last rows of what the program has printed."""
        lines = [line[i:i + width] for line in self.session.debugger.printed().expandtabs().splitlines() or [""]
                 for i in range(0, max(len(line), 1), width)]
        room = height - 2
        self.output_scroll = min(self.output_scroll, max(0, len(lines) - room))
        end = len(lines) - self.output_scroll
        head = ("-- output of the program; o closes it " if end == len(lines) else "-- output, up to row %d of %d " %
                (end, len(lines))).ljust(width, "-")
        return [frame.title(width), Row((head, HEADING))] + [Row(line) for line in lines[max(0, end - room):end]]

    def draw_message(self):
        height, width = self.height(), self.width()
        self.put_row(height - 2, Row((cut_text(self.message, width).ljust(width), ALARM if self.is_alarm else PLAIN)))
        self.put_row(height - 1, Row((next((keys for keys in KEYS if len(keys) < width), KEYS[-1]), DIM)))
        self.window.refresh()

    def put_rows(self, rows):
        for number, row in enumerate(rows):
            self.put_row(number, row)

    def put_row(self, number, row):
        column = 0
        for text, style in row.pieces:
            try:
                self.window.addstr(number, column, text, self.styles[style])
            except curses.error:
                return  # behind the last cell there is no place for the cursor
            column += len(text)


def show_cursor(is_shown):
    try:
        curses.curs_set(1 if is_shown else 0)
    except curses.error:
        pass  # some kinds of terminals always show it


def run(options):
    """The exit code."""
    locale.setlocale(locale.LC_ALL, "")
    code = 0

    def session(window):
        nonlocal code
        try:
            Screen(window, options).run()
        except Left as left:
            code = left.code

    try:
        curses.wrapper(session)
    except curses.error as error:
        if code != GONE:  # a terminal that is gone cannot be put back as it was
            raise Fatal("the terminal cannot show it: %s; TERM names the kind of terminal" % error) from None
    return code
