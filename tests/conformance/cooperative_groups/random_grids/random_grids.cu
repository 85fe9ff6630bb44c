// SPDX-License-Identifier: Apache-2.0
//
// Draws cooperative grids of several blocks and clusters whose threads meet at barriers of every scope, exchange values
// there and leave early, and compares what every thread got with a sequential model.
//   random_grids [<cases> [<first seed>]]     2,000 cases from seed 1 unless given
// A case that goes wrong is told with its seed: `random_grids 1 <seed>` repeats it alone. Ends with 0 if none did. The
// hash is over all that the threads got, so that two machines can be compared by one number.
// The first thread of a block never leaves: barriers of a grid wait for it (docs/semantics.md).
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;

#define BOTH __host__ __device__ inline

constexpr unsigned kMaxPhases = 6;
constexpr unsigned kMaxBlocks = 16;
constexpr unsigned kMaxThreads = 192;

enum class Scope : unsigned char { block, cluster, grid };

enum class Kind : unsigned char {
  sum,      // of all threads of the scope, in global memory
  partner,  // what another thread of the scope has written to global memory
  shared,   // the same through the shared memory of a block of the cluster
  ballot,   // of a full warp
};

struct Phase {
  Scope scope;
  Kind kind;
  bool split;  // arrive, then wait
  std::uint64_t seed;
};

struct Case {
  std::uint64_t seed;
  unsigned blocks, cluster, threads;
  unsigned leaving;   // of 8 parties that could leave early
  unsigned together;  // neighbours that leave at one place
  unsigned phases;
  Phase phase[kMaxPhases];
};

/// Steele, Lea and Flood's SplitMix64.
BOTH std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}
BOTH std::uint64_t draw(std::uint64_t seed, std::uint64_t who) {
  return scramble(seed ^ (who + 1) * 0xd1342543de82ef95ull);
}

/// The phase before which a thread leaves; kMaxPhases: none. Threads are counted through the grid.
BOTH unsigned leaves(const Case& drawn, unsigned thread) {
  if (thread % drawn.threads == 0) return kMaxPhases;
  const std::uint64_t bits = draw(drawn.seed, thread / drawn.together);
  return bits % 8 < drawn.leaving ? unsigned(bits >> 8) % drawn.phases : kMaxPhases;
}

BOTH unsigned blocks_of(const Case& drawn, Scope scope) {
  return scope == Scope::block ? 1 : scope == Scope::cluster ? drawn.cluster : drawn.blocks;
}

/// A thread of the same scope that has not left: the one that `thread` takes a value from.
BOTH unsigned partner_of(const Case& drawn, unsigned phase, unsigned thread) {
  const unsigned blocks = blocks_of(drawn, drawn.phase[phase].scope);
  const std::uint64_t bits = draw(drawn.phase[phase].seed + 1, thread);
  const unsigned block = thread / drawn.threads / blocks * blocks + unsigned(bits >> 32) % blocks;
  const unsigned wanted = block * drawn.threads + unsigned(bits) % drawn.threads;
  return leaves(drawn, wanted) > phase ? wanted : block * drawn.threads;
}

struct Memory {
  unsigned long long* sums;     // a phase and block
  unsigned long long* posts;    // a phase and thread
  unsigned long long* results;  // a phase and thread
};

template <class Group>
__device__ void meet(const Group& group, bool split) {
  if (!split) return group.sync();
  auto arrival = group.barrier_arrive();
  group.barrier_wait(std::move(arrival));
}

__device__ void meet(Scope scope, bool split) {
  switch (scope) {
    case Scope::block: return meet(cg::this_thread_block(), split);
    case Scope::cluster: return meet(cg::this_cluster(), split);
    case Scope::grid: return meet(cg::this_grid(), split);
  }
}

