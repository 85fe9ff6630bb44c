// SPDX-License-Identifier: Apache-2.0
// Shadow cells of a span of memory: four words of 64 bits for every four bytes, in four planes of their own, so that
// what is never used of them takes no memory. What the words mean is the business of the room check.
// Invariant: where the first plane holds 0, the other planes may hold anything and are not read.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "memory/device_space.hpp"
#include "memory/windows/shadow_windows.hpp"

namespace warpfiber::memory {

class Shadow {
 public:
  static constexpr unsigned kPlanes = 4;
  static constexpr unsigned kRegionShift = 19;
  static constexpr std::size_t kRegionWords = std::size_t{1} << kRegionShift;  // of 2 MiB of memory

  constexpr Shadow() = default;
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  /// How many addresses reserve() takes for a span of `bytes` alone.
  static std::size_t addresses(std::size_t bytes);

  /// Reserves the shadow of `span` and of a smaller one, `also`, for the rest of the process; false where the host has
  /// no such range of addresses.
  bool reserve(Span span, Span also);

  /// `bytes` from `base`, outside of the spans, are covered as well from now on, and nothing is known of them; false
  /// where there is no room for them. Until close().
  bool open(const void* base, std::size_t bytes);
  void close(const void* base);

  /// Whether `address` lies in the first span, in the second or in what was opened.
  bool covers(const void* address) const { return offset_of(address) < span_.bytes; }
  bool covers_also(const void* address) const {
    return offset_of(address, also_) < also_.bytes || windows_.word_of(address) != ShadowWindows::kNowhere;
  }
  /// Of the word that `address` lies in.
  std::size_t index_of(const void* address) const {
    const std::size_t offset = offset_of(address);
    if (offset < span_.bytes) [[likely]]
      return offset >> 2;
    const std::size_t also = offset_of(address, also_);
    return also < also_.bytes ? (span_.bytes + also) >> 2 : first_of_windows_ + windows_.word_of(address);
  }
  /// The word of the first span that begins at `address`; words() or more where none does. The bits that a word's
  /// address has not come to be the highest ones.
  std::size_t index_of_whole(const void* address) const { return std::rotr(offset_of(address), 2); }
  std::size_t words() const { return words_of_span_; }
  /// The word of the second span from which on `words` begin at `address`; 0 where they are not in it.
  std::size_t index_of_whole_also(const void* address, std::size_t words) const {
    const std::size_t word = std::rotr(offset_of(address, also_), 2);
    const std::size_t all = also_.bytes >> 2;
    return word < all && all - word >= words ? words_of_span_ + word : 0;
  }
  const char* address_of(std::size_t index) const {
    const std::size_t offset = index << 2;
    if (offset < span_.bytes) [[likely]]
      return span_.base + offset;
    return index < first_of_windows_ ? also_.base + (offset - span_.bytes)
                                     : windows_.address_of(index - first_of_windows_);
  }
  std::uint64_t* plane(unsigned number) const { return planes_[number]; }

  /// Notes that the word at `index` is used, and whatever lies in one region with it, for rewrite().
  void touch(std::size_t index) { touched_[index >> kRegionShift] = true; }
  /// The first word of the region.
  static std::size_t region_of(std::size_t index) { return index & ~(kRegionWords - 1); }
  /// Calls visit(cell) for every cell of the first plane that holds something.
  template <class Visit>
  void rewrite(Visit&& visit) {
    for (std::size_t region = 0; region < regions_; ++region) {
      if (!touched_[region]) continue;
      const std::size_t first = region << kRegionShift;
      std::uint64_t* const end = planes_[0] + std::min(words_, first + kRegionWords);
      for (std::uint64_t* cell = planes_[0] + first; cell < end; ++cell) {
        if (*cell != 0) visit(*cell);
      }
    }
  }

  /// Forgets what is known of `bytes` from `from`, both rounded outwards to whole words.
  void clear(const void* from, std::size_t bytes);

 private:
  static std::size_t offset_of(const void* address, const Span& span) {
    return static_cast<std::size_t>(static_cast<const char*>(address) - span.base);
  }
  std::size_t offset_of(const void* address) const { return offset_of(address, span_); }

  // What every access looks at lies in one line of the caches.
  alignas(64) Span span_{};
  std::size_t words_of_span_ = 0;
  std::uint64_t* planes_[kPlanes] = {};
  bool* touched_ = nullptr;  // by regions
  Span also_{};
  std::size_t first_of_windows_ = 0;  // words
  ShadowWindows windows_;
  std::size_t words_ = 0;
  std::size_t regions_ = 0;
  char* mapping_ = nullptr;
};

}  // namespace warpfiber::memory
