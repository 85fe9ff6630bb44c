// SPDX-License-Identifier: Apache-2.0
//
// The samples: stalls as the stall analysis finds them, and the ways a thread can end a launch.
#include "unit/analysis/report/samples.hpp"

#include <numeric>

#include "support/catch.hpp"

namespace warpfiber::report::samples {
namespace {

using record::Finding;
using record::LaunchFacts;
using record::Members;
using record::ObjectFacts;
using record::Party;
using record::Place;
using record::Role;

const std::map<std::pair<std::string, unsigned>, std::string> kSources{
    {{"src/sum.cu", 29}, "    atomicAdd(arrived, 1u);"},
    {{"src/sum.cu", 31}, "    while (load(arrived) < gridDim.x) {  // until all blocks are here"},
    {{"src/sum.cu", 33}, "  __syncthreads();"},
    {{"jacobi.cu", 18}, "    grid.sync();"},
    {{"cg.cu", 41}, "    grid.sync();  // x and r are complete"},
    {{"stencil.cu", 14}, "    __syncthreads();"},
    {{"stencil.cu", 17}, "  __syncthreads();"},
    {{"swap.cu", 11}, "    __syncthreads();"},
    {{"swap.cu", 14}, "    __syncthreads();"},
    {{"exchange.cu", 9}, "    v += __shfl_down_sync(0xffffffff, v, 16);"},
    {{"exchange.cu", 12}, "    __syncthreads();"},
    {{"transfer.cu", 14}, "  while (atomicCAS(second, 0, 1) != 0) {"},
    {{"drain.cu", 11}, "    rounds += __popc(__ballot_sync(0xffffffffu, left & 1));"},
    {{"drain.cu", 14}, "  __syncwarp();"},
    {{"flag.cu", 6}, "  while (*flag == 0) {"},
    {{"scale.cu", 7}, "  out[i] = 2 * in[i];"},
    {{"fill.cu", 9}, "  fill(image, x + 1, y);"},
    {{"check.cu", 8}, "  assert(in[i] >= 0);"},
    {{"rotate.cu", 15}, "    s[t] = v;  // the next round's"},
    {{"rotate.cu", 17}, "    v = s[(t + 1) % N];"},
    {{"src/bounds.cuh", 9}, "  out[i] = value;"},
    {{"bounds.cu", 21}, "  store(out, i, 0.0f);"},
    {{"freed.cu", 8}, "  out[threadIdx.x] = in[threadIdx.x];"},
    {{"freed.cu", 24}, "  CHECK(cudaFree(in));"},
    {{"prefix.cu", 14}, "  const int sum = s[t] + s[t + 1];"},
    {{"stage.cu", 18}, "  __pipeline_memcpy_async(&tile[t], &in[i], 16);"},
    {{"stage.cu", 21}, "  out[i] = 2 * tile[t].x;"},
};

std::vector<std::uint64_t> range(std::uint64_t first, std::uint64_t end, std::uint64_t step = 1) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = first; number < end; number += step) numbers.push_back(number);
  return numbers;
}

Members blocks(const LaunchFacts& launch, std::uint64_t first, std::uint64_t end) {
  return record::members_of_blocks(launch, range(first, end));
}

}  // namespace

Members threads(const LaunchFacts& launch, std::uint64_t first, std::uint64_t end,
                const std::vector<std::uint64_t>& each) {
  std::vector<base::FiberId> ids;
  for (std::uint64_t block = first; block < end; ++block)
    for (const std::uint64_t thread : each) ids.push_back(base::fiber_id(block, thread, base::volume(launch.block)));
  return record::members_of_threads(launch, ids);
}

Members one_thread(const LaunchFacts& launch, std::uint64_t block, std::uint64_t thread) {
  return threads(launch, block, block + 1, {thread});
}

LaunchFacts launch_of(const char* kernel, unsigned grid, unsigned block) {
  return {.kernel = kernel, .grid = {grid, 1, 1}, .block = {block, 1, 1}, .device = "H200"};
}