__global__ void __launch_bounds__(kMaxThreads) run_case(const Case* cases, Memory memory) {
  __shared__ unsigned long long posted[kMaxThreads];
  const Case& drawn = *cases;
  const unsigned self = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = 0; i < drawn.phases; ++i) {
    if (leaves(drawn, self) == i) return;
    const Phase phase = drawn.phase[i];
    const unsigned long long value = draw(phase.seed, self);
    const unsigned partner = partner_of(drawn, i, self);
    unsigned long long* const posts = memory.posts + i * kMaxBlocks * kMaxThreads;
    unsigned long long result = 0;
    if (phase.kind == Kind::sum) {
      const unsigned blocks = blocks_of(drawn, phase.scope);
      unsigned long long* const sum = memory.sums + i * kMaxBlocks + blockIdx.x / blocks;
      atomicAdd(sum, value);
      meet(phase.scope, phase.split);
      result = *sum;
    } else if (phase.kind == Kind::partner) {
      posts[self] = value;
      meet(phase.scope, phase.split);
      result = posts[partner];
    } else if (phase.kind == Kind::shared) {
      const cg::cluster_group cluster = cg::this_cluster();
      posted[threadIdx.x] = value;
      meet(phase.scope, phase.split);
      result = cluster.map_shared_rank(posted, partner / blockDim.x % drawn.cluster)[partner % blockDim.x];
      meet(phase.scope, phase.split);
    } else {
      result = cg::tiled_partition<32>(cg::this_thread_block()).ballot(int(value & 1));
    }
    memory.results[i * kMaxBlocks * kMaxThreads + self] = result;
  }
}

// The sequential model.

unsigned long long sum_of(const Case& drawn, unsigned phase, unsigned thread) {
  const unsigned scope = blocks_of(drawn, drawn.phase[phase].scope) * drawn.threads;
  unsigned long long sum = 0;
  for (unsigned t = thread / scope * scope; t < (thread / scope + 1) * scope; ++t) {
    if (leaves(drawn, t) > phase) sum += draw(drawn.phase[phase].seed, t);
  }
  return sum;
}

unsigned long long ballot_of(const Case& drawn, unsigned phase, unsigned thread) {
  unsigned long long ballot = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned t = thread / 32 * 32 + lane;
    if (leaves(drawn, t) > phase) ballot |= (draw(drawn.phase[phase].seed, t) & 1) << lane;
  }
  return ballot;
}

unsigned long long expected(const Case& drawn, unsigned phase, unsigned thread) {
  if (leaves(drawn, thread) <= phase) return 0;
  switch (drawn.phase[phase].kind) {
    case Kind::sum: return sum_of(drawn, phase, thread);
    case Kind::ballot: return ballot_of(drawn, phase, thread);
    default: return draw(drawn.phase[phase].seed, partner_of(drawn, phase, thread));
  }
}

class Drawing {
 public:
  explicit Drawing(std::uint64_t seed) : state_(scramble(seed)) {}
  std::uint64_t bits() { return scramble(state_ += 0x632be59bd9b4e019ull); }
  unsigned below(unsigned limit) { return unsigned(bits() >> 33) % limit; }

 private:
  std::uint64_t state_;
};

Phase draw_phase(Drawing& drawing, const Case& drawn) {
  Phase phase = {Scope(drawing.below(3)), Kind(drawing.below(4)), drawing.below(3) == 0, drawing.bits()};
  // Shared memory reaches as far as the cluster, and tiles of 32 need full warps.
  if (phase.kind == Kind::shared && phase.scope == Scope::grid) phase.scope = Scope::cluster;
  if (phase.kind == Kind::ballot && drawn.threads % 32 != 0) phase.kind = Kind::sum;
  return phase;
}

Case draw_case(std::uint64_t seed) {
  Drawing drawing(seed);
  Case drawn = {};
  drawn.seed = seed;
  drawn.cluster = 1u << drawing.below(4);
  drawn.blocks = drawn.cluster * (1 + drawing.below(kMaxBlocks / drawn.cluster));
  drawn.threads = drawing.below(3) != 0 ? 32 * (1 + drawing.below(kMaxThreads / 32)) : 1 + drawing.below(kMaxThreads);
  drawn.leaving = drawing.below(2) * drawing.below(9);
  drawn.together = 1u << drawing.below(8);
  drawn.phases = 1 + drawing.below(kMaxPhases);
  for (unsigned i = 0; i < drawn.phases; ++i) drawn.phase[i] = draw_phase(drawing, drawn);
  return drawn;
}

void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(status));
  exit(2);
}

