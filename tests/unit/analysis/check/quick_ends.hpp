// SPDX-License-Identifier: Apache-2.0
// How the quick ways of telling an access begin and end in tests: nobody interrupts them.
#pragma once

#include <cstddef>

#include "check/quick/quick.hpp"

namespace warpfiber::check::test {

struct Ends {
  static inline thread_local LaunchChecker* telling = nullptr;  // of the access that this OS thread tells

  static bool begin() { return true; }
  static void leave_hook() {}
  template <bool kWrite>
  static void again(std::size_t index, const void* instruction, LaunchChecker* checker, std::ptrdiff_t counter) {
    Quick<Ends, kWrite>::access_again(index, instruction, checker, counter);
  }
  template <bool kWrite>
  static void access(const void* word, const void* instruction, std::size_t bytes = kWordBytes) {
    telling->access(word, bytes, Use{.read = !kWrite, .write = kWrite}, instruction);
  }
};

}  // namespace warpfiber::check::test
