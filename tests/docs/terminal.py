# SPDX-License-Identifier: Apache-2.0
#
# Runs a command as a reader of the page would see it: both of its outputs on one terminal, without colours.
import os
import pty
import re
import select
import signal
import subprocess
import termios
import time

ADDRESS = re.compile(r"\b0x[0-9a-f]{7,}\b")
SECONDS = re.compile(r"\b\d+(\.\d+)? m?s\b")
ELISION = "…"


class TimedOut(Exception):
    pass


def run(command, folder, environment, seconds=120):
    """The lines that the command shows, and its exit code."""
    ours, theirs = pty.openpty()
    attributes = termios.tcgetattr(theirs)
    attributes[1] &= ~termios.OPOST
    termios.tcsetattr(theirs, termios.TCSANOW, attributes)
    process = subprocess.Popen(["bash", "-e", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=theirs, stderr=theirs, start_new_session=True)
    os.close(theirs)
    try:
        text = _read_all(ours, time.monotonic() + seconds)
    except TimedOut:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    finally:
        os.close(ours)
        code = process.wait()
    return text.decode("utf-8", "replace").replace("\r", "").rstrip("\n").split("\n"), code


def _read_all(terminal, deadline):
    text = b""
    while True:
        ready, _, _ = select.select([terminal], [], [], max(0, deadline - time.monotonic()))
        if not ready:
            raise TimedOut
        try:
            read = os.read(terminal, 65536)
        except OSError:  # EIO: every process that had the terminal open has ended
            return text
        if not read:
            return text
        text += read


def same(shown, printed):
    """Whether the output shown is the one printed; a line `…` stands for any number of lines, also none."""
    pattern = "".join(r"(?:.*\n)*" if line.strip() == ELISION else re.escape(_plain(line)) + r"\n" for line in shown)
    return re.fullmatch(pattern, "".join(_plain(line) + "\n" for line in printed)) is not None


def _plain(line):
    """The line without what differs from run to run or between machines: addresses and times."""
    return SECONDS.sub("0 s", ADDRESS.sub("0x0", line)).rstrip()
