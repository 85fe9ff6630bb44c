// SPDX-License-Identifier: Apache-2.0
// What a trace holds of watched expressions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpfiber::trace {

/// Changed values that are kept of a block.
inline constexpr std::size_t kWatchedOfBlock = std::size_t{1} << 16;

/// A watched expression, as a launch has it.
struct WatchedExpression {
  std::string text{};
  std::string_view form{};  // "signed", "unsigned", "float" or "pointer"
  std::uint64_t bytes = 0;
  bool of_thread = false;  // each thread has a value of its own
  std::string error{};     // why it is not read; empty: it is
};

enum class WatchedState : std::uint8_t {
  value,
  outside,    // no object lives there
  null,       // a null pointer leads there
  untouched,  // a __shared__ variable that the block has not used so far
  undefined   // a division by zero
};

struct WatchedCell {
  std::uint64_t value = 0;
  WatchedState state = WatchedState::value;

  friend bool operator==(const WatchedCell&, const WatchedCell&) = default;
};

struct WatchedChange {
  std::uint32_t thread = 0;
  WatchedCell cell{};
};

/// The values at the end of an epoch that are others than at the end of the one before; all of the first.
struct WatchedSample {
  std::uint64_t step = 0;
  std::vector<WatchedChange> changes{};
};

/// The values of one expression in a block.
struct WatchedValues {
  std::vector<WatchedSample> samples{};
  std::uint64_t left_out = 0;  // samples, all at the end
};

}  // namespace warpfiber::trace
