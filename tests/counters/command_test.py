# SPDX-License-Identifier: Apache-2.0
"""What `warpfiber profile` prints, writes and returns: command_test.py WARPFIBER"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

WARPFIBER = pathlib.Path(sys.argv.pop(1)).resolve()

PROGRAM = """#include <cstdio>
#include <cstdlib>
__constant__ float factor;
__device__ int total;
__global__ void scale(const float* in, float* out) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x] * factor;
}
__global__ void add(float* out) { atomicAdd(&total, static_cast<int>(out[threadIdx.x])); }
__global__ void race(float* out) { out[0] = threadIdx.x; }
int main(int argc, char** argv) {
  float *in, *out;
  cudaMalloc(&in, 256);
  cudaMalloc(&out, 256);
  cudaMemset(in, 0, 256);
  if (argc > 1 && atoi(argv[1]) == 4) return 4;
  scale<<<1, 64>>>(in, out);
  scale<<<1, 64>>>(in, out);
  add<<<1, 64>>>(out);
  if (argc > 1 && atoi(argv[1]) == 5) race<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  std::printf("done\\n");
  return 0;
}
"""

TABLE = """done
add(float*)
  1 launch, 1 block, 64 threads
  line         access         requests  threads  sectors  same address
  scale.cu:11  global load           2     32.0      4.0
  scale.cu:11  global atomic         2     32.0      1.0          32.0

scale(float const*, float*)
  2 launches, 2 blocks, 128 threads
  synchronisations: 2 of a block
  line        access         requests  threads  sectors  wavefronts  conflicts
  scale.cu:7  global load           4     32.0      4.0
  scale.cu:7  shared store          4     32.0                  1.0        0.0
  scale.cu:8  block barrier         2
  scale.cu:9  global store          4     32.0      4.0
  scale.cu:9  shared load           4     32.0                  1.0        0.0
  scale.cu:9  constant load         4     32.0

threads, sectors of 32 bytes, wavefronts and bank conflicts are means per request of a warp
"""


UNEVEN = """uneven(int*)
  1 launch, 2 blocks, 64 threads
  synchronisations: 4 of a block
  line          access         requests  threads  sectors                          longest wait
  uneven.cu:3   executed             64     16.5
  uneven.cu:4   executed             62     16.0
  uneven.cu:5   executed             32     16.0
  uneven.cu:6   block barrier         2                    78 steps by (0,0,0) of block (0,0,0)
  uneven.cu:8   executed              2     16.0
  uneven.cu:9   executed              2     16.0
  uneven.cu:9   block barrier         2
  uneven.cu:10  executed              2     16.0
  uneven.cu:10  global store          2     16.0      2.0

threads, sectors of 32 bytes, wavefronts and bank conflicts are means per request of a warp

uneven(int*)
  executed  threads  uneven.cu
         2     32.0      2    int sum = 0;
        64     16.5      3    for (int i = 0; i < threadIdx.x; ++i)
        62     16.0      4      if (i % 2 == 0)
        32     16.0      5        sum += i;
         2     32.0      6    __syncthreads();
         2     32.0      7    if (threadIdx.x >= 16)
         2     16.0      8      return;
         2     16.0      9    __syncthreads();
         2     16.0     10    to[threadIdx.x] = sum;
"""


class Profile(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        (self.folder / "scale.cu").write_text(PROGRAM)

    def tearDown(self):
        self.scratch.cleanup()

    def profile(self, *arguments):
        return subprocess.run([WARPFIBER, "profile", *arguments], cwd=self.folder, capture_output=True, text=True)

    def test_the_table_has_a_row_for_each_line(self):
        done = self.profile("scale.cu")
        self.assertEqual((done.stdout, done.stderr, done.returncode), (TABLE, "", 0))

    def test_json_and_csv_hold_the_sums(self):
        self.assertEqual(self.profile("--json", "p.json", "--csv=p.csv", "scale.cu").returncode, 0)
        document = json.loads((self.folder / "p.json").read_text())
        self.assertEqual(document["version"], 1)
        kernel = document["kernels"][1]
        self.assertEqual(kernel["metrics"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 16)
        self.assertEqual([kernel[name] for name in ("waves", "last_wave_blocks")], [1, 1])
        self.assertEqual(kernel["barriers"], {"block": 2, "cluster": 0, "grid": 0, "warp": 0})
        [barrier] = kernel["synchronisations"]
        self.assertEqual([barrier[name] for name in ("line", "width", "count", "threads")], [8, "block", 2, 128])
        rows = list(csv.DictReader((self.folder / "p.csv").read_text().splitlines()))
        self.assertEqual(len(rows), 11)
        self.assertEqual([rows[-1][name] for name in ("line", "space", "operation", "requests", "threads")],
                         ["9", "", "executed", "4", "128"])
        self.assertEqual(rows[3]["kernel"], "scale(float const*, float*)")
        self.assertEqual((rows[3]["line"], rows[3]["sectors"], rows[3]["wavefronts"]), ("7", "16", ""))

    def test_blocks_that_do_not_fit_at_once_come_in_waves(self):
        (self.folder / "waves.cu").write_text("""__global__ void fill(char* to) { to[blockIdx.x] = 1; }
