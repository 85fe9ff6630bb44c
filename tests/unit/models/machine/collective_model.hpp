// SPDX-License-Identifier: Apache-2.0
// Warp collectives one lane at a time, from the sentences of the CUDA C++ Programming Guide ("Warp Shuffle Functions",
// "Warp Vote Functions", "Warp Match Functions", "Warp Reduce Functions") and not from the formulas the library uses.
// A warp is a list of lanes, some of which take part.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace warpfiber::test::model {

struct Lane {
  bool present = false;
  std::uint64_t value = 0;
  int operand = 0;
};

using Lanes = std::vector<Lane>;

enum class Shuffle { indexed, up, down, exclusive_or };

/// "Each subsection behaves as a separate entity with a starting logical lane ID of 0."
struct Subsection {
  int first;
  int width;

  Subsection(int lane, int of_width) : first(lane - lane % of_width), width(of_width) {}
  bool contains(int lane) const { return lane >= first && lane < first + width; }
};

/// The lane whose value `lane` gets. Operands reach the hardware modulo `modulus`.
inline int source_of(Shuffle kind, int lane, int operand, int width, int modulus) {
  const Subsection own(lane, width);
  const int delta = ((operand % modulus) + modulus) % modulus;
  switch (kind) {
    // "If srcLane is outside the range [0:width-1], the value returned corresponds to … srcLane modulo width."
    case Shuffle::indexed: return own.first + ((operand % width) + width) % width;
    // "The source lane index will not wrap around the value of width, so effectively the lower delta lanes will be
    // unchanged."
    case Shuffle::up: return own.contains(lane - delta) ? lane - delta : lane;
    case Shuffle::down: return own.contains(lane + delta) ? lane + delta : lane;
    // "… able to access elements from earlier groups of threads, however if they attempt to access elements from later
    // groups of threads their own value of var will be returned."
    case Shuffle::exclusive_or: return (lane ^ delta) < own.first + own.width ? lane ^ delta : lane;
  }
  return lane;
}

/// What every lane that takes part gets; nothing where the source takes no part ("undefined").
inline std::vector<std::optional<std::uint64_t>> shuffle(Shuffle kind, const Lanes& lanes, int width, int modulus) {
  std::vector<std::optional<std::uint64_t>> results(lanes.size());
  for (int lane = 0; lane < static_cast<int>(lanes.size()); ++lane) {
    const Lane& self = lanes[static_cast<std::size_t>(lane)];
    if (!self.present) continue;
    const auto source = static_cast<std::size_t>(source_of(kind, lane, self.operand, width, modulus));
    if (source < lanes.size() && lanes[source].present) results[static_cast<std::size_t>(lane)] = lanes[source].value;
  }
  return results;
}

inline std::uint64_t ballot(const Lanes& lanes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (lanes[i].present && lanes[i].value != 0) bits |= std::uint64_t{1} << i;
  }
  return bits;
}

inline bool all(const Lanes& lanes) {
  for (const Lane& lane : lanes) {
    if (lane.present && lane.value == 0) return false;
  }
  return true;
}

inline bool any(const Lanes& lanes) {
  for (const Lane& lane : lanes) {
    if (lane.present && lane.value != 0) return true;
  }
  return false;
}

/// The lanes that take part and hold what `lane` holds.
inline std::uint64_t match_any(const Lanes& lanes, std::size_t lane) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (lanes[i].present && lanes[i].value == lanes[lane].value) bits |= std::uint64_t{1} << i;
  }
  return bits;
}

/// The lanes that take part if all hold the same, else none.
inline std::uint64_t match_all(const Lanes& lanes) {
  std::uint64_t present = 0;
  const Lane* first = nullptr;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (!lanes[i].present) continue;
    if (first == nullptr) first = &lanes[i];
    if (lanes[i].value != first->value) return 0;
    present |= std::uint64_t{1} << i;
  }
  return present;
}

/// Combines the low words of those that take part, from the first lane on.
template <class Combine>
unsigned reduce(const Lanes& lanes, Combine combine) {
  std::optional<unsigned> total;
  for (const Lane& lane : lanes) {
    if (!lane.present) continue;
    const auto word = static_cast<unsigned>(lane.value);
    total = total ? combine(*total, word) : word;
  }
  return *total;
}

}  // namespace warpfiber::test::model
