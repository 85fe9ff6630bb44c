// SPDX-License-Identifier: Apache-2.0
//
// One option of a subcommand as data. Parsers, help, man pages and completion all read the same tables (options.hpp).
#pragma once

#include <string_view>

namespace warpfiber::tools::manual {

/// What a shell completes a value with.
enum class Completes { nothing, words, file, folder, device };

struct OptionHelp {
  std::string_view name;                     // with its dashes
  std::string_view other = {};               // a second name of it; empty: none
  std::string_view value = {};               // what help calls the value; empty: the option takes none
  std::string_view meaning = {};             // without a full stop
  Completes completes = Completes::nothing;  // the value
  std::string_view words = {};               // what the value may be, between blanks; empty: anything

  constexpr bool has_value() const { return !value.empty(); }
  constexpr bool is_called(std::string_view word) const { return word == name || (!other.empty() && word == other); }
};

// The last two of every table.
inline constexpr OptionHelp kHelp{.name = "--help", .other = "-h", .meaning = "print this help"};
inline constexpr OptionHelp kVersion{.name = "--version", .other = "-V", .meaning = "print the version"};

/// The option of the table with this name; null: none.
template <class Table>
constexpr const OptionHelp* find_option(const Table& table, std::string_view word) {
  for (const OptionHelp& option : table) {
    if (option.is_called(word)) return &option;
  }
  return nullptr;
}

}  // namespace warpfiber::tools::manual
