# SPDX-License-Identifier: Apache-2.0
"""The command line that `warpfiber step` passes on, and which of the two front ends runs."""
import argparse
import os
import signal
import sys

from .debugger import Debugger
from .errors import Fatal
from .script import Script
from .session import Session
from .source import Sources

WRONG_USAGE = 2
INTERRUPTED = 130


def say(text):
    print("warpfiber step: " + text, file=sys.stderr)


def parse(arguments):
    parser = argparse.ArgumentParser(prog="warpfiber-step.py", add_help=False)
    parser.add_argument("--gdb", required=True)
    parser.add_argument("--commands", required=True)
    parser.add_argument("--script")
    parser.add_argument("--width", type=int, default=80)
    parser.add_argument("--watch", action="append", default=[])
    behind = arguments.index("--")
    options = parser.parse_args(arguments[:behind])
    options.program = arguments[behind + 1:]
    return options


def lines_of(name):
    if name == "-":
        return (line.rstrip("\n") for line in sys.stdin)
    try:
        with open(name, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()
    except OSError as error:
        raise Fatal("cannot read %s: %s" % (name, error.strerror)) from None


def write(text):
    if text:
        print(text, flush=True)


def run_script(options):
    lines = lines_of(options.script)
    debugger = Debugger(options.gdb, options.commands, options.program, interactive=False)
    try:
        session = Session(debugger, options.watch)
        write(session.start())
        error = Script(session, Sources(), options.width, write).run(lines, options.script)
    finally:
        debugger.close()
    if error:
        say(error)
        return WRONG_USAGE
    return 0


def run_screen(options):
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        raise Fatal("needs a terminal; without one use --script")
    from .screen import run
    return run(options)


def main(arguments):
    options = parse(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as by nohup
            signal.signal(number, lambda received, _: sys.exit(128 + received))
    try:
        return run_script(options) if options.script else run_screen(options)
    except Fatal as error:
        say(str(error))
        return WRONG_USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # nobody reads any more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
