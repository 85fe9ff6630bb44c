// SPDX-License-Identifier: Apache-2.0
//
// Copies the program into device memory, launches the kernel of kernel/run.hpp, and downloads what was asked
// for.
#include "tools/fuzz/program/run.hpp"

#include <algorithm>

#include "tools/fuzz/kernel/run.hpp"

namespace warpfiber::tools::fuzz {
namespace {

LaunchConfig config_of(const Flat& program, const RunSettings& way) {
  const ProgramShape& shape = program.shape;
  LaunchConfig config;
  config.grid = dim3(shape.grid_x, shape.grid_y, 1);
  config.block = dim3(shape.x, shape.y, shape.z);
  config.cluster = dim3(shape.cluster, 1, 1);
  config.cooperative = shape.cooperative != 0;
  config.workers = 1;
  config.policy = way.policy.empty() ? nullptr : way.policy.c_str();
  config.seed = way.seed;
  return config;
}

constexpr std::size_t kMostThreads = 8 * kMaxThreads;

using NodeEvents = std::vector<std::vector<NodeEvent>>;

NodeEvents read_events(const Buffer<NodeEvent>& events, const Buffer<unsigned>& event_count) {
  const std::vector<unsigned> counts = event_count.download();
  const std::vector<NodeEvent> all = events.download();
  NodeEvents read(counts.size());
  for (std::size_t thread = 0; thread < counts.size(); ++thread) {
    const auto first = all.begin() + std::ptrdiff_t(thread * kMaxEvents);
    read[thread].assign(first, first + std::min(counts[thread], kMaxEvents));
  }
  return read;
}

}  // namespace

Runner::Runner() : program_(1), posts_(kMostThreads), words_(kMostThreads), hashes_(kMostThreads), sums_(kMaxNodes) {}

Outcome Runner::run(const Flat& program, const RunSettings& way, Wanted wanted) {
  const std::size_t threads = std::size_t(program.shape.threads()) * program.shape.blocks();
  const std::size_t noting = wanted == Wanted::events ? threads : 0;
  Buffer<NodeEvent> events(std::max<std::size_t>(noting * kMaxEvents, 1));
  Buffer<unsigned> event_count(std::max<std::size_t>(noting, 1));
  Memory memory = {posts_.data(), words_.data(), hashes_.data(), nullptr, nullptr, event_count.data(), way.fault};
  if (wanted == Wanted::sums) {
    sums_.fill(0);
    memory.sums = sums_.data();
  }
  if (noting != 0) memory.events = events.data();
  program_.upload(&program, 1);
  const Flat* const uploaded = program_.data();
  const LaunchResult result = launch(config_of(program, way), interpret, uploaded, memory);
  Outcome outcome;
  if (!result.ok()) outcome.error = *result.message() != 0 ? result.message() : "the launch failed";
  if (!outcome.ok()) return outcome;
  const std::vector<std::uint64_t> hashes = hashes_.download();
  for (std::size_t thread = 0; thread < threads; ++thread) outcome.digest = mix(outcome.digest, hashes[thread]);
  if (noting != 0) outcome.threads = read_events(events, event_count);
  if (wanted != Wanted::sums) return outcome;
  const std::vector<unsigned long long> sums = sums_.download();
  for (unsigned node = 0; node < program.count; ++node) outcome.nodes.push_back(std::uint16_t(sums[node] >> 48));
  return outcome;
}

}  // namespace warpfiber::tools::fuzz
