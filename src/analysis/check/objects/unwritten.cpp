// SPDX-License-Identifier: Apache-2.0
// Bytes are unwritten where neither the host nor a kernel has written them and they hold what fresh memory does.
#include "check/objects/unwritten.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "base/locks/annotated_mutex.hpp"
#include "check/cells/check_state.hpp"
#include "check/cells/word.hpp"
#include "memory/objects.hpp"
#include "memory/shared_arena.hpp"

namespace warpfiber::check {

// Ranges are kept joined, so that a look finds one range at most.

void HostWrites::add(const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const char* begin = static_cast<const char*>(from);
  const char* end = begin + bytes;
  const base::Lock lock(mutex_);
  auto next = ranges_.upper_bound(begin);
  if (next != ranges_.begin() && std::prev(next)->second >= begin) --next;
  while (next != ranges_.end() && next->first <= end) {
    begin = std::min(begin, next->first);
    end = std::max(end, next->second);
    next = ranges_.erase(next);
  }
  ranges_.emplace(begin, end);
}

void HostWrites::remove(const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const char* begin = static_cast<const char*>(from);
  const char* end = begin + bytes;
  const base::Lock lock(mutex_);
  auto next = ranges_.upper_bound(begin);
  if (next != ranges_.begin() && std::prev(next)->second > begin) --next;
  while (next != ranges_.end() && next->first < end) {
    const auto [first, last] = *next;
    next = ranges_.erase(next);
    if (first < begin) ranges_.emplace(first, begin);
    if (last > end) ranges_.emplace(end, last);
  }
}

bool HostWrites::contain(const void* from, std::size_t bytes) const {
  const char* begin = static_cast<const char*>(from);
  const base::Lock lock(mutex_);
  const auto after = ranges_.upper_bound(begin);
  return after != ranges_.begin() && std::prev(after)->second >= begin + bytes;
}

std::vector<Stretch> HostWrites::gaps(const void* from, std::size_t bytes) const {
  std::vector<Stretch> found;
  const char* at = static_cast<const char*>(from);
  const char* const end = at + bytes;
  const base::Lock lock(mutex_);
  auto range = ranges_.upper_bound(at);
  if (range != ranges_.begin()) at = std::max(at, std::prev(range)->second);
  for (; range != ranges_.end() && range->first < end; ++range) {
    if (range->first > at) found.push_back({at, static_cast<std::size_t>(range->first - at)});
    at = range->second;
  }
  if (at < end) found.push_back({at, static_cast<std::size_t>(end - at)});
  return found;
}

HostWrites& host_writes() {
  return CheckState::of_process().host_writes.get();
}

namespace {

std::uint64_t load(unsigned plane, std::size_t index) {
  return __atomic_load_n(shadow.plane(plane) + index, __ATOMIC_RELAXED);
}

/// Which bytes of the word at an address hold what fresh memory does.
unsigned fresh_bytes(const char* word) {
  std::uint32_t value = 0;
  std::memcpy(&value, word, sizeof value);
  value ^= memory::kPoisonWord;
  unsigned bytes = 0;
  for (unsigned i = 0; i < kWordBytes; ++i) bytes |= (value >> 8 * i & 0xff) == 0 ? 1U << i : 0;
  return bytes;
}

/// Which bytes of a word kernels have written.
unsigned written_bytes(std::size_t index) {
  return load(0, index) == 0 ? 0 : initialised_of(load(1, index));
}

/// Puts bytes together that come one after the other.
class Collector {
 public:
  explicit Collector(const std::function<void(const Stretch&)>& visit) : visit_(visit) {}

  void add(const char* byte) {
    if (open_.from + open_.bytes != byte) {
      finish();
      open_.from = byte;
    }
    ++open_.bytes;
  }

  void finish() {
    if (open_.bytes != 0) visit_(open_);
    open_ = Stretch{};
  }

 private:
  const std::function<void(const Stretch&)>& visit_;
  Stretch open_{};
};

/// Of the word at `word`, those of its bytes that are within [from, end).
void visit_word(const char* word, const char* from, const char* end, Collector& collector) {
  unsigned bytes = fresh_bytes(word);
  if (bytes == 0) return;
  bytes &= ~written_bytes(shadow.index_of(word));
  for (; bytes != 0; bytes &= bytes - 1) {
    const char* byte = word + std::countr_zero(bytes);
    if (byte >= from && byte < end) collector.add(byte);
  }
}

}  // namespace

void for_each_unwritten(const char* from, std::size_t bytes, const std::function<void(const Stretch&)>& visit) {
  if (!shadow.covers(from)) return;
  const auto object = memory::object_at(from);
  if (!object.has_value() || object->kind != memory::ObjectKind::global || object->freed || object->initialised) return;
  const auto left = static_cast<std::size_t>(object->base + object->bytes - from);
  Collector collector(visit);
  for (const Stretch& gap : host_writes().gaps(from, std::min(bytes, left))) {
    const char* const end = gap.from + gap.bytes;
    const std::size_t before = reinterpret_cast<std::uintptr_t>(gap.from) % kWordBytes;
    for (const char* word = gap.from - before; word < end; word += kWordBytes)
      visit_word(word, gap.from, end, collector);
  }
  collector.finish();
}

void unwrite(const Stretch& stretch) {
  host_writes().remove(stretch.from, stretch.bytes);
  const char* at = stretch.from;
  for (std::size_t left = stretch.bytes; left > 0;) {
    const auto first = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(at) % kWordBytes);
    const auto part = static_cast<unsigned>(std::min<std::size_t>(kWordBytes - first, left));
    const std::size_t index = shadow.index_of(at);
    const Notes gone = initialised(((1U << part) - 1) << first);
    if (load(0, index) != 0) __atomic_fetch_and(shadow.plane(1) + index, ~gone, __ATOMIC_RELAXED);
    at += part;
    left -= part;
  }
}

}  // namespace warpfiber::check