namespace {

Finding oversized_grid_barrier() {
  Finding f{.verdict = record::Verdict::deadlock, .launch = launch_of("persistent_sum", 160, 256)};
  f.launch.dynamic_shared = 160 * 1024;
  const ObjectFacts arrived{
      .name = "arrived",
      .type = "unsigned",
      .space = "global",
      .address = 0x7f2a40000000,
      .value = "132",
      .last_write = record::Write{blocks(f.launch, 131, 132), {"src/sum.cu", 29, 0, "persistent_sum"}}};
  f.parties = {
      {.role = Role::spin,
       .who = threads(f.launch, 0, 132, {0}),
       .place = {"src/sum.cu", 31, 0, "persistent_sum"},
       .object = arrived},
      {.role = Role::wait,
       .who = threads(f.launch, 0, 132, range(1, 256)),
       .place = {"src/sum.cu", 33, 0, "persistent_sum"},
       .what = "__syncthreads()",
       .detail = "for thread 0 of their block"},
      {.role = Role::not_started,
       .who = blocks(f.launch, 132, 160),
       .detail = "one block fits an SM (shared memory: 160 of 227 KiB)"},
  };
  f.why = "No thread that can run will change arrived; the blocks that would are waiting for an SM.";
  f.fix = "at most 132 blocks: cudaOccupancyMaxActiveBlocksPerMultiprocessor × SM count, or launch cooperatively";
  f.again = "WARPFIBER_SEED=0x5d1 ./sum";
  return f;
}

Finding grid_sync_in_plain_launch() {
  Finding f{.verdict = record::Verdict::cg_misuse, .launch = launch_of("jacobi", 64, 256)};
  f.parties = {
      {.role = Role::call, .who = one_thread(f.launch, 0, 0), .place = {"jacobi.cu", 18}, .what = "sync_grid()"}};
  f.why =
      "A grid barrier needs all blocks on the device at once. Only a cooperative launch guarantees that, and this "
      "launch "
      "is an ordinary one.";
  f.fix = "launch with cudaLaunchCooperativeKernel, or with .cooperative = true in warpfiber::launch";
  f.again = "WARPFIBER_SEED=0x1 ./jacobi";
  return f;
}

Finding block_left_before_grid_barrier() {
  Finding f{.verdict = record::Verdict::deadlock, .launch = launch_of("conjugate_gradient", 8, 128)};
  f.launch.cooperative = true;
  f.parties = {
      {.role = Role::wait,
       .who = threads(f.launch, 0, 7, range(0, 128)),
       .place = {"cg.cu", 41},
       .what = "sync_grid()",
       .detail = "for block (7,0,0)"},
      {.role = Role::exited, .who = blocks(f.launch, 7, 8), .detail = "reached no grid barrier"},
  };
  f.why =
      "A grid barrier counts blocks, also those that have returned: 7 of 8 have arrived and the last one never will.";
  f.fix = "let every block reach grid.sync(): skip the work of a block without rows, not the barrier";
  f.again = "WARPFIBER_SEED=0x1 ./cg";
  return f;
}

Finding unequal_trip_counts() {
  Finding f{.verdict = record::Verdict::barrier_divergence, .launch = launch_of("stencil", 1, 64)};
  f.parties = {
      {.role = Role::wait,
       .who = threads(f.launch, 0, 1, range(0, 32)),
       .place = {"stencil.cu", 14},
       .what = "__syncthreads()",
       .detail = "their 4th barrier"},
      {.role = Role::wait,
       .who = threads(f.launch, 0, 1, range(32, 64)),
       .place = {"stencil.cu", 17},
       .what = "__syncthreads()",
       .detail = "their 4th barrier"},
  };
  f.why =
      "All threads are at their 4th barrier, but at two different ones: threads 0-31 passed stencil.cu:14 three times "
      "and "
      "are there again, threads 32-63 passed it three times and went on.";
  f.fix = "let all threads go round the loop equally often; put the condition around the work, not around the barrier";
  f.sanitizer_term = "Divergent thread(s) in block";
  f.again = "WARPFIBER_SEED=0x1 ./stencil";
  return f;
}

Finding two_barrier_sites() {
  Finding f{.verdict = record::Verdict::barrier_divergence, .launch = launch_of("swap_pairs", 4, 64)};
  f.parties = {
      {.role = Role::wait,
       .who = threads(f.launch, 0, 1, range(1, 64, 2)),
       .place = {"swap.cu", 11},
       .what = "__syncthreads()"},
      {.role = Role::wait,
       .who = threads(f.launch, 0, 1, range(0, 64, 2)),
       .place = {"swap.cu", 14},
       .what = "__syncthreads()"},
  };
  f.why =
      "One barrier of block (0,0,0) is reached at two different __syncthreads(). A device may let it pass or may hang; "
      "CUDA leaves it undefined.";
  f.fix = "one __syncthreads() outside the branch, where all threads of the block pass";
  f.sanitizer_term = "Divergent thread(s) in warp";
  f.again = "WARPFIBER_SEED=0x1 ./swap";
  f.repeats = 3;
  return f;
}

Finding shuffle_against_barrier() {
  Finding f{.verdict = record::Verdict::deadlock, .launch = launch_of("exchange", 1, 32)};
  f.parties = {
      {.role = Role::wait,
       .who = threads(f.launch, 0, 1, range(0, 16)),
       .place = {"exchange.cu", 9},
       .what = "__shfl_down_sync()"},
      {.role = Role::wait,
       .who = threads(f.launch, 0, 1, range(16, 32)),
       .place = {"exchange.cu", 12},
       .what = "__syncthreads()"},
  };
  f.cycle = {{0}, {1}};
  f.why =
      "The mask of the shuffle, 0xffffffff, names lanes that wait at the barrier, and the barrier waits for the lanes "
      "that wait at the shuffle.";
  f.fix = "move the shuffle out of the branch, or name only its lanes: mask 0x0000ffff";
  f.again = "WARPFIBER_SEED=0x1 ./exchange";
  return f;
}

Finding lock_order() {
  Finding f{.verdict = record::Verdict::deadlock, .launch = launch_of("transfer", 2, 1)};
  const auto spinner = [&](std::uint64_t block, const char* lock, std::uint64_t address) {
    const ObjectFacts object{.name = lock,
                             .type = "int",
                             .space = "global",
                             .address = address,
                             .value = "1",
                             .last_write = record::Write{one_thread(f.launch, 1 - block, 0), {"transfer.cu", 12}}};
    return Party{
        .role = Role::spin, .who = one_thread(f.launch, block, 0), .place = {"transfer.cu", 14}, .object = object};
  };
  f.parties = {spinner(0, "locks[7]", 0x7f2a4000001c), spinner(1, "locks[3]", 0x7f2a4000000c)};
  f.cycle = {{0, "locks[7]"}, {1, "locks[3]"}};
  f.why = "Each thread holds the lock that the other one waits for.";
  f.fix = "take both locks in the same order everywhere, for example the one with the lower address first";
  f.again = "WARPFIBER_POLICY=pct:2:100 WARPFIBER_SEED=0x2f ./transfer";
  return f;
}

Finding mask_names_absent_lanes() {
  Finding f{.verdict = record::Verdict::bad_mask, .launch = launch_of("drain", 1, 32)};
  f.parties = {
      {.role = Role::wait,
       .who = threads(f.launch, 0, 1, range(1, 32)),
       .place = {"drain.cu", 11},
       .what = "__ballot_sync()"},
      {.role = Role::wait, .who = threads(f.launch, 0, 1, {0}), .place = {"drain.cu", 14}, .what = "__syncwarp()"},
  };
  f.why =
      "The mask 0xffffffff names lane 0, which has left the loop and waits at drain.cu:14. It can never take part in "
      "this ballot.";
  f.fix = "keep all lanes of the mask in the loop until none has work left, or name only the lanes that are in it";
  f.again = "WARPFIBER_SEED=0x1 ./drain";
  return f;
}

Finding flag_never_set() {
  Finding f{.verdict = record::Verdict::livelock, .launch = launch_of("wait_forever", 1, 1)};
  f.parties = {{.role = Role::spin,
                .who = one_thread(f.launch, 0, 0),
                .place = {"flag.cu", 6},
                .object = ObjectFacts{
                    .name = "flag", .type = "int", .space = "global", .address = 0x7f2a40000000, .value = "0"}}};
  f.why = "No thread of the launch has written flag, and no other thread is left to do it.";
  f.fix = "set flag before the launch, or let another thread of the same launch set it";
  f.again = "WARPFIBER_SEED=0x1 ./flag";
  return f;
}

Finding wild_pointer() {
  Finding f{.verdict = record::Verdict::oob_global, .launch = launch_of("scale", 4, 256)};
  f.parties = {{.role = Role::write,
                .who = one_thread(f.launch, 2, 17),
                .place = {"scale.cu", 7},
                .object = ObjectFacts{.space = "host memory, not allocated on the device", .address = 0x55d0c0de2010}}};
  f.why = "The launch was ended by this access: the address belongs to no allocation of the device.";
  f.fix = "pass a pointer from cudaMalloc or warpfiber::Buffer, not one to host memory";
  f.sanitizer_term = "Invalid __global__ write";
  f.again = "WARPFIBER_SEED=0x1 ./scale";
  return f;
}

Finding uncaught_exception() {
  Finding f{.verdict = record::Verdict::exception, .launch = launch_of("lookup", 2, 32)};
  f.parties = {{.role = Role::throws,
                .who = one_thread(f.launch, 0, 3),
                .what = "std::out_of_range: array::at: __n (which is 40) >= _Nm (which is 32)"}};
  f.why = "An exception left the kernel, which ended the launch. Device code cannot throw; nvcc refuses it.";
  f.fix = "check the condition in the kernel and write a status that the host reads";
  f.again = "WARPFIBER_SEED=0x1 ./lookup";
  return f;
}

Finding stack_overflow() {
  Finding f{.verdict = record::Verdict::stack_overflow, .launch = launch_of("flood_fill", 1, 64)};
  f.parties = {{.role = Role::overflow,
                .who = one_thread(f.launch, 0, 5),
                .place = {"fill.cu", 9, 0, "fill"},
                .detail = "which has 64 KiB of stack"}};
  f.why = "The thread ran into the guard below its stack; no other memory was touched.";
  f.fix = "less recursion or smaller local arrays, or a larger stack: .stack_bytes in warpfiber::launch";
  f.again = "WARPFIBER_SEED=0x1 ./fill";
  return f;
}

Finding failed_assertion() {
  Finding f{.verdict = record::Verdict::assert, .launch = launch_of("check", 16, 128)};
  f.launch.cluster = {2, 1, 1};
  f.parties = {{.role = Role::asserts, .who = one_thread(f.launch, 1, 7), .place = {"check.cu", 8}, .what = "assert"}};
  f.why = "in[i] >= 0 does not hold; the launch ends with cudaErrorAssert.";
  f.again = "WARPFIBER_SEED=0x1 ./check";
  return f;
}

}  // namespace

