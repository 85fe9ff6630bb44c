// SPDX-License-Identifier: Apache-2.0
//
// Either a value or a sentence that says what the caller did wrong: for texts, files and options that come from
// outside. Invariant: exactly one of the two; the sentence is never empty and fits behind "error: ".
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "base/contract.hpp"

namespace warpfiber::base {

/// Why there is no value.
struct Failure {
  std::string text;
};

template <class T>
class Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Failure failure) : state_(std::in_place_index<1>, std::move(failure)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const T& value() const {
    WARPFIBER_CONTRACT(ok(), "the value of a result is asked for only where there is one");
    return *std::get_if<0>(&state_);
  }
  T& value() { return const_cast<T&>(std::as_const(*this).value()); }

  /// The sentence, or an empty text where there is a value.
  std::string error() const { return ok() ? std::string() : std::get_if<1>(&state_)->text; }

 private:
  std::variant<T, Failure> state_;
};

}  // namespace warpfiber::base
