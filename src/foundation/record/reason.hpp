// SPDX-License-Identifier: Apache-2.0
//
// Why a call, a launch or an option is refused, and what else a room has to say to the user: a kind of reason, and the
// facts that go with it. The room report has a template of a sentence for each kind (report/reasons/reasons.hpp).
// Invariants: a reason has as many arguments as its template has places, in the order of the sentence; texts among them
// are names, paths and values, never sentences.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/index.hpp"
#include "record/reason_kind.hpp"

namespace warpfiber::record {

/// A number with a comma at each thousand: "33,660".
struct Thousands {
  std::uint64_t number = 0;
};

/// So many things: "1 step", "28 blocks".
struct Quantity {
  std::uint64_t number = 0;
  std::string_view noun{};  // lives for ever
};

/// A size of memory: "160 KiB".
struct ByteSize {
  std::uint64_t bytes = 0;
};

struct Reason;

/// A number, a text, several texts, an extent, or reasons that are a part of this one.
using ReasonArgument = std::variant<std::uint64_t, std::int64_t, Thousands, Quantity, ByteSize, base::Triple,
                                    std::string, std::vector<std::string>, std::vector<Reason>>;

struct Reason {
  ReasonKind kind = ReasonKind::none;
  std::vector<ReasonArgument> arguments{};

  Reason() = default;

  /// `facts`: numbers, texts and other arguments, or a reason that is a part of this one.
  template <class... Facts>
  Reason(ReasonKind of, Facts&&... facts) : kind(of) {
    arguments.reserve(sizeof...(Facts));
    (arguments.push_back(argument(std::forward<Facts>(facts))), ...);
  }

  bool empty() const { return kind == ReasonKind::none; }

 private:
  template <class Fact>
  static ReasonArgument argument(Fact&& fact) {
    using Plain = std::remove_cvref_t<Fact>;
    if constexpr (std::same_as<Plain, Reason>) {
      return std::vector<Reason>{std::forward<Fact>(fact)};
    } else if constexpr (std::unsigned_integral<Plain>) {
      return std::uint64_t{fact};
    } else if constexpr (std::signed_integral<Plain>) {
      return std::int64_t{fact};
    } else if constexpr (std::constructible_from<std::string, Fact>) {
      return std::string(std::forward<Fact>(fact));
    } else {
      return ReasonArgument(std::forward<Fact>(fact));
    }
  }
};

/// A text that comes from elsewhere, as the system's word for an error does.
inline Reason stated(std::string text) {
  return {ReasonKind::stated, std::move(text)};
}

}  // namespace warpfiber::record
