// SPDX-License-Identifier: Apache-2.0
// Blocks have their shared memory from their workers, and the rest is known to the process.
#include "engine/liveness/shared_ranges.hpp"

#include <algorithm>

#include "engine/signals/sample.hpp"
#include "engine/state/circles/spin_history.hpp"
#include "engine/state/worker_state.hpp"
#include "memory/objects.hpp"

namespace warpfiber::engine {
namespace {

void add_blocks(const WorkerState& worker, std::vector<MemoryRange>& to) {
  for (const ResidentBlock* block : worker.resident) {
    if (block->arena.bytes() != 0) to.push_back({block->arena.base(), block->arena.bytes(), false, true});
  }
}

void add_objects(std::vector<MemoryRange>& to) {
  using memory::ObjectKind;
  for (const ObjectKind kind :
       {ObjectKind::variable, ObjectKind::managed, ObjectKind::pinned, ObjectKind::global, ObjectKind::heap}) {
    for (const memory::Object& object : memory::live_objects(kind)) {
      to.push_back({object.base, object.bytes, kind == ObjectKind::heap});
    }
  }
}

}  // namespace

std::vector<MemoryRange> shared_ranges(const WorkerState& worker) {
  std::vector<MemoryRange> ranges;
  add_blocks(worker, ranges);
  add_objects(ranges);
  return ranges;
}

std::vector<MemoryRange> shared_ranges(const Grid& grid) {
  std::vector<MemoryRange> ranges;
  for (const WorkerState* worker : grid.workers) add_blocks(*worker, ranges);
  add_objects(ranges);
  return ranges;
}

std::vector<MemoryRange> without_words(const std::vector<MemoryRange>& ranges, std::vector<const void*> words) {
  std::ranges::sort(words);
  std::vector<MemoryRange> parts;
  for (MemoryRange rest : ranges) {
    for (const void* one : words) {
      const char* word = static_cast<const char*>(one);
      if (word < rest.begin || word + sizeof(std::uint64_t) > rest.begin + rest.bytes) continue;
      MemoryRange before = rest;
      before.bytes = static_cast<std::size_t>(word - rest.begin);
      if (before.bytes != 0) parts.push_back(before);
      rest.bytes -= before.bytes + sizeof(std::uint64_t);
      rest.begin = word + sizeof(std::uint64_t);
    }
    if (rest.bytes != 0) parts.push_back(rest);
  }
  return parts;
}

std::optional<std::uint64_t> hash_of(std::span<const MemoryRange> ranges) {
  struct Look {
    std::span<const MemoryRange> ranges;
    std::uint64_t hash;
  } look{ranges, 1};
  const auto hash = [](void* data) {
    auto& all = *static_cast<Look*>(data);
    for (const MemoryRange& one : all.ranges) all.hash = hash_bytes(one.begin, one.begin + one.bytes, all.hash);
  };
  if (!read_guarded(hash, &look)) return std::nullopt;
  return look.hash;
}

}  // namespace warpfiber::engine