class Device {
 public:
  Device() {
    check(cudaMalloc(&case_, sizeof(Case)), "cudaMalloc");
    check(cudaMalloc(&memory_.sums, kMaxPhases * kMaxBlocks * sizeof(unsigned long long)), "cudaMalloc");
    check(cudaMalloc(&memory_.posts, kBytes), "cudaMalloc");
    check(cudaMalloc(&memory_.results, kBytes), "cudaMalloc");
  }
  ~Device() {
    for (void* memory : {static_cast<void*>(case_), static_cast<void*>(memory_.sums), static_cast<void*>(memory_.posts),
                         static_cast<void*>(memory_.results)})
      cudaFree(memory);
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// What every thread got, by phase.
  std::vector<unsigned long long> run(const Case& drawn) {
    check(cudaMemcpy(case_, &drawn, sizeof drawn, cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaMemset(memory_.sums, 0, kMaxPhases * kMaxBlocks * sizeof(unsigned long long)), "cudaMemset");
    check(cudaMemset(memory_.results, 0, kBytes), "cudaMemset");
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim.x = drawn.cluster;
    attributes[0].val.clusterDim.y = attributes[0].val.clusterDim.z = 1;
    attributes[1].id = cudaLaunchAttributeCooperative;
    attributes[1].val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(drawn.blocks);
    config.blockDim = dim3(drawn.threads);
    config.attrs = attributes;
    config.numAttrs = 2;
    check(cudaLaunchKernelEx(&config, run_case, const_cast<const Case*>(case_), memory_), "cudaLaunchKernelEx");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    std::vector<unsigned long long> results(kMaxPhases * kMaxBlocks * kMaxThreads);
    check(cudaMemcpy(results.data(), memory_.results, kBytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return results;
  }

 private:
  static constexpr std::size_t kBytes = kMaxPhases * kMaxBlocks * kMaxThreads * sizeof(unsigned long long);
  Case* case_ = nullptr;
  Memory memory_ = {};
};

void tell(const Case& drawn, unsigned phase, unsigned thread, unsigned long long got) {
  const char* const scopes[] = {"block", "cluster", "grid"};
  const char* const kinds[] = {"sum", "partner", "shared", "ballot"};
  const Phase& at = drawn.phase[phase];
  printf("seed %" PRIu64
         ": %u blocks of %u in clusters of %u; phase %u, %s of the %s%s: thread %u of block %u got %016llx "
         "instead of %016llx\n",
         drawn.seed, drawn.blocks, drawn.threads, drawn.cluster, phase, kinds[int(at.kind)], scopes[int(at.scope)],
         at.split ? ", arrive and wait" : "", thread % drawn.threads, thread / drawn.threads, got,
         expected(drawn, phase, thread));
}

/// Whether every thread got what it had to; adds the results to `hash` (Fowler, Noll and Vo's FNV-1a).
bool compare(const Case& drawn, const std::vector<unsigned long long>& results, std::uint64_t& hash) {
  bool right = true;
  for (unsigned phase = 0; phase < drawn.phases; ++phase) {
    for (unsigned thread = 0; thread < drawn.blocks * drawn.threads; ++thread) {
      const unsigned long long got = results[phase * kMaxBlocks * kMaxThreads + thread];
      for (int byte = 0; byte < 8; ++byte) hash = (hash ^ (got >> 8 * byte & 0xff)) * 0x100000001b3ull;
      if (right && got != expected(drawn, phase, thread)) {
        tell(drawn, phase, thread, got);
        right = false;
      }
    }
  }
  return right;
}

int main(int argc, char** argv) {
  const std::uint64_t count = argc > 1 ? strtoull(argv[1], nullptr, 10) : 2000;
  const std::uint64_t first = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1;
  std::uint64_t hash = 0xcbf29ce484222325ull;
  std::uint64_t mismatches = 0;
  Device device;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Case drawn = draw_case(seed);
    mismatches += !compare(drawn, device.run(drawn), hash);
  }
  printf("cases: %" PRIu64 " mismatches: %" PRIu64 " hash: %016" PRIx64 "\n", count, mismatches, hash);
  return mismatches != 0;
}
