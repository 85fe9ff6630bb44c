# SPDX-License-Identifier: Apache-2.0
"""Lines of source files, as they were when they were first shown."""


class Sources:
    def __init__(self):
        self.files = {}

    def lines(self, path):
        """None: the file cannot be read."""
        if path not in self.files:
            try:
                with open(path, encoding="utf-8", errors="replace") as file:
                    self.files[path] = file.read().splitlines()
            except OSError:
                self.files[path] = None
        return self.files[path]
