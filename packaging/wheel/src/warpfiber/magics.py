# SPDX-License-Identifier: Apache-2.0
"""Cell magics for IPython and Jupyter.

%%cuda [option of nvcc...] [-- argument...]                       builds the cell as a program and runs it
%%warpfiber [option of warpfiber check or nvcc...] [-- argument...]   builds it, checks it, and shows the report
"""
import html
import os
import shlex
import subprocess
import tempfile

from warpfiber.installed import command

FILE = "cell.cu"


def run_cell(subcommand, line, cell, report=None):
    """Runs `warpfiber run` or `check` on a cell; its exit code and what it prints, output and errors as one text."""
    words = shlex.split(line)
    at = words.index("--") if "--" in words else len(words)
    with tempfile.TemporaryDirectory(prefix="warpfiber-cell-") as folder:
        with open(os.path.join(folder, FILE), "w", encoding="utf-8") as file:
            file.write(cell if cell.endswith("\n") else cell + "\n")
        page = ["--report", report] if report else []
        done = subprocess.run([command(), subcommand, *page, *words[:at], FILE, *words[at:]], cwd=folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def cuda(line, cell):
    """%%cuda: builds the cell as a CUDA program and runs it."""
    print(run_cell("run", "--quiet " + line, cell)[1], end="")


def warpfiber(line, cell):
    """%%warpfiber: builds the cell with checks, runs it, and shows what was found, as text and as a page."""
    with tempfile.TemporaryDirectory(prefix="warpfiber-report-") as folder:
        page = os.path.join(folder, "report.html")
        _, text = run_cell("check", line, cell, page)
        print(text, end="")
        if os.path.exists(page):
            with open(page, encoding="utf-8") as file:
                _show(file.read())


def _show(page):
    from IPython.display import HTML, display

    # IPython warns of pages that are a frame and nothing else, and has no such frame with the page in it.
    display(HTML(f'<div><iframe srcdoc="{html.escape(page)}" style="width: 100%; height: 36em; border: 0"></iframe></div>'))


def register(shell):
    """What %load_ext warpfiber calls."""
    shell.register_magic_function(cuda, magic_kind="cell", magic_name="cuda")
    shell.register_magic_function(warpfiber, magic_kind="cell", magic_name="warpfiber")
