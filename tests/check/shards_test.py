#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# `warpfiber check --seeds A..B --shard I/N` and `warpfiber merge`: what many processes find is what one finds; shards
# that were interrupted go on; what is missing, or does not belong together, is said.
#   shards_test.py <warpfiber> <program of shards.cu>
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

WARPFIBER, PROGRAM = sys.argv[1:3]
FOUND, REFUSED, UNCHECKED, NOT_BUILT, FAILED = 1, 2, 3, 4, 5
# What schedulers set for whoever runs this test is none of its business.
NAMES = ("SLURM_", "OMPI_", "PMI_", "GTEST_", "CI_NODE_", "WARPFIBER_SEED")
PLAIN = {name: value for name, value in os.environ.items() if not name.startswith(NAMES)}
# So that reports name the command in a word.
PLAIN["PATH"] = os.path.dirname(WARPFIBER) + os.pathsep + PLAIN["PATH"]


class Shards(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="shards-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.program = os.path.join(self.folder, "app")
        shutil.copy(PROGRAM, self.program)

    def start(self, words, environment=None):
        return subprocess.Popen([WARPFIBER, *words], cwd=self.folder, env={**PLAIN, **(environment or {})}, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def call(self, words, environment=None):
        process = self.start(words, environment)
        said, _ = process.communicate()
        return process.returncode, said

    def check(self, shard, *arguments, seeds="1..12", options=(), environment=None, file="found-%s.json"):
        words = ["check", "--seeds", seeds, *(["--shard", shard] if shard else []), "--json", file, *options, "./app"]
        return self.call([*words, *arguments], environment)

    def all_shards(self, count, *arguments, **named):
        return [self.check(f"{number}/{count}", *arguments, **named)[0] for number in range(1, count + 1)]

    def merge(self, *files, options=()):
        return self.call(["merge", "--json", "all.json", *options, *files])

    def document(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return json.load(file)

    def files(self):
        return sorted(name for name in os.listdir(self.folder) if name.startswith("found-"))

    def remove(self, *names):
        for name in names:
            if os.path.exists(os.path.join(self.folder, name)):
                os.remove(os.path.join(self.folder, name))

    def assertSays(self, said, *texts):
        for text in texts:
            self.assertIn(text, said)


class Merging(Shards):
    def facts(self, name):
        document = self.document(name)
        kept = ("id", "severity", "seed", "found_in_runs", "repeats", "sites", "again")
        findings = [{key: finding.get(key) for key in kept} for finding in document["findings"]]
        shared = ("runs", "seeds", "policies", "failed_runs", "launches", "checked", "hooks", "suppressed", "unlisted")
        return findings, {key: document[key] for key in shared}

    def test_shards_find_what_one_process_finds(self):
        for arguments, status in ((["trap", "8"], FOUND), (["fail", "9"], FOUND), (["fail", "1"], FAILED), (["differ", "10"], 0), ([], 0)):
            for count in (5, 12):
                with self.subTest(arguments, count=count):
                    self.remove("one.json", *self.files())
                    keeps_going = ["--keep-going"]
                    self.assertEqual(self.check("1/1", *arguments, options=keeps_going, file="one.json")[0], status)
                    self.all_shards(count, *arguments, options=keeps_going)
                    self.assertEqual(self.merge(*self.files())[0], status)
                    self.assertEqual(self.facts("all.json"), self.facts("one.json"))

    def test_first_seed_and_counts_are_said(self):
        self.assertEqual(self.all_shards(3, "trap", "6", options=["--keep-going"]), [0, FOUND, FOUND])
        status, said = self.merge(*self.files())
        self.assertEqual(status, FOUND)
        self.assertSays(said, "trap  stop<<<", "first by seed 6, by 7 of 12 runs", "3 of 3 shards, 12 of 12 seeds",
                        "1 error in 12 runs", "warpfiber check --seed 6 --policy delays ./app -- trap 6")

    def test_merged_files_can_be_merged(self):
        self.all_shards(3, "trap", "6", options=["--keep-going"])
        self.assertEqual(self.call(["merge", "--json", "two.json", "found-3.json", "found-1.json"])[0], FOUND)
        self.assertEqual(self.merge("two.json", "found-2.json")[0], FOUND)
        finding = self.document("all.json")["findings"][0]
        self.assertEqual((finding["seed"], finding["found_in_runs"]), (6, 7))
        self.assertEqual(sorted(self.document("all.json")["seeds"]), list(range(1, 13)))

    def test_searches_behind_one_another_are_one(self):
        self.assertEqual(self.all_shards(2, seeds="1..4"), [0, 0])
        self.assertEqual(self.check("", seeds="5..6", file="found-next.json")[0], 0)
        status, said = self.merge(*self.files())
        self.assertEqual(status, 0)
        self.assertSays(said, "3 of 3 shards, 6 of 6 seeds")

    def test_other_formats(self):
        self.all_shards(2, "trap", "6", options=["--sarif", "s-%s.sarif", "--junit", "j-%s.xml"])
        options = ["--sarif", "all.sarif", "--junit", "all.xml", "--format", "gcc"]
        status, said = self.merge(*self.files(), options=options)
        self.assertEqual(status, FOUND)
        self.assertRegex(said, r"shards\.cu:\d+: error: .* \[trap\]")
        self.assertEqual(len(self.document("all.sarif")["runs"][0]["results"]), 1)
        with open(os.path.join(self.folder, "all.xml"), encoding="utf-8") as file:
            self.assertIn('<testsuite name="app"', file.read())
        self.assertTrue(os.path.exists(os.path.join(self.folder, "s-1.sarif")))
        self.assertTrue(os.path.exists(os.path.join(self.folder, "j-2.xml")))


class Missing(Shards):
    def test_missing_shards(self):
        self.all_shards(4)
        status, said = self.merge("found-1.json", "found-4.json")
        self.assertEqual(status, UNCHECKED)
        self.assertSays(said, "shards 2..3 of 4 of seeds 1..12 are missing: 6 seeds were not run",
                        "2 of 4 shards, 6 of 12 seeds")

    def test_an_error_counts_more_than_a_missing_shard(self):
        self.check("2/2", "trap", "1")
        status, said = self.merge("found-2.json")
        self.assertEqual(status, FOUND)
        self.assertSays(said, "shard 1 of 2 of seeds 1..12 is missing")

    def test_shards_that_stop_early(self):
        self.assertEqual(self.all_shards(2), [0, 0])
        document = self.document("found-2.json")
        document["shards"][0].update(ran=2, ended="a hang")
        document.update(runs=2, seeds=[7, 8])
        with open(os.path.join(self.folder, "found-2.json"), "w", encoding="utf-8") as file:
            json.dump(document, file)
        status, said = self.merge(*self.files())
        self.assertEqual(status, 0)
        self.assertSays(said, "found-2.json: shard 2/2 stopped at a launch that hangs, after 2 of 6 seeds")

    def test_failing_shards_fail_the_merge(self):
        for arguments, statuses, status, text in (
                (["fail", "1"], [FAILED, FAILED], FAILED, "in 12 of 12 runs: with seed 1 it ended with exit code 3"),
                (["quit", "7"], [0, UNCHECKED], UNCHECKED, "found-2.json: nothing was checked: no kernel ran")):
            with self.subTest(arguments):
                self.remove(*self.files())
                self.assertEqual(self.all_shards(2, *arguments), statuses)
                merged, said = self.merge(*self.files())
                self.assertEqual(merged, status)
                self.assertSays(said, text)

    def test_programs_that_do_not_build(self):
        with open(os.path.join(self.folder, "broken.cu"), "w", encoding="utf-8") as file:
            file.write("int main() { return }\n")
        words = ["check", "--seeds", "1..4", "--json", "found-%s.json", "broken.cu"]
        for shard in ("1/2", "2/2"):
            self.assertEqual(self.call([*words[:3], "--shard", shard, *words[3:]])[0], NOT_BUILT)
        status, said = self.merge(*self.files())
        self.assertEqual(status, NOT_BUILT)
        self.assertSays(said, "found-1.json: nothing was checked: the program could not be built")
        # Nothing was run, so the corrected program begins anew.
        with open(os.path.join(self.folder, "broken.cu"), "w", encoding="utf-8") as file:
            file.write("__global__ void k() {}\nint main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n")
        self.assertEqual(self.call([*words[:3], "--shard", "1/2", *words[3:]])[0], 0)

    def test_what_does_not_belong_together(self):
        self.all_shards(2)
        shutil.copy(os.path.join(self.folder, "found-1.json"), os.path.join(self.folder, "copy.json"))
        self.check("2/2", options=["--strict"], file="strict.json")
        self.check("2/2", "fail", "9", file="other.json")
        self.check("2/3", file="thirds.json")
        with open(self.program, "ab") as file:
            file.write(b"built again")
        self.check("2/2", file="built.json")
        os.rename(self.program, os.path.join(self.folder, "apple"))
        os.symlink("apple", self.program)
        self.call(["check", "--seeds", "1..12", "--shard", "2/2", "--json", "apple.json", "./apple"])
        for other, text in (("copy.json", "both of shard 1/2 of seeds 1..12"),
                            ("strict.json", "was made with other options: '--strict', not ''"),
                            ("other.json", "was made with other options: '-- fail 9', not ''"),
                            ("thirds.json", "seeds 1..12 in 3 shards: these have seeds in common"),
                            ("built.json", "is of another app: it was built or edited in between"),
                            ("apple.json", "is of another program: apple, not app"),
                            ("app", "app: the file is not of a shard"),
                            ("nowhere.json", "nowhere.json: the file cannot be read: No such file")):
            with self.subTest(other):
                status, said = self.merge("found-1.json", other)
                self.assertEqual(status, REFUSED)
                self.assertSays(said, text)
                self.assertFalse(os.path.exists(os.path.join(self.folder, "all.json")))
        self.assertEqual(self.call(["merge"])[0], REFUSED)


class Continuing(Shards):
    def test_interrupted_shards_go_on(self):
        for number, status in ((signal.SIGTERM, UNCHECKED), (signal.SIGKILL, -signal.SIGKILL)):
            with self.subTest(signal=number):
                self.remove("flag", *self.files())
                arguments = ["end", str(int(number)), "10", "flag", "differ", "11", "trap", "12"]
                self.assertEqual(self.check("1/2", *arguments)[0], 0)
                ended, said = self.check("2/2", *arguments)
                self.assertEqual(ended, status)
                if number == signal.SIGTERM:
                    self.assertSays(said, "shard 2/2 was interrupted after 3 of 6 seeds; the same command goes on")
                self.assertEqual(self.document("found-2.json")["seeds"], [7, 8, 9])
                merged, said = self.merge(*self.files())
                self.assertEqual(merged, UNCHECKED)
                self.assertSays(said, "found-2.json: shard 2/2 was interrupted after 3 of 6 seeds")
                ended, said = self.check("2/2", *arguments)
                self.assertEqual(ended, FOUND)
                self.assertSays(said, "3 seeds have been run")
                document = self.document("found-2.json")
                self.assertEqual(document["seeds"], [7, 8, 9, 10, 11, 12])
                self.assertEqual([finding["id"] for finding in document["findings"]], ["trap"])
                self.assertEqual(self.merge(*self.files())[0], FOUND)
                # Where all was run, the result is given again.
                before = os.stat(os.path.join(self.folder, "flag")).st_mtime_ns
                ended, said = self.check("2/2", *arguments)
                self.assertEqual(ended, FOUND)
                self.assertSays(said, "shard 2/2 has been run; remove the file to run it again", "trap  stop<<<")
                self.assertEqual(os.stat(os.path.join(self.folder, "flag")).st_mtime_ns, before)

    def test_results_that_differ_are_kept(self):
        arguments = ["end", str(int(signal.SIGKILL)), "10", "flag", "differ", "8"]
        self.assertEqual(self.check("2/2", *arguments)[0], -signal.SIGKILL)
        self.assertEqual(self.document("found-2.json")["findings"][0]["seed"], 8)
        status, said = self.check("2/2", *arguments)
        self.assertEqual(status, 0)
        self.assertSays(said, "nondeterminism (warning)", "first by seed 8, by 1 of 6 runs")

    def test_files_of_other_shards_stay(self):
        self.check("1/2", file="one.json")
        with open(os.path.join(self.folder, "one.json"), encoding="utf-8") as file:
            before = file.read()
        for shard, named, text in (("2/2", {}, "is of shard 1/2 of seeds 1..12, not of 2/2 of 1..12; each shard needs"),
                                   ("1/2", {"seeds": "1..13"}, "is of shard 1/2 of seeds 1..12, not of 1/2 of 1..13"),
                                   ("1/2", {"options": ["--strict"]}, "this call was made with other options: '--strict'"),
                                   ("1/2", {"options": ["--keep-going"]}, "this call was made with other options")):
            with self.subTest(text):
                status, said = self.check(shard, file="one.json", **named)
                self.assertEqual(status, REFUSED)
                self.assertSays(said, "one.json: the file ", text)
        with open(os.path.join(self.folder, "one.json"), encoding="utf-8") as file:
            self.assertEqual(file.read(), before)
        status, said = self.check("1/2", file="app")
        self.assertEqual(status, REFUSED)
        self.assertSays(said, "is there and is not of a shard; remove it")


class Many(Shards):
    def test_processes_at_the_same_time(self):
        """Each has its file, and of those that want the same one all but one are refused."""
        count = 8
        started = [self.start(["check", "--seeds", "1..16", "--shard", f"{number}/{count}", "--json", name, "./app"])
                   for number in range(1, count + 1) for name in ("found-%s.json", "same.json")]
        ended = [(process.communicate()[0], process.returncode) for process in started]
        self.assertEqual([status for _, status in ended[0::2]], [0] * count)
        self.assertEqual(sorted(status for _, status in ended[1::2]), [0] + [REFUSED] * (count - 1))
        status, said = self.merge(*self.files())
        self.assertEqual(status, 0)
        self.assertSays(said, "8 of 8 shards, 16 of 16 seeds")
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(["app", "all.json", "same.json", *self.files()]))

    def test_more_shards_than_seeds(self):
        self.assertEqual(self.all_shards(3, seeds="5..6"), [0, 0, 0])
        status, said = self.merge(*self.files())
        self.assertEqual(status, 0)
        self.assertSays(said, "3 of 3 shards, 2 of 2 seeds")

    def test_the_environment_names_the_shard(self):
        status, said = self.check("", environment={"OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "4"})
        self.assertEqual(status, 0)
        self.assertSays(said, "shard 3/4 by OMPI_COMM_WORLD_RANK=2: seeds 7..9 of 1..12")
        self.assertEqual(self.document("found-3.json")["seeds"], [7, 8, 9])
        # Not where the command says something else, or asks for a number of seeds.
        told = {"GTEST_SHARD_INDEX": "1", "GTEST_TOTAL_SHARDS": "2"}
        status, said = self.check("1/1", environment=told, file="whole.json")
        self.assertEqual(len(self.document("whole.json")["seeds"]), 12)
        self.assertSays(said, "tests in 2")
        self.check("", seeds="12", environment=told, file="plain.json")
        self.assertEqual(len(self.document("plain.json")["seeds"]), 12)
        # The tests of the program are not divided once more.
        status, said = self.check("", environment=told, file="tests.json")
        self.assertSays(said, "shard 2/2 by GTEST_SHARD_INDEX=1", "tests in 1")
        status, said = self.check("", environment={"CI_NODE_INDEX": "9", "CI_NODE_TOTAL": "4"})
        self.assertEqual(status, REFUSED)
        self.assertSays(said, "CI_NODE_INDEX=9 is not one of CI_NODE_TOTAL=4, from 1; --shard I/N says which")

    def test_what_goes_not_together(self):
        for words, text in ((["--shard", "1/2"], "--shard needs --seeds A..B"),
                            (["--seeds", "4", "--shard", "1/2"], "--shard needs --seeds A..B"),
                            (["--seeds", "4..1"], "the first not above the last"),
                            (["--seeds", "1..4", "--shard", "3/2"], "a number from 1 and how many shards"),
                            (["--seeds", "1..4", "--seed", "2"], "says where the seeds begin"),
                            (["--seeds", "1..4", "--shard", "1/2", "--trace", "t.json"],
                             "--trace t.json: each shard writes one; put %s"),
                            (["--seeds", "1..4", "--shard", "1/2", "--try-fixes"], "not for a shard"),
                            (["--seeds", "1..4", "--shard", "1/2", "--schedule", "s"], "no shorter schedule")):
            with self.subTest(words):
                status, said = self.call(["check", *words, "./app"])
                self.assertEqual(status, REFUSED)
                self.assertSays(said, text)

    def test_traces_and_headers_of_many(self):
        """Processes that share nothing but a folder, from the first compilation on."""
        shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), "shards.cu"), self.folder)
        cache = {"WARPFIBER_CACHE": os.path.join(self.folder, "cache")}
        words = ["--trace", "t-%s.json", "--json", "found-%s.json", "shards.cu"]
        started = [self.start(["check", "--seeds", "1..4", "--shard", f"{number}/4", *words], cache) for number in (1, 2, 3, 4)]
        for process in started:
            said, _ = process.communicate()
            self.assertEqual(process.returncode, 0, said)
            self.assertNotIn("nvcc:", said)
        for number in (1, 2, 3, 4):
            self.assertTrue(self.document(f"t-{number}.json")["traceEvents"])
        # One name for all: whose trace it is nobody knows, but it is one.
        traced = {**PLAIN, "WARPFIBER_TRACE": "t.json"}
        started = [subprocess.Popen(["./app"], cwd=self.folder, env=traced) for _ in range(4)]
        self.assertEqual([process.wait() for process in started], [0] * 4)
        self.assertTrue(self.document("t.json")["traceEvents"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