std::optional<std::string> Sources::line(const std::string& file, unsigned line) {
  const auto found = kSources.find({file, line});
  return found == kSources.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Sample> all() {
  std::vector<Sample> samples{
      {"assert", failed_assertion()},
      {"barrier_divergence_trip_counts", unequal_trip_counts()},
      {"barrier_divergence_two_sites", two_barrier_sites()},
      {"bad_mask_absent_lanes", mask_names_absent_lanes()},
      {"cg_misuse_grid_sync", grid_sync_in_plain_launch()},
      {"deadlock_block_left", block_left_before_grid_barrier()},
      {"deadlock_lock_order", lock_order()},
      {"deadlock_oversized_grid", oversized_grid_barrier()},
      {"deadlock_shuffle_barrier", shuffle_against_barrier()},
      {"exception", uncaught_exception()},
      {"livelock_flag", flag_never_set()},
      {"oob_global_wild_pointer", wild_pointer()},
      {"stack_overflow", stack_overflow()},
  };
  for (Sample& sample : accesses()) samples.push_back(std::move(sample));
  return samples;
}

Finding find(const std::string& name) {
  for (const Sample& sample : all())
    if (sample.name == name) return sample.finding;
  FAIL("no sample " << name);
  return {};
}

}  // namespace warpfiber::report::samples
