# SPDX-License-Identifier: Apache-2.0
"""What traces hold that commands and programs write, decoded without Warpfiber: command_test.py WARPFIBER"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import perfetto_schema as schema

WARPFIBER = pathlib.Path(sys.argv.pop(1)).resolve()

PROGRAM = """#include <cstdio>
#include <cstdlib>
__global__ void sum(const int* in, int* out) {
  __shared__ int part[64];
  part[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  int x = part[63 - threadIdx.x];
  for (int lanes = 16; lanes > 0; lanes /= 2) x += __shfl_down_sync(0xffffffff, x, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(out, x);
}
__global__ void wide(volatile unsigned long long* words) {
  words[0] = 0xfedcba9876543210;
  words[1] = words[0];
}
__global__ void race(int* out) { out[0] = threadIdx.x; }
int main(int argc, char**) {
  int *in, *out;
  cudaMalloc(&in, 5 * 256);
  cudaMalloc(&out, 4);
  cudaMemset(in, 0, 5 * 256);
  cudaMemset(out, 0, 4);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  sum<<<5, 64, 0, stream>>>(in, out);
  cudaStreamSynchronize(stream);
  if (argc > 1) race<<<1, 64>>>(out);
  if (argc > 2) wide<<<1, 1>>>((unsigned long long*)in);
  cudaDeviceSynchronize();
}
"""


class Track:
    """A row of a viewer: its name, its parent, and what happens on it as (step, what, name)."""

    def __init__(self, name, parent):
        self.name, self.parent, self.events = name, parent, []

    def path(self):
        return (self.parent.path() if self.parent else ()) + (self.name,)

    def check_nesting(self):
        open_ones, last = 0, 0
        for step, what, _ in self.events:
            assert step >= last, f"{self.path()}: step {step} comes after {last}"
            last = step
            open_ones += {"begin": 1, "end": -1}.get(what, 0)
            assert open_ones >= 0, f"{self.path()}: an end without a begin"
        assert open_ones == 0, f"{self.path()}: a begin without an end"

    def slices(self):
        return [name for _, what, name in self.events if what == "begin"]

    def instants(self):
        return [name for _, what, name in self.events if what == "instant"]


def read_perfetto(path):
    tracks = {}
    packets = schema.packets(path.read_bytes())
    assert packets[0]["sequence_flags"] == [1] and not any("sequence_flags" in packet for packet in packets[1:]), "the first packet clears the state"
    for packet in packets:
        assert packet["trusted_packet_sequence_id"] == [1]
        for descriptor in packet.get("track_descriptor", []):
            (uuid,) = descriptor["uuid"]
            if uuid == 0:  # all processes have ranks
                assert packet is packets[0] and descriptor["process_ordering"] == [1]
                continue
            assert uuid not in tracks and len(descriptor["sibling_order_rank"]) == 1
            process = descriptor.get("process")
            name = process[0]["process_name"][0] if process else descriptor["name"][0]
            tracks[uuid] = Track(name, None if process else tracks[descriptor["parent_uuid"][0]])
        for event in packet.get("track_event", []):
            what = {schema.SLICE_BEGIN: "begin", schema.SLICE_END: "end", schema.INSTANT: "instant"}[event["type"][0]]
            (time,) = packet["timestamp"]
            assert time % 1000 == 0
            for annotation in event.get("debug_annotations", []):
                assert len(annotation["name"]) == 1 and len(annotation) == 2
            tracks[event["track_uuid"][0]].events.append((time // 1000, what, event.get("name", [""])[0]))
    return list(tracks.values())


def read_json(path):
    tracks, names = {}, {}
    for event in json.loads(path.read_text())["traceEvents"]:
        place = event["pid"], event["tid"]
        assert type(event["pid"]) is int and type(event["tid"]) is int
        if event["ph"] == "M":
            if event["name"] in ("process_name", "thread_name"):
                names[place if event["name"] == "thread_name" else place[0]] = event["args"]["name"]
            continue
        if place not in tracks:
            tracks[place] = Track(names[place], Track(names[place[0]], None))
        assert type(event["ts"]) is int and (event["ph"] != "i" or event["s"] == "t")
        assert all(type(value) is str or value < 1 << 53 for value in event.get("args", {}).values())
        what = {"B": "begin", "E": "end", "i": "instant"}[event["ph"]]
        tracks[place].events.append((event["ts"], what, event.get("name", "")))
    return list(tracks.values())


class Traces(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        (cls.folder / "sum.cu").write_text(PROGRAM)
        subprocess.run([WARPFIBER, "nvcc", "-fcheck", "sum.cu", "-o", "checked"], cwd=cls.folder, check=True)
        subprocess.run([WARPFIBER, "nvcc", "-c", "sum.cu"], cwd=cls.folder, check=True)

    def run_command(self, *arguments, **variables):
        return subprocess.run([WARPFIBER, *arguments], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, **variables})

    def trace(self, subcommand, program, file="t.pftrace"):
        done = self.run_command(subcommand, "--trace", file, program)
        self.assertEqual((done.returncode, done.stderr.count("trace")), (0, 0), done.stderr)
        tracks = (read_json if file.endswith(".json") else read_perfetto)(self.folder / file)
        for track in tracks:
            track.check_nesting()
        return tracks

    def test_a_trace_has_streams_launches_slots_blocks_and_warps(self):
        tracks = {track.path(): track for track in self.trace("check", "./checked")}
        launch = "launch 1: sum(int const*, int*)"
        streams = [path for path in tracks if path[0] == "streams of device 0" and len(path) == 2]
        self.assertEqual(len(streams), 2)
        self.assertIn("sum", str([tracks[path].slices() for path in streams]))
        self.assertEqual(tracks[launch, "launch"].slices(), ["sum(int const*, int*)"])
        blocks = {path[1] for path in tracks if path[0] == launch and path[1:2] and path[1].startswith("block")}
        self.assertLessEqual({"block (0,0,0)", "block (4,0,0)"}, blocks)
        self.assertLessEqual(len(blocks), 3)
        in_slots = sorted(name for path in tracks if path[1:2] and path[1].startswith("SM slot")
                          for name in tracks[path].slices())
        self.assertEqual(in_slots, [f"block ({i},0,0)" for i in range(5)])
        block = tracks[launch, "block (0,0,0)"]
        self.assertEqual(block.slices(), ["block (0,0,0)", "epoch 0", "epoch 1"])
        self.assertEqual(block.instants(), ["barrier of the block sum.cu:6"])
        warp = tracks[launch, "block (0,0,0)", "warp 1"]
        self.assertEqual(warp.slices()[:32], [f"lane {i}" for i in range(32)])
        self.assertEqual(warp.instants().count("load sum.cu:5"), 32)
        self.assertEqual(warp.instants().count("store sum.cu:5"), 32)
        self.assertEqual(warp.instants().count("meet: lanes 0-31 sum.cu:8"), 5)

    def test_json_has_what_the_other_format_has(self):
        # Steps differ from run to run: the host asks for work while its streams do some.
        of_json, of_perfetto = ([[event[1:] for event in track.events] for track in self.trace("check", "./checked", file)
                                 if track.events] for file in ("t.json", "t.pftrace"))
        self.assertEqual(of_json, of_perfetto)

    def test_values_beyond_the_integers_of_doubles_are_texts_in_json(self):
        self.run_command("check", "--trace", "t.json", "./checked", "--", "race", "wide")
        self.assertTrue('"value":"18364758544493064720"' in (self.folder / "t.json").read_text())

    def test_run_and_profile_write_traces(self):
        plain = {track.path(): track for track in self.trace("run", "sum.cu")}
        warp = plain["launch 1: sum(int const*, int*)", "block (0,0,0)", "warp 0"]
        self.assertEqual(set(warp.instants()), {"meet: lanes 0-31 sum.cu:8"})
        self.assertTrue(self.trace("profile", "sum.cu"))

    def test_a_program_writes_a_trace_without_a_command(self):
        subprocess.run(["./checked"], cwd=self.folder, check=True, env={**os.environ, "WARPFIBER_TRACE": "of-%p.json"})
        (file,) = self.folder.glob("of-*.json")
        self.assertTrue(read_json(file))

    def test_the_trace_of_several_runs_is_of_the_first_that_fails(self):
        done = self.run_command("check", "--seeds", "3", "--keep-going", "--trace", "t.json", "./checked", "--", "race")
        self.assertEqual(done.returncode, 1)
        paths = [track.path() for track in read_json(self.folder / "t.json")]
        self.assertIn(("launch 2: race(int*)", "block (0,0,0) warp 1"), paths)

    def test_what_cannot_be_written_is_said(self):
        done = self.run_command("run", "--trace", "t.txt", "sum.o")
        self.assertEqual(done.returncode, 2)
        self.assertIn("the name of a trace ends in .json or .pftrace", done.stderr)
        done = self.run_command("run", "--trace", "nowhere/t.json", "sum.o")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nowhere/t.json: no trace was written", done.stderr)
        done = self.run_command("run", "sum.o", WARPFIBER_TRACE="t.txt")
        self.assertEqual(done.returncode, 0)
        self.assertIn("WARPFIBER_TRACE=t.txt is ignored: the name of a trace ends in .json or .pftrace", done.stderr)


unittest.main()
