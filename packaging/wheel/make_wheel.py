#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# make_wheel.py PREFIX FOLDER
#
# Makes the wheel of an installation, by Python's own library alone: the package in src, and the installation below it. A
# wheel has no symbolic links, so these are listed, and made when the command is first called (src/warpfiber/installed.py).
# The same files give the same bytes. Also the backend of pyproject.toml, which takes WARPFIBER_PREFIX.
import base64
import hashlib
import os
import re
import sys
import time
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
TAG = "py3-none-manylinux_2_28_x86_64"
LINKS = "warpfiber/links.txt"
# Caches of a tree that was used, and what is only for a system's own folders.
LEFT_OUT = re.compile(r"(^|/)(cache|__pycache__|man|bash-completion|zsh|fish)(/|$)|\.pyc$")


def project():
    """Of pyproject.toml: its [project] by plain lines, as Python before 3.11 has no reader for it."""
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        text = file.read()
    words = dict(re.findall(r'^([\w-]+) = "(.*)"$', text, re.MULTILINE))
    sections = re.findall(r'^\[project\.(scripts|entry-points\.[\w"-]+)\]\n((?:[\w.-]+ = ".*"\n)+)', text, re.MULTILINE)
    return words, {name.replace("entry-points.", "").strip('"'): lines for name, lines in sections}


def metadata(words):
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    return (f"Metadata-Version: 2.1\nName: warpfiber\nVersion: {words['version']}\nSummary: {words['description']}\n"
            f"License: Apache-2.0\nRequires-Python: {words['requires-python']}\n"
            f"Description-Content-Type: text/markdown\n\n{readme}")


def entry_points(sections):
    names = {"scripts": "console_scripts"}
    return "\n".join(f"[{names.get(name, name)}]\n" + lines.replace('"', "") for name, lines in sorted(sections.items()))


def files_below(folder, prefix):
    """Pairs of a name in the wheel and a path; symbolic links stay links."""
    for here, folders, names in os.walk(folder):
        for name in list(folders):
            if os.path.islink(os.path.join(here, name)):
                folders.remove(name)
                names.append(name)
        for name in names:
            path = os.path.join(here, name)
            place = os.path.relpath(path, folder)
            if not LEFT_OUT.search(place):
                yield f"{prefix}/{place}", path


def contents(installation):
    """{name in the wheel: (bytes, mode)}"""
    words, sections = project()
    found, links = {}, []
    for name, path in list(files_below(os.path.join(HERE, "src", "warpfiber"), "warpfiber")) + list(
            files_below(installation, "warpfiber/prefix")):
        if os.path.islink(path):
            links.append(f"{os.path.relpath(name, 'warpfiber')} {os.readlink(path)}\n")
        else:
            with open(path, "rb") as file:
                found[name] = (file.read(), 0o755 if os.access(path, os.X_OK) else 0o644)
    found[LINKS] = ("".join(sorted(links)).encode(), 0o644)
    folder = f"warpfiber-{words['version']}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: make_wheel\nRoot-Is-Purelib: false\nTag: {TAG}\n"
    for name, text in ("METADATA", metadata(words)), ("WHEEL", wheel), ("entry_points.txt", entry_points(sections)):
        found[f"{folder}/{name}"] = (text.encode(), 0o644)
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, (data, _) in sorted(found.items()))
    found[f"{folder}/RECORD"] = (f"{record}{folder}/RECORD,,\n".encode(), 0o644)
    return words["version"], found


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def make(installation, folder):
    if not os.path.exists(os.path.join(installation, "bin", "warpfiber")):
        sys.exit(f"make_wheel.py: there is no bin/warpfiber below {installation}: name an installation, "
                 "as cmake --install --prefix makes one")
    version, found = contents(installation)
    # A zip file knows no time before 1980.
    stamp = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "315532800")), 315532800))[:6]
    name = f"warpfiber-{version}-{TAG}.whl"
    os.makedirs(folder, exist_ok=True)
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as archive:
        # What says what the rest is comes last.
        for place in sorted(found, key=lambda each: (".dist-info/" in each, each)):
            data, mode = found[place]
            entry = zipfile.ZipInfo(place, stamp)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    del config_settings, metadata_directory
    if "WARPFIBER_PREFIX" not in os.environ:
        sys.exit("make_wheel.py: set WARPFIBER_PREFIX to the installation that the wheel is made of")
    return make(os.environ["WARPFIBER_PREFIX"], wheel_directory)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: make_wheel.py PREFIX FOLDER")
    print(os.path.join(sys.argv[2], make(os.path.abspath(sys.argv[1]), sys.argv[2])))


if __name__ == "__main__":
    main()
