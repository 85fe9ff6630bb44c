// SPDX-License-Identifier: Apache-2.0
//
// Either a value or why there is none: for texts, files and options that come from outside. Why is a sentence, or what
// a room has for facts. Invariant: exactly one of the two; a sentence is never empty and fits behind "error: ".
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/contract.hpp"

namespace warpfiber::base {

/// Why there is no value, as a sentence.
struct Failure {
  std::string text;
};

template <class T, class Why = Failure>
class Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Why why) : state_(std::in_place_index<1>, std::move(why)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const T& value() const {
    WARPFIBER_CONTRACT(ok(), "the value of a result is asked for only where there is one");
    return *std::get_if<0>(&state_);
  }
  T& value() { return const_cast<T&>(std::as_const(*this).value()); }

  /// Why there is no value, a Failure as its sentence; empty where there is one.
  auto error() const {
    Why why = ok() ? Why{} : *std::get_if<1>(&state_);
    if constexpr (std::is_same_v<Why, Failure>) {
      return std::move(why.text);
    } else {
      return why;
    }
  }

 private:
  std::variant<T, Why> state_;
};

}  // namespace warpfiber::base
