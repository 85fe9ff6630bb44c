#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# `warpfiber crosscheck` on the gallery, with recordings that are whole, incomplete and damaged: what is not compared is
# no success. Arguments: the command, and the file of all recordings, which this test takes apart.
import gzip
import os
import re
import subprocess
import sys
import tempfile
import unittest

WARPFIBER, RECORDINGS = sys.argv[1:3]
NAMES = {"saxpy": "gallery-88f3b5be.recording", "vector_add": "gallery-5b157f48.recording"}  # as a GPU's side leaves them


def recordings():
    """{kernel: the text of its recording}"""
    with gzip.open(RECORDINGS, "rb") as file:
        text = file.read()
    found = re.findall(rb'warpfiber-recording 1\n.*?\nend [0-9a-f]{16}\n(?=warpfiber-recording|\Z)', text, re.DOTALL)
    return {re.search(rb'"arguments": \["(\w+)"\]', one)[1].decode(): one for one in found}


class Gallery(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.recordings = recordings()

    def write(self, name, *texts):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(b"".join(texts))
        return path

    def check(self, replay, kernels, status, *said):
        ended = subprocess.run([WARPFIBER, "crosscheck", "--replay", replay, "--", *kernels], capture_output=True, text=True)
        for text in said:
            self.assertIn(text, ended.stdout + ended.stderr)
        self.assertEqual(ended.returncode, status)

    def test_a_file_holds_several_recordings_in_any_order(self):
        both = self.write("both", gzip.compress(self.recordings["vector_add"]), gzip.compress(self.recordings["saxpy"]))
        self.check(both, NAMES, 0, "2 kernels, 2 equal, 0 different, 0 not compared")

    def test_a_kernel_without_a_recording_in_the_file_is_a_failure(self):
        one = self.write("one", self.recordings["vector_add"])
        self.check(one, NAMES, 2, f"{one}: there is no such recording in it", "1 equal, 0 different, 1 not compared",
                   "counts as a failure: saxpy")

    def test_a_damaged_recording_in_the_file_is_a_failure(self):
        damaged = self.recordings["saxpy"].replace(b"end ", b"END ")
        file = self.write("damaged", self.recordings["vector_add"], damaged)
        self.check(file, NAMES, 2, "1 equal, 0 different, 1 not compared", "the recording is damaged")

    def test_what_comes_behind_something_else_is_not_read(self):
        file = self.write("mixed", b"something else\n", self.recordings["saxpy"])
        self.check(file, ["saxpy"], 2, "is not a recording", "counts as a failure: saxpy")

    def test_a_folder_has_a_file_for_each_kernel(self):
        for kernel, name in NAMES.items():
            self.write(name, self.recordings[kernel])
        self.check(self.folder, NAMES, 0, "2 kernels, 2 equal, 0 different, 0 not compared")
        saxpy = self.write(NAMES["saxpy"], b"something else")
        self.check(self.folder, NAMES, 2, "is not a recording", "1 equal, 0 different, 1 not compared",
                   "counts as a failure: saxpy")
        os.remove(saxpy)
        self.check(self.folder, NAMES, 2, f"no recording {saxpy}", "counts as a failure: saxpy")
        self.check(self.folder, ["vector_add"], 0, "1 kernel, 1 equal")

    def test_what_is_not_there_is_a_failure(self):
        self.check(os.path.join(self.folder, "nowhere"), NAMES, 2, "2 not compared")
        self.check(RECORDINGS, ["moon"], 2, "there is no kernel 'moon'")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
