// SPDX-License-Identifier: Apache-2.0
//
// Draws random groups and random collectives, runs them, and compares what every thread got with a sequential model.
//   random_groups [<cases> [<first seed> [as-found]]]     10,000 cases from seed 1 unless given
// A case that goes wrong is told with its seed: `random_groups 1 <seed>` repeats it alone. Ends with 0 if none did.
// coalesced_threads() is expected to find all threads that take a branch, as an H200 does, though no device has to;
// with as-found, any of them. The hash is over all that the threads got, so that two machines can be compared by one
// number.
#include <cuda_runtime.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "draw.h"
#include "kernel.h"
#include "model.h"
#include "words.h"

namespace {

using namespace random_groups;

constexpr int kToldCases = 20;

void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(status));
  exit(2);
}

struct Verdict {
  std::uint64_t mismatches = 0;
  std::uint64_t hash = 0xcbf29ce484222325ull;  // Fowler, Noll and Vo's FNV-1a

  void add(std::uint64_t result) {
    for (int byte = 0; byte < 8; ++byte) hash = (hash ^ (result >> 8 * byte & 0xff)) * 0x100000001b3ull;
  }
};

class Device {
 public:
  Device() {
    check(cudaMalloc(&cases_, kBatch * sizeof(Case)), "cudaMalloc");
    check(cudaMalloc(&results_, kBatch * kMaxThreads * kSlots * sizeof(std::uint64_t)), "cudaMalloc");
  }
  ~Device() {
    cudaFree(cases_);
    cudaFree(results_);
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// What every thread of every case got; cases have blocks of the same shape.
  std::vector<std::uint64_t> run(const std::vector<Case>& cases, const Shape& shape) {
    std::vector<std::uint64_t> results(cases.size() * shape.threads() * kSlots);
    const std::size_t bytes = results.size() * sizeof results[0];
    check(cudaMemcpy(cases_, cases.data(), cases.size() * sizeof(Case), cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaMemset(results_, 0, bytes), "cudaMemset");
    run_cases<<<unsigned(cases.size()), dim3(shape.x, shape.y, shape.z)>>>(cases_, results_);
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    check(cudaMemcpy(results.data(), results_, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return results;
  }

 private:
  Case* cases_ = nullptr;
  std::uint64_t* results_ = nullptr;
};

void tell_mismatch(const Case& drawn, const Shape& shape, const Part& part, unsigned thread, int slot) {
  printf("seed %" PRIu64 ": %s; thread %u: ", drawn.seed, in_words(drawn, shape, part.plan).c_str(), thread);
  if (slot < kLevels) {
    printf("group %d", slot);
  } else {
    const Actions& actions = drawn.plans[part.plan].actions[part.actions];
    printf("action %d of %d, %s", slot - kLevels + 1, actions.count, in_words(actions.list[slot - kLevels]).c_str());
  }
}

void compare(const Case& drawn, const Shape& shape, const std::uint64_t* results, bool as_found, Verdict& verdict) {
  const Model model(drawn, shape.threads(), as_found ? results : nullptr);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < model.results().size(); ++i) {
    verdict.add(results[i]);
    if (results[i] == model.results()[i] || wrong++ != 0 || verdict.mismatches >= kToldCases) continue;
    const auto thread = unsigned(i / kSlots);
    tell_mismatch(drawn, shape, model.part(thread), thread, int(i % kSlots));
    printf(" is %016" PRIx64 " instead of %016" PRIx64 "\n", results[i], model.results()[i]);
  }
  verdict.mismatches += wrong != 0;
}

Verdict run(std::uint64_t count, std::uint64_t first, bool as_found) {
  Verdict verdict;
  Device device;
  for (std::uint64_t seed = first; seed < first + count;) {
    const Shape shape = draw_shape(seed);
    std::vector<Case> cases;
    do cases.push_back(draw_case(seed++));
    while (seed < first + count && seed % kBatch != 0);
    const std::vector<std::uint64_t> results = device.run(cases, shape);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      compare(cases[i], shape, results.data() + i * shape.threads() * kSlots, as_found, verdict);
    }
  }
  return verdict;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t count = argc > 1 ? strtoull(argv[1], nullptr, 10) : 10000;
  const std::uint64_t first = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1;
  const bool as_found = argc > 3 && strcmp(argv[3], "as-found") == 0;
  const Verdict verdict = run(count, first, as_found);
  printf("cases: %" PRIu64 " mismatches: %" PRIu64 " hash: %016" PRIx64 "\n", count, verdict.mismatches, verdict.hash);
  return verdict.mismatches != 0;
}