int main() {
  char* to;
  cudaMalloc(&to, 5000);
  fill<<<3, 1024>>>(to);
  fill<<<500, 1024>>>(to);
  cudaDeviceSynchronize();
}
""")
        self.assertIn("  2 launches, 503 blocks, 515,072 threads\n  2 waves of 264 blocks, 236 blocks in the last\n",
                      self.profile("waves.cu").stdout)

    def test_lines_have_the_lanes_that_execute_them_and_barriers_who_waits_longest(self):
        (self.folder / "uneven.cu").write_text("""__global__ void uneven(int* to) {
  int sum = 0;
  for (int i = 0; i < threadIdx.x; ++i)
    if (i % 2 == 0)
      sum += i;
  __syncthreads();
  if (threadIdx.x >= 16)
    return;
  __syncthreads();
  to[threadIdx.x] = sum;
}
int main() {
  int* to;
  cudaMalloc(&to, 128);
  uneven<<<2, 32>>>(to);
  cudaDeviceSynchronize();
}
""")
        self.assertEqual(self.profile("--source", "uneven.cu").stdout, UNEVEN)

    def test_collectives_have_their_lanes(self):
        (self.folder / "lanes.cu").write_text("""#include <cooperative_groups.h>
__global__ void meet(int* to) {
  int value = __shfl_down_sync(~0u, threadIdx.x, 1);
  if (threadIdx.x % 4 == 0)
    value += __any_sync(0x11111111, value);
  auto tile = cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block());
  tile.sync();
  __syncthreads();
  to[threadIdx.x] = value;
}
int main() {
  int* to;
  cudaMalloc(&to, 512);
  meet<<<1, 128>>>(to);
  cudaDeviceSynchronize();
}
""")
        self.assertEqual(self.profile("--json", "p.json", "lanes.cu").returncode, 0)
        [kernel] = json.loads((self.folder / "p.json").read_text())["kernels"]
        self.assertEqual([tuple(place.values())[1:5] for place in kernel["synchronisations"]],
                         [(3, "warp", 4, 128), (5, "warp", 4, 32), (7, "group", 2, 128), (8, "block", 1, 128)])

    def test_the_exit_code_is_the_programs(self):
        done = self.profile("scale.cu", "--", "4")
        self.assertEqual(done.returncode, 4)
        self.assertIn("nothing was counted: no kernel ran to its end", done.stderr)

    def test_races_are_looked_for_only_with_check(self):
        done = self.profile("scale.cu", "--", "5")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("race(float*)", done.stdout)
        counted = done.stdout
        done = self.profile("--check", "scale.cu", "--", "5")
        self.assertEqual(done.returncode, 66)
        self.assertEqual(done.stdout, counted)
        self.assertIn("race-global", done.stderr)

    def test_nothing_is_counted_where_no_kernel_runs(self):
        (self.folder / "host.cu").write_text("int main() {}\n")
        self.assertEqual(self.profile("host.cu").returncode, 3)

    def test_wrong_usage(self):
        done = self.profile("--jason", "p.json", "scale.cu")
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean '--json'", done.stderr)
        self.assertEqual(self.profile().returncode, 2)
        self.assertEqual(self.profile("--json", "nowhere/p.json", "scale.cu").returncode, 2)
        (self.folder / "broken.cu").write_text("int main() { return x; }\n")
        self.assertEqual(self.profile("broken.cu").returncode, 1)


unittest.main()
