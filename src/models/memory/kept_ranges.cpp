// SPDX-License-Identifier: Apache-2.0
// Source: madvise(2), MADV_FREE.
#include "memory/kept_ranges.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <iterator>

#include "memory/device_space.hpp"

namespace warpfiber::memory {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30;
constexpr std::size_t kMostRanges = 256;
// Larger ones are offered to the host. The others are no more than kMostRanges times as much.
constexpr std::size_t kOffered = std::size_t{1} << 18;

}  // namespace

void KeptRanges::give_back_oldest() {
  const Range oldest = all_.front();
  all_.pop_front();
  bytes_ -= oldest.bytes;
  give_back(oldest.base, oldest.bytes);
}

char* KeptRanges::take(std::size_t bytes) {
  const auto same = [bytes](const Range& range) { return range.bytes == bytes; };
  const auto found = std::find_if(all_.rbegin(), all_.rend(), same);
  if (found == all_.rend()) return nullptr;
  const Range range = *found;
  if (::mprotect(range.base, range.bytes, PROT_READ | PROT_WRITE) != 0) return nullptr;
  bytes_ -= range.bytes;
  all_.erase(std::next(found).base());
  return range.base;
}

bool KeptRanges::keep(char* range, std::size_t bytes) {
  if (bytes > kMostBytes || ::mprotect(range, bytes, PROT_NONE) != 0) return false;
  if (bytes > kOffered) ::madvise(range, bytes, MADV_FREE);
  all_.push_back({range, bytes});
  bytes_ += bytes;
  while (bytes_ > kMostBytes || all_.size() > kMostRanges) give_back_oldest();
  return true;
}

std::size_t KeptRanges::give_back_all() {
  const std::size_t count = all_.size();
  while (!all_.empty()) give_back_oldest();
  return count;
}

}  // namespace warpfiber::memory
