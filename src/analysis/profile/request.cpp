// SPDX-License-Identifier: Apache-2.0
// Counts different units with small sets.
#include "profile/request.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace warpfiber::profile {
namespace {

constexpr unsigned kSector = 32;
constexpr unsigned kLine = 128;
constexpr unsigned kBanks = 32;
constexpr unsigned kWord = 4;

/// Different units that lanes touch. They lie in lists by their last bits.
class UnitSet {
 public:
  /// Whether the unit is new.
  bool add(std::uintptr_t unit) {
    std::uint8_t& head = heads_[unit % kLists];
    for (std::uint8_t at = head; at != 0; at = links_[at - 1U].next) {
      if (links_[at - 1U].unit == unit) return false;
    }
    links_[count_] = {unit, head};
    head = static_cast<std::uint8_t>(++count_);
    return true;
  }

 private:
  struct Link {
    std::uintptr_t unit;
    std::uint8_t next;  // its place, from 1; 0: the last of its list
  };

  static constexpr unsigned kLists = 64;
  // Of one request: at most two a lane of units that are no smaller than an access, five of the others.
  static constexpr unsigned kMost = 6 * kLanes;

  std::array<std::uint8_t, kLists> heads_{};
  std::array<Link, kMost> links_;  // the first count_ have values
  unsigned count_ = 0;
};

bool takes_part(const WarpRequest& request, unsigned lane) {
  return (request.lanes >> lane & 1U) != 0;
}

/// Calls take(unit) for each unit of the lanes first … last - 1, each once.
template <class Take>
void each_unit(const WarpRequest& request, unsigned unit, unsigned first, unsigned last, Take take) {
  const auto shift = static_cast<unsigned>(std::countr_zero(unit));
  UnitSet taken;
  std::uintptr_t previous = ~std::uintptr_t{0};  // as a rule that of the lane before, or a new one
  std::uint64_t left = request.lanes & (((std::uint64_t{1} << (last - first)) - 1) << first);
  for (; left != 0; left &= left - 1) {
    const std::uintptr_t address = request.address[static_cast<unsigned>(std::countr_zero(left))];
    const std::uintptr_t end = (address + request.bytes - 1) >> shift;
    for (std::uintptr_t at = address >> shift; at <= end; ++at) {
      if (std::exchange(previous, at) != at && taken.add(at)) take(at);
    }
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
    const bool merge = whole != part &&
                       (share_words(request, first, first + whole, 1) || share_words(request, first, first + whole, 2));
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
  std::array<std::uint8_t, kBanks> words_of_bank{};
  unsigned most = 0;
  each_unit(request, kWord, first, last,
            [&](std::uintptr_t word) { most = std::max<unsigned>(most, ++words_of_bank[word % kBanks]); });
  return most;
}

}  // namespace

unsigned units(const WarpRequest& request, unsigned unit) {
  unsigned count = 0;
  each_unit(request, unit, 0, kLanes, [&count](std::uintptr_t) { ++count; });
  return count;
}

unsigned wavefronts(const WarpRequest& request) {
  return sum_of_passes(request,
                       [&](unsigned first, unsigned last) { return most_words_of_bank(request, first, last); });
}

unsigned least_wavefronts(const WarpRequest& request) {
  return sum_of_passes(request, [](unsigned, unsigned) { return 1U; });
}

unsigned most_at_one_address(const WarpRequest& request) {
  std::array<std::uintptr_t, kLanes> addresses{};
  unsigned count = 0;
  for (std::uint32_t left = request.lanes; left != 0; left &= left - 1)
    addresses[count++] = request.address[static_cast<unsigned>(std::countr_zero(left))];
  std::sort(addresses.begin(), addresses.begin() + count);
  unsigned most = 0;
  unsigned run = 0;
  for (unsigned i = 0; i < count; ++i) {
    run = i != 0 && addresses[i] == addresses[i - 1] ? run + 1 : 1;
    most = std::max(most, run);
  }
  return most;
}

void Counters::add(const WarpRequest& request, AccessSpace space, AccessOperation operation) {
  ++requests;
  lanes += request.active();
  if (operation == AccessOperation::atomic) one_address += most_at_one_address(request);
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
  one_address += other.one_address;
  return *this;
}

}  // namespace warpfiber::profile
