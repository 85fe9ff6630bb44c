// SPDX-License-Identifier: Apache-2.0
// A place in the user's source. Every public function at which a thread can wait takes one as its last, defaulted
// argument, so that reports name the user's line without debug information.
#pragma once

#ifndef __clang__
#include <source_location>
#endif

namespace warpfiber {

/// File, line and column of a call in user code; `line` 0 means unknown.
struct Site {
  const char* file = nullptr;
  unsigned line = 0;
  unsigned column = 0;  // distinguishes two calls in one line

#ifdef __clang__
  static constexpr Site here(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE(),
                             unsigned column = __builtin_COLUMN()) {
    return Site{file, line, column};
  }
#else
  static constexpr Site here(std::source_location at = std::source_location::current()) {
    return Site{at.file_name(), at.line(), at.column()};
  }
#endif

  /// Equal text, not only equal address: one header may be compiled into several translation units.
  friend constexpr bool operator==(const Site& a, const Site& b) {
    return a.line == b.line && a.column == b.column && same_text(a.file, b.file);
  }

 private:
  static constexpr bool same_text(const char* a, const char* b) {
    if (a == b) return true;
    if (a == nullptr || b == nullptr) return false;
    while (*a != '\0' && *a == *b) {
      ++a;
      ++b;
    }
    return *a == *b;
  }
};

}  // namespace warpfiber
