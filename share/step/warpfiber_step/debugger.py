# SPDX-License-Identifier: Apache-2.0
"""gdb with the program, as a process that answers requests (share/gdb/warpfiber_gdb/serving.py)."""
import json
import os
import pathlib
import select
import signal
import subprocess
import tempfile

from .errors import Fatal, Refused

LEAST_GDB = 13
WITHOUT_PYTHON = "Python scripting is not supported"


class Debugger:
    """One gdb. Its own output and the program's go to files; nothing is written to the terminal."""

    def __init__(self, gdb, commands, program, interactive):
        self.folder = tempfile.TemporaryDirectory(prefix="warpfiber-step-")
        self.output = pathlib.Path(self.folder.name) / "output"
        self.output.touch()
        self.process = 0  # number of the program's, while there is one
        self.buffer = b""
        self.log = open(pathlib.Path(self.folder.name) / "gdb", "w+b")
        self.gdb = self.begin(gdb, commands, program, interactive)
        try:
            self.greet(gdb)
        except BaseException:
            self.close()
            raise

    def begin(self, gdb, commands, program, interactive):
        request_end, self.requests = os.pipe()
        self.replies, reply_end = os.pipe()
        environment = {**os.environ, "SHELL": "/bin/sh", "WARPFIBER_COLOUR": "0"}
        if interactive:
            environment.setdefault("WARPFIBER_WATCHDOG", "0")  # which counts the time that somebody looks at a stop
        serve = "python from warpfiber_gdb.serving import serve; serve(%d, %d, %r)" % (
            request_end, reply_end, str(self.output))
        command = [gdb, "-nx", "-q", "-batch", "-x", commands, "-ex", serve, "--args", *program]
        try:
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, env=environment,
                                    pass_fds=(request_end, reply_end), start_new_session=True)
        except OSError as error:
            raise Fatal("cannot start %s: %s; it needs gdb %d or later, which GDB names if it is not on the path" %
                        (gdb, error.strerror, LEAST_GDB)) from None
        finally:
            os.close(request_end)
            os.close(reply_end)

    def greet(self, gdb):
        """The first line says which gdb it is."""
        try:
            version = self.reply()["gdb"]
        except Fatal:
            reason = "has no Python in it" if WITHOUT_PYTHON in self.logged() else "ended at once: " + self.last_words()
            raise Fatal("%s %s; it needs gdb %d or later with Python, which GDB names" %
                        (gdb, reason, LEAST_GDB)) from None
        number = version.split(".")[0]
        if number.isdigit() and int(number) < LEAST_GDB:
            raise Fatal("%s is gdb %s; it needs gdb %d or later with Python, which GDB names" % (gdb, version, LEAST_GDB))

    def logged(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def last_words(self):
        lines = [line for line in self.logged().splitlines() if line.strip()]
        return lines[-1] if lines else "it said nothing"

    def send(self, request):
        try:
            os.write(self.requests, (json.dumps(request) + "\n").encode())
        except BrokenPipeError:
            raise Fatal("gdb has ended: " + self.last_words()) from None

    def poll(self, others=()):
        """Waits for gdb, or for one of the files `others` to have something to read. The next answer; None: there is none
        yet."""
        while True:
            line, found, rest = self.buffer.partition(b"\n")
            if found:
                self.buffer = rest
                message = json.loads(line)
                if "process" in message:
                    self.process = message["process"]
                    continue
                return message
            ready, _, _ = select.select([self.replies, *others], [], [])
            if self.replies not in ready:
                return None
            data = os.read(self.replies, 1 << 16)
            if not data:
                raise Fatal("gdb has ended: " + self.last_words())
            self.buffer += data

    def reply(self):
        return self.poll()

    def checked(self, message):
        if "refused" in message:
            raise Refused(message["refused"])
        if "exit" in message:
            self.process = 0
        return message

    def interrupt(self):
        """The program stops where it is, and gdb answers."""
        if self.process:
            try:
                os.kill(self.process, signal.SIGINT)
            except ProcessLookupError:
                pass

    def printed(self):
        """What the program has printed so far."""
        return self.output.read_text(errors="replace")

    def close(self):
        for descriptor in (self.requests, self.replies):
            os.close(descriptor)
        if self.process:
            try:
                os.kill(self.process, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
        self.gdb.kill()
        self.gdb.wait()
        self.log.close()
        self.folder.cleanup()
