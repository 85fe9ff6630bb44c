#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Runs every command that a page of the documentation shows, in a copy of examples/, and compares what it prints with what
# the page says it prints.
#   run_docs.py [--update] [PAGE...]    all pages if none is named; installs build/ci first, and runs what was installed
#   run_docs.py --rules [PAGE...]       only the rules of pages.py, no commands
#   run_docs.py --skipped REASON PAGE   only the blocks with `skip: REASON`, of those who have what these need
import argparse
import difflib
import os
import shutil
import subprocess
import sys
import tempfile

import pages
import terminal

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Page:
    """A page whose commands are run one after the other, in one copy of examples/."""

    def __init__(self, root, name, environment, scratch, reason=None):
        self.root, self.name, self.environment, self.reason = root, name, environment, reason
        self.folder = os.path.join(scratch, pages.examples_of(name))
        with open(os.path.join(root, name), encoding="utf-8") as file:
            self.text = file.read()
        self.failures, self.changes = [], []

    def run(self):
        for block in pages.blocks_of(self.name, self.text):
            wanted = block.rest == f"skip: {self.reason}" if self.reason else not block.skipped
            if block.language in pages.SHELL and wanted:
                self._run_block(block)

    def _run_block(self, block):
        shown, pairs, code = [], block.commands(), 0
        for number, (command, expected) in enumerate(pairs):
            printed, code = terminal.run(command, self.folder, self.environment)
            printed = [line.replace(self.folder + "/", "") for line in printed]
            if number + 1 < len(pairs) and code != 0:
                self._fail(block, command, f"ended with {code}", printed)
            if block.language == "console":
                right = terminal.same(expected, printed) or (not expected and printed == [""])
                if not right:
                    self._fail(block, command, "prints something else", _difference(expected, printed))
                shown += [line for line in ("$ " + command).split("\n")] + (expected if right else _shown(printed))
        if code != block.exit_code:
            self._fail(block, pairs[-1][0], f"ended with {code}, not {block.exit_code}", printed)
        self._change(block, shown, code)

    def _fail(self, block, command, what, lines):
        shown = "\n".join("    " + line for line in lines)
        self.failures.append(f"{block.place}: `{command}` {what}:\n{shown}")

    def _change(self, block, shown, code):
        if block.language == "console" and (shown != block.lines or code != block.exit_code):
            self.changes.append((block, shown, code))

    def update(self):
        """Writes what was printed into the page, and the exit code behind the block's language."""
        lines = self.text.split("\n")
        for block, shown, code in reversed(self.changes):
            lines[block.first:block.first + len(block.lines)] = [(block.indent + line).rstrip() for line in shown]
            rest = block.rest if block.skipped else f"exit={code}" if code else ""
            lines[block.first - 1] = f"{block.indent}```console {rest}".rstrip()
        with open(os.path.join(self.root, self.name), "w", encoding="utf-8") as file:
            file.write("\n".join(lines))


def _shown(printed):
    return [] if printed == [""] else [line.rstrip() for line in printed]


def _difference(expected, printed):
    return list(difflib.unified_diff(expected, _shown(printed), "shown", "printed", lineterm=""))


def environment_for(warpfiber, scratch):
    """The environment of a user without settings of their own, with the command on the path."""
    binaries = os.path.dirname(os.path.abspath(warpfiber))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WARPFIBER_", "CUDA_VISIBLE_"))}
    path = os.pathsep.join([binaries, kept.get("PATH", "/usr/bin:/bin")])
    return {**kept, "PATH": path, "HOME": scratch, "TMPDIR": scratch, "NO_COLOR": "1", "TERM": "dumb", "LC_ALL": "C.UTF-8",
            "CMAKE_PREFIX_PATH": os.path.dirname(binaries),
            # Open MPI, 4 and 5: also as root, and with more processes than cores.
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
            "WARPFIBER_CACHE": os.path.join(os.path.dirname(binaries), "cache")}


def install(build):
    """Installs a build tree into a folder of its own; returns the command that was installed."""
    prefix = os.path.join(build, "tests", "docs", "prefix")
    done = subprocess.run(["cmake", "--install", build, "--prefix", prefix], text=True, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{done.stderr}Build what is installed first: cmake --build {build} --target "
                 "warpfiber_developer_command warpfiber_crosscheck_gallery")
    return os.path.join(prefix, "bin", "warpfiber")


def run_page(root, name, warpfiber, update, reason):
    with tempfile.TemporaryDirectory(prefix="warpfiber-docs-") as scratch:
        shutil.copytree(os.path.join(root, "examples"), os.path.join(scratch, "examples"))
        page = Page(root, name, environment_for(warpfiber, scratch), scratch, reason)
        page.run()
    if update and page.changes:
        page.update()
        print(f"{name}: {len(page.changes)} blocks updated")
        return [failure for failure in page.failures if "prints something else" not in failure.split("\n")[0]]
    return page.failures


def rules(root, names):
    found = list(pages.unnamed_examples(root)) + list(pages.unnamed_pages(root))
    for name in names:
        found += list(pages.complaints(root, name)) + list(pages.hidden_commands(root, name))
    return found


def main():
    parser = argparse.ArgumentParser(description="Runs the commands that pages of the documentation show.")
    parser.add_argument("--root", default=ROOT, help="the tree with README.md, docs/ and examples/")
    parser.add_argument("--build", default=os.path.join(ROOT, "build/ci"), help="the build tree to install and run")
    parser.add_argument("--warpfiber", help="an installed command to run instead")
    parser.add_argument("--rules", action="store_true", help="look at the pages, run nothing")
    parser.add_argument("--skipped", metavar="REASON", help="run the blocks that are skipped for this reason, and no others")
    parser.add_argument("--update", action="store_true", help="write what the commands print into the pages")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="paths from the root, or from here")
    options = parser.parse_args()
    root = os.path.abspath(options.root)
    names = [os.path.relpath(os.path.abspath(page) if os.path.exists(page) else os.path.join(root, page), root)
             for page in options.pages] or pages.pages_of(root)
    if options.rules:
        failures = rules(root, names)
    else:
        warpfiber = options.warpfiber or install(options.build)
        failures = [failure for name in names
                    for failure in run_page(root, name, warpfiber, options.update, options.skipped)]
    print("\n".join(failures) if failures else f"{len(names)} pages: nothing to complain of")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
