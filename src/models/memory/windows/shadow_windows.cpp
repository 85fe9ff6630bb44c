// SPDX-License-Identifier: Apache-2.0
//
// Readers look again where the version number is odd, or has changed meanwhile.
#include "memory/windows/shadow_windows.hpp"

#include <algorithm>

#include "base/locks/annotated_mutex.hpp"

namespace warpfiber::memory {
namespace {

constexpr std::uintptr_t kWordBytes = 4;

}  // namespace

/// What `at_pieces` returns, from pieces that did not change meanwhile.
template <class Look>
auto ShadowWindows::look(Look&& at_pieces) const {
  for (;;) {
    const std::uint64_t version = version_.load(std::memory_order_acquire);
    const auto found = at_pieces();
    std::atomic_thread_fence(std::memory_order_acquire);
    if (version % 2 == 0 && version_.load(std::memory_order_relaxed) == version) return found;
  }
}

bool ShadowWindows::is_free(std::size_t first, std::size_t words) const {
  return first + words <= words_ && std::none_of(pieces_, pieces_ + kMost, [=](const Piece& piece) {
           return piece.end != 0 && piece.first < first + words && first < piece.first + piece.words();
         });
}

std::size_t ShadowWindows::open(const void* base, std::size_t bytes) {
  const base::Lock lock(changing_);
  const auto at = reinterpret_cast<std::uintptr_t>(base);
  const std::uintptr_t begin = at - at % kWordBytes;
  const std::size_t words = (at + bytes - begin + kWordBytes - 1) / kWordBytes;
  const auto place = std::find_if(pieces_, pieces_ + kMost, [](const Piece& piece) { return piece.end == 0; });
  if (place == pieces_ + kMost) return kNowhere;
  std::size_t first = 0;
  // Behind one of the others, where not at the beginning.
  for (const Piece& piece : pieces_) {
    if (is_free(first, words)) break;
    first = piece.end != 0 ? piece.first + piece.words() : first;
  }
  if (!is_free(first, words)) return kNowhere;
  version_.fetch_add(1, std::memory_order_acq_rel);
  place->begin = begin;
  place->end = at + bytes;
  place->first = first;
  used_ = std::max<unsigned>(used_, static_cast<unsigned>(place - pieces_) + 1);
  version_.fetch_add(1, std::memory_order_release);
  return first;
}

void ShadowWindows::close(const void* base) {
  const base::Lock lock(changing_);
  const auto at = reinterpret_cast<std::uintptr_t>(base);
  const auto found = std::find_if(pieces_, pieces_ + kMost, [at](const Piece& piece) {
    return piece.end != 0 && piece.begin == at - at % kWordBytes;
  });
  if (found == pieces_ + kMost) return;
  version_.fetch_add(1, std::memory_order_acq_rel);
  found->end = 0;
  while (used_ != 0 && pieces_[used_ - 1].end == 0) --used_;
  version_.fetch_add(1, std::memory_order_release);
}

std::size_t ShadowWindows::word_of(const void* address) const {
  if (used_.load(std::memory_order_relaxed) == 0) return kNowhere;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  return look([&] {
    const unsigned used = used_.load(std::memory_order_relaxed);
    for (unsigned i = 0; i < used; ++i) {
      const std::uintptr_t begin = pieces_[i].begin.load(std::memory_order_relaxed);
      if (at >= begin && at < pieces_[i].end.load(std::memory_order_relaxed))
        return pieces_[i].first.load(std::memory_order_relaxed) + (at - begin) / kWordBytes;
    }
    return kNowhere;
  });
}

const char* ShadowWindows::address_of(std::size_t word) const {
  return look([&]() -> const char* {
    for (const Piece& piece : pieces_) {
      if (piece.end == 0 || word < piece.first || word >= piece.first + piece.words()) continue;
      return reinterpret_cast<const char*>(piece.begin + (word - piece.first) * kWordBytes);
    }
    return nullptr;
  });
}

}  // namespace warpfiber::memory
