# SPDX-License-Identifier: Apache-2.0
#
# The source tree as the architecture rules see it: which files there are, what language they are in, their text, and
# the order of rooms that src/README.md lays down. Paths are relative to the root, with forward slashes.
import functools
import os
import re
import shutil
import subprocess

SKIPPED_FOLDERS = {".git", ".cache", "build", "__pycache__"}
CPP_SUFFIXES = (".hpp", ".cpp", ".h", ".cu", ".cuh")
BINARY_SUFFIXES = (".png", ".jpg", ".gz")
ROOM_ROW = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)


class Tree:
    def __init__(self, root):
        self.root = root
        self.paths = sorted(_files(root))

    def read(self, path):
        return _read(os.path.join(self.root, path))

    def exists(self, path):
        return os.path.exists(os.path.join(self.root, path))

    def rooms(self):
        return ROOM_ROW.findall(self.read("src/README.md"))

    @functools.cached_property
    def folders(self):
        """The folder of each room in src: that of its README.md. A room lies in a wing, or is one by itself."""
        found = [path.split("/") for path in self.paths if path.startswith("src/") and path.endswith("/README.md")]
        return {parts[-2]: "/".join(parts[:-1]) for parts in found if 2 < len(parts) < 5}

    def room_of(self, path):
        """The room that a file of src lies in, else the folder below src."""
        parts = path.split("/")
        return next((name for name, folder in self.folders.items() if path.startswith(folder + "/")), parts[1])

    def source(self, name):
        """The path of what an #include of src names: "engine/worker.hpp" lies in the folder of its room."""
        room, _, rest = name.partition("/")
        return f"{self.folders.get(room, 'src/' + room)}/{rest}"

    def text_files(self):
        return [path for path in self.paths if not path.endswith(BINARY_SUFFIXES)]

    def cpp_files(self):
        return [path for path in self.paths if is_cpp(path)]

    def headers(self):
        return [path for path in self.cpp_files() if is_header(path)]

    def code_files(self):
        return [path for path in self.text_files() if is_cpp(path) or is_script(path, self.read(path))]


def source_folders(root):
    """Where includes of src begin: src, and each wing in it."""
    source = os.path.join(root, "src")
    return [source] + sorted(entry.path for entry in os.scandir(source) if entry.is_dir())


def is_cpp(path):
    """C++ by its suffix, or one of NVIDIA's headers without a suffix (include/cuda/std/barrier)."""
    return path.endswith(CPP_SUFFIXES) or (path.startswith("include/") and "." not in os.path.basename(path))


def is_header(path):
    return path.endswith((".hpp", ".h", ".cuh")) or (is_cpp(path) and "." not in os.path.basename(path))


def is_script(path, text):
    return path.endswith((".py", ".cmake", ".sh")) or path.endswith("CMakeLists.txt") or text.startswith("#!")


def _files(root):
    """What git tracks or would track; every file where there is no repository or no git."""
    command = ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"]
    if os.path.exists(os.path.join(root, ".git")) and shutil.which("git"):
        listed = subprocess.run(command, capture_output=True, text=True)
        if listed.returncode == 0:
            return [path for path in listed.stdout.splitlines() if os.path.isfile(os.path.join(root, path))]
    return _walk(root)


def _walk(root):
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in SKIPPED_FOLDERS]
        for name in files:
            yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


@functools.lru_cache(maxsize=None)
def _read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()
