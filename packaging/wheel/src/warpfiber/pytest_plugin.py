# SPDX-License-Identifier: Apache-2.0
"""Makes what Warpfiber finds the failure of the test in which it was found.

The tests load kernels from shared objects that `warpfiber nvcc` has built, by ctypes or as an extension. The runtime in
them is found by the names of its functions (warpfiber/testing/running_test.h), wherever and whenever it was loaded.
`-p no:warpfiber` turns the plugin off.
"""
import ctypes
import os
import re

import pytest

_PASSED, _FAILED, _SKIPPED = 1, 2, 3


class _Runtime:
    """The functions of one runtime. There may be several in a process, one in each library that was linked with it."""

    def __init__(self, library):
        self._begin = library.warpfiber_test_begins
        self._begin.argtypes, self._begin.restype = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int], None
        self._take = library.warpfiber_take_test_errors
        self._take.argtypes, self._take.restype = [ctypes.c_int], ctypes.c_ulong
        self._report = library.warpfiber_test_error_report
        self._report.argtypes, self._report.restype = [ctypes.c_ulong], ctypes.c_char_p
        self._end = library.warpfiber_test_ends
        self._end.argtypes, self._end.restype = [ctypes.c_int], None

    def address(self):
        """The same for each library through which it was found."""
        return ctypes.cast(self._take, ctypes.c_void_p).value

    def begin(self, names, runs_already):
        suite, name = names
        self._begin(suite.encode(), name.encode(), int(runs_already))

    def take(self, has_failed):
        """The reports of the errors that were found since the last time."""
        count = self._take(int(has_failed))
        return [self._report(index).decode(errors="replace") for index in range(count)]

    def end(self, outcome):
        self._end(outcome)


class _Runtimes:
    """Those of the libraries that are loaded."""

    def __init__(self):
        self._seen = set()
        self._found = {}

    def known(self):
        return list(self._found.values())

    def find(self):
        """Those that were not known."""
        new = []
        for path in _mapped_files() - self._seen:
            self._seen.add(path)
            runtime = _runtime_in(path)
            if runtime is not None and self._found.setdefault(runtime.address(), runtime) is runtime:
                new.append(runtime)
        return new


def _runtime_in(path):
    try:
        return _Runtime(ctypes.CDLL(path, mode=os.RTLD_NOLOAD | os.RTLD_LAZY))
    except (OSError, AttributeError):  # no library that is loaded, or one without the functions
        return None


def _mapped_files():
    """The files that may be libraries, the program itself among them."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        columns = (line.rstrip("\n").split(maxsplit=5) for line in maps)
        return {of_line[5] for of_line in columns if len(of_line) == 6 and "x" in of_line[1] and of_line[5].startswith("/")}


def _names_of(item):
    """The suite and the name that pytest itself gives the test in its JUnit file."""
    path, bracket, parameters = item.nodeid.partition("[")
    names = path.split("::")
    names[0] = re.sub(r"\.py$", "", names[0].replace("/", "."))
    names[-1] += bracket + parameters
    return ".".join(names[:-1]), names[-1]


class _Plugin:
    def __init__(self):
        self._runtimes = _Runtimes()
        self._outcome, self._names = _PASSED, ("", "")

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        self._outcome, self._names = _PASSED, _names_of(item)
        self._runtimes.find()
        for runtime in self._runtimes.known():
            runtime.begin(self._names, False)
        yield
        for runtime in self._runtimes.known():
            runtime.end(self._outcome)

    # Behind what pytest does itself: where that has failed, these are not called.

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_setup(self, item):
        self._fail_for_errors(item)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_call(self, item):
        self._fail_for_errors(item)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self, item):
        self._fail_for_errors(item)

    def _fail_for_errors(self, item):
        if getattr(item, "_excinfo", None):  # a test of unittest has failed, which shows later
            return
        reports = self._take(False)
        if reports:
            pytest.fail("\n\n".join(reports), pytrace=False)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, call):
        outcome = yield
        report = outcome.get_result()
        if call.excinfo is not None and not (report.skipped and not hasattr(report, "wasxfail")):
            self._add_section(report, self._take(True))
        if report.failed:
            self._outcome = _FAILED
        elif report.skipped and not hasattr(report, "wasxfail") and self._outcome == _PASSED:
            self._outcome = _SKIPPED

    @staticmethod
    def _add_section(report, reports):
        """To a test that has failed by itself."""
        if reports and hasattr(report.longrepr, "addsection"):
            report.longrepr.addsection("Warpfiber", "\n\n".join(reports))
        elif reports:
            report.longrepr = f"{report.longrepr}\n\n" + "\n\n".join(reports)

    def _take(self, has_failed):
        for runtime in self._runtimes.find():  # the test has loaded it
            runtime.begin(self._names, True)
        return [report for runtime in self._runtimes.known() for report in runtime.take(has_failed)]


def pytest_configure(config):
    if not config.pluginmanager.has_plugin("warpfiber_findings"):
        config.pluginmanager.register(_Plugin(), "warpfiber_findings")
