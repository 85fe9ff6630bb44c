// SPDX-License-Identifier: Apache-2.0
//
// Reserves the planes without taking up memory, and clears ranges. Large ranges are given back to the host, which
// clears their pages when they are touched again.
#include "memory/shadow.hpp"

#include <sys/mman.h>

#include <cstring>

#include "base/system/address_space.hpp"

namespace warpfiber::memory {
namespace {

constexpr std::size_t kPage = 4096;
// Planes that lie a power of two apart would compete for the same sets of the caches.
constexpr std::size_t kSkew = kPage + 5 * 64;
// For so many bytes of the first span there is one of the host's own memory.
constexpr std::size_t kSpanOfWindow = 64;
// More than this is given back to the host rather than written.
constexpr std::size_t kLargeClear = std::size_t{256} * 1024;

/// From a plane to the next one, for `bytes` of memory.
std::size_t stride_of(std::size_t bytes) {
  return round_up(bytes / 4 * sizeof(std::uint64_t), kPage) + kSkew;
}

}  // namespace

std::size_t Shadow::addresses(std::size_t bytes) {
  return stride_of(bytes + bytes / kSpanOfWindow) * kPlanes;
}

bool Shadow::reserve(Span span, Span also) {
  const std::size_t bytes_of_spans = span.bytes + round_up(also.bytes, kPage);
  const std::size_t bytes_of_windows = span.bytes / kSpanOfWindow;
  const std::size_t bytes = bytes_of_spans + bytes_of_windows;
  const std::size_t stride = stride_of(bytes);
  const std::size_t wanted = stride * kPlanes;
  mapping_ = base::map_with_headroom(wanted, PROT_READ | PROT_WRITE);
  if (mapping_ == nullptr) return false;
  ::madvise(mapping_, wanted, MADV_DONTDUMP);  // of core files, which would have terabytes of it
  span_ = span;
  also_ = also;
  words_of_span_ = span.bytes >> 2;
  first_of_windows_ = bytes_of_spans >> 2;
  windows_.set_words(bytes_of_windows >> 2);
  words_ = bytes >> 2;
  regions_ = (bytes >> 2 >> kRegionShift) + 1;
  touched_ = new bool[regions_]();
  for (unsigned i = 0; i < kPlanes; ++i) planes_[i] = reinterpret_cast<std::uint64_t*>(mapping_ + i * stride);
  return true;
}

bool Shadow::open(const void* base, std::size_t bytes) {
  if (bytes == 0 || windows_.open(base, bytes) == ShadowWindows::kNowhere) return false;
  clear(base, bytes);
  return true;
}

void Shadow::close(const void* base) {
  windows_.close(base);
}

void Shadow::clear(const void* from, std::size_t bytes) {
  const std::size_t first = index_of(from);
  const auto skipped = static_cast<std::size_t>(static_cast<const char*>(from) - address_of(first));
  const std::size_t last = first + (skipped + bytes + 3) / 4;  // of the end's address, another span may be
  char* begin = reinterpret_cast<char*>(planes_[0] + first);
  char* end = reinterpret_cast<char*>(planes_[0] + last);
  if (static_cast<std::size_t>(end - begin) >= kLargeClear) {
    char* const aligned = mapping_ + round_up(static_cast<std::size_t>(begin - mapping_), kPage);
    const std::size_t pages = static_cast<std::size_t>(end - aligned) / kPage * kPage;
    ::madvise(aligned, pages, MADV_DONTNEED);
    std::memset(begin, 0, static_cast<std::size_t>(aligned - begin));
    begin = aligned + pages;
  }
  std::memset(begin, 0, static_cast<std::size_t>(end - begin));
}

}  // namespace warpfiber::memory
