// SPDX-License-Identifier: Apache-2.0
//
// Reserves one range of addresses when the process starts, and maps pages into it when pieces are taken. The free
// ranges are those of free_ranges.hpp, under one mutex.
#include "memory/device_space.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "base/locks/annotated_mutex.hpp"
#include "base/system/address_space.hpp"
#include "memory/free_ranges.hpp"
#include "memory/memory_state.hpp"
#include "memory/shadow.hpp"

namespace warpfiber::memory {
namespace detail {

constinit std::atomic<std::uintptr_t> space_base{0};
constinit std::atomic<std::size_t> space_bytes{0};

}  // namespace detail

namespace {

constexpr std::size_t kWanted = std::size_t{1} << 40;
constexpr std::size_t kLeast = std::size_t{1} << 24;
constexpr std::size_t kAlignment = std::size_t{2} << 20;
// About what a processor finds in its tables of small pages.
constexpr std::size_t kLarge = std::size_t{4} << 20;
// Behind a large piece. Arrays of the same power of two that lie one to four pages further apart slow each other down
// (on an AMD EPYC 9004, y[i] = a * x[i] + y[i] took 0.44 to 0.55 ns an element, with more pages 0.31 to 0.37).
constexpr std::size_t kPagesApart = 11;
// Enough that a use after a free meets nobody. Each range that was used keeps up to two pages of the host's page table,
// so addresses are not spent without end.
constexpr std::size_t kMostWaiting = 4096;

constexpr int kUntouched = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

char* reserve(std::size_t bytes) {
  const std::size_t more = bytes + kAlignment;
  char* mapping = base::map_with_headroom(more, PROT_NONE);
  if (mapping == nullptr) return nullptr;
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(mapping) % kAlignment;
  char* base = mapping + before;
  if (before != 0) ::munmap(mapping, before);
  ::munmap(base + bytes, kAlignment - before);
  ::madvise(base, bytes, MADV_DONTDUMP);
  return base;
}

}  // namespace

class AddressSpace {
 public:
  AddressSpace() {
    if (span_.base == nullptr) return;
    free_.add(span_.base, span_.bytes);
    detail::space_base.store(reinterpret_cast<std::uintptr_t>(span_.base), std::memory_order_relaxed);
    detail::space_bytes.store(span_.bytes, std::memory_order_release);
  }

  Span span() const { return span_; }

  char* take(std::size_t bytes, std::size_t alignment) {
    const base::Lock lock(mutex_);
    return free_.take(bytes, alignment);
  }

  /// It was not used, so that nobody can know its addresses.
  void untake(char* base, std::size_t bytes) {
    const base::Lock lock(mutex_);
    free_.add(base, bytes);
  }

  void give_back(char* base, std::size_t bytes) {
    const base::Lock lock(mutex_);
    free_.give_back(base, bytes);
  }

 private:
  base::Mutex mutex_;
  FreeRanges free_ WARPFIBER_GUARDED_BY(mutex_){kMostWaiting};
  const Span span_ = reserve_space(kWanted);
};

namespace {

AddressSpace& space() {
  return MemoryState::of_process().space.get();
}

/// What a piece of `used` bytes, whole pages, takes of the space: nobody can touch what is behind it.
std::size_t with_gap(std::size_t used) {
  return used + (used >= kLarge ? kPagesApart : 1) * page_size();
}

/// New mappings rather than other rights for the old ones: the pages go back to the host with the same call, ranges
/// that are not taken stay one mapping whatever was in them, and memory checkers see what may be used.
bool map_over(char* base, std::size_t bytes, int rights, int flags) {
  return ::mmap(base, bytes, rights, flags | MAP_FIXED, -1, 0) != MAP_FAILED;
}

/// Core files leave out what is not taken, and to be one mapping its parts have to agree in that.
bool map_untouched(char* base, std::size_t bytes) {
  return map_over(base, bytes, PROT_NONE, kUntouched) && ::madvise(base, bytes, MADV_DONTDUMP) == 0;
}

}  // namespace

Span reserve_space(std::size_t most) {
  for (std::size_t bytes = most; bytes >= kLeast; bytes /= 2) {
    char* begin = reserve(bytes);
    if (begin == nullptr) continue;
    if (base::has_addresses(Shadow::addresses(bytes))) return {begin, bytes};
    ::munmap(begin, bytes);
  }
  return {};
}

Span device_space() {
  return space().span();
}

std::size_t whole_pages(std::size_t bytes) {
  const std::size_t page = page_size();
  return (bytes + page - 1) / page * page;
}

char* take(std::size_t bytes, std::size_t alignment) {
  const std::size_t used = whole_pages(std::max<std::size_t>(bytes, 1));
  AddressSpace& all = space();
  if (used < bytes || used >= all.span().bytes) return nullptr;
  const std::size_t whole = with_gap(used);
  char* base = all.take(whole, std::max(alignment, page_size()));
  if (base == nullptr) return nullptr;
  if (map_over(base, used, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS)) return base;
  // Linux may have unmapped the range before it refused.
  map_untouched(base, used);
  all.untake(base, whole);
  return nullptr;
}

void give_back(char* base, std::size_t bytes) {
  const std::size_t used = whole_pages(std::max<std::size_t>(bytes, 1));
  // Where the host refuses the range is as it was, and is not handed out again.
  if (map_untouched(base, used)) space().give_back(base, with_gap(used));
}

void prefer_huge_pages(char* base, std::size_t bytes) {
  if (bytes >= kLarge) ::madvise(base, whole_pages(bytes), MADV_HUGEPAGE);
}

}  // namespace warpfiber::memory
