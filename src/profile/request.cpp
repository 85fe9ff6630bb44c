// SPDX-License-Identifier: Apache-2.0
// Counts by sorting small arrays. Lanes of most requests ascend by address, so that they are sorted already.
#include "profile/request.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace warpfiber::profile {
namespace {

constexpr unsigned kSector = 32;
constexpr unsigned kLine = 128;
constexpr unsigned kBanks = 32;
constexpr unsigned kWord = 4;

/// Units that lanes touch, each once; an access that is not aligned may touch two, and one of a large object many.
class UnitSet {
 public:
  void add(std::uintptr_t unit) {
    if (count_ != 0 && units_[count_ - 1] == unit) return;
    if (count_ == units_.size()) remove_copies();
    units_[count_++] = unit;
  }

  std::span<const std::uintptr_t> sorted() {
    remove_copies();
    return {units_.data(), count_};
  }

 private:
  void remove_copies() {
    const auto end = units_.begin() + static_cast<std::ptrdiff_t>(count_);
    if (!std::is_sorted(units_.begin(), end)) std::sort(units_.begin(), end);
    count_ = static_cast<std::size_t>(std::unique(units_.begin(), end) - units_.begin());
  }

  // Different units of one request: at most two a lane of those that are no smaller than an access, five of the others.
  std::array<std::uintptr_t, 6 * kLanes> units_{};
  std::size_t count_ = 0;
};

bool takes_part(const WarpRequest& request, unsigned lane) {
  return (request.lanes >> lane & 1U) != 0;
}

void add_units(UnitSet& to, const WarpRequest& request, unsigned unit, unsigned first, unsigned last) {
  for (unsigned lane = first; lane < last; ++lane) {
    if (!takes_part(request, lane)) continue;
    const std::uintptr_t begin = request.address[lane] / unit;
    const std::uintptr_t end = (request.address[lane] + request.bytes - 1) / unit;
    for (std::uintptr_t at = begin; at <= end; ++at) to.add(at);
  }
}

/// Whether each lane of first … last - 1 and the one whose number differs by `bit` need no word for themselves.
bool share_words(const WarpRequest& request, unsigned first, unsigned last, unsigned bit) {
  for (unsigned lane = first; lane < last; ++lane) {
    const unsigned other = lane ^ bit;
    const bool both = takes_part(request, lane) && takes_part(request, other);
    if (both && request.address[lane] != request.address[other]) return false;
  }
  return true;
}

/// Calls passes(first, last) for the lanes that go over the banks together: those whose accesses are 128 bytes. Two
/// such parts of a warp, or of its half where accesses are of 16 bytes, go together if neighbours share words, or all
/// lanes and those next but one do. No guide says so; recordings of a GPU do (docs/counters.md).
template <class Passes>
unsigned sum_of_passes(const WarpRequest& request, Passes passes) {
  const unsigned part = kBanks * kWord / std::clamp(request.bytes, kWord, 16U);
  const unsigned whole = std::min(2 * part, kLanes);
  unsigned sum = 0;
  for (unsigned first = 0; first < kLanes; first += whole) {
    const bool merge = share_words(request, first, first + whole, 1) || share_words(request, first, first + whole, 2);
    const unsigned step = merge ? whole : part;
    for (unsigned begin = first; begin < first + whole; begin += step) {
      const std::uint64_t mask = ((std::uint64_t{1} << step) - 1) << begin;
      if ((request.lanes & mask) != 0) sum += passes(begin, begin + step);
    }
  }
  return sum;
}

/// The most words that one bank has to give.
unsigned most_words_of_bank(const WarpRequest& request, unsigned first, unsigned last) {
  UnitSet words;
  add_units(words, request, kWord, first, last);
  std::array<unsigned, kBanks> words_of_bank{};
  for (const std::uintptr_t word : words.sorted()) ++words_of_bank[word % kBanks];
  return *std::ranges::max_element(words_of_bank);
}

}  // namespace

unsigned units(const WarpRequest& request, unsigned unit) {
  UnitSet touched;
  add_units(touched, request, unit, 0, kLanes);
  return static_cast<unsigned>(touched.sorted().size());
}

unsigned wavefronts(const WarpRequest& request) {
  return sum_of_passes(request,
                       [&](unsigned first, unsigned last) { return most_words_of_bank(request, first, last); });
}

unsigned least_wavefronts(const WarpRequest& request) {
  return sum_of_passes(request, [](unsigned, unsigned) { return 1U; });
}

void Counters::add(const WarpRequest& request, AccessSpace space) {
  ++requests;
  lanes += request.active();
  if (space == AccessSpace::global) {
    sectors += units(request, kSector);
    lines += units(request, kLine);
  } else {
    const unsigned passes = profile::wavefronts(request);
    wavefronts += passes;
    conflicts += passes - least_wavefronts(request);
  }
}

Counters& Counters::operator+=(const Counters& other) {
  requests += other.requests;
  lanes += other.lanes;
  sectors += other.sectors;
  lines += other.lines;
  wavefronts += other.wavefronts;
  conflicts += other.conflicts;
  return *this;
}

}  // namespace warpfiber::profile
