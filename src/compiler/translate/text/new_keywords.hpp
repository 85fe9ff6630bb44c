// SPDX-License-Identifier: Apache-2.0
//
// Words that are names in C++17 and keywords in C++20: `int requires = 3;`. Programs in the older language get other
// names for them, of the same length, so that columns stay. A file that uses a word as C++20 does, because it has asked
// for the language, keeps it. (`char8_t` is no keyword under -fno-char8_t.)
#pragma once

#include <string>
#include <string_view>

namespace warpfiber::translate {

class NewKeywords {
 public:
  /// `text` is preprocessed, and outlives this.
  explicit NewKeywords(std::string_view text);

  /// The text with other names.
  std::string_view text() const { return renamed_.empty() ? text_ : std::string_view(renamed_); }

 private:
  std::string_view text_;
  std::string renamed_;  // empty: nothing had to be
};

}  // namespace warpfiber::translate
