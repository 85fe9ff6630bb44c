// SPDX-License-Identifier: Apache-2.0
//
// The options of a subcommand that also takes nvcc's: picked from among its words by the table of the manual, the rest
// left for nvcc's parser. `--name value` or `--name=value`; what is behind "--" goes to the program.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "tools/options/option.hpp"

namespace warpfiber::tools::nvcc {

/// What an option of the manual does.
template <class To>
struct OptionReader {
  std::string_view name;                               // the first name of the option
  std::string (*read)(To&, const std::string& value);  // what is wrong with the value, or nothing
  bool repeats = false;                                // belongs to the words of a command that does the same once more
};

/// Whether every option has a reader, and every reader an option.
template <class To, std::size_t kOptions, std::size_t kReaders>
constexpr bool have_readers(const manual::OptionHelp (&options)[kOptions],
                            const OptionReader<To> (&readers)[kReaders]) {
  for (const OptionReader<To>& reader : readers) {
    const manual::OptionHelp* const option = manual::find_option(options, reader.name);
    if (option == nullptr || option->name != reader.name) return false;
  }
  return kOptions == kReaders;
}

/// The words that are no option of the table's.
struct OtherWords {
  std::vector<std::string> for_nvcc;
  std::vector<std::string> repeated;   // for_nvcc and the options that repeat, as they were written
  std::vector<std::string> arguments;  // of the program
  std::string error;                   // empty: every option of the table's has been read
};

/// Reads into `to` what the table names, up to the first error.
template <class To, std::size_t kCount>
OtherWords take_own(const manual::OptionHelp (&table)[kCount], const OptionReader<To> (&readers)[kCount],
                    const std::vector<std::string>& words, To& to) {
  OtherWords others;
  const auto end = std::find(words.begin(), words.end(), "--");
  if (end != words.end()) others.arguments.assign(end + 1, words.end());
  for (auto next = words.begin(); next != end && others.error.empty();) {
    const std::string word = *next++;
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const std::string name = word.substr(0, equals);
    const manual::OptionHelp* const option = manual::find_option(table, name);
    if (option == nullptr || (!option->has_value() && equals != std::string::npos)) {
      others.for_nvcc.push_back(word);
      others.repeated.push_back(word);
      continue;
    }
    std::string value = equals == std::string::npos ? std::string() : word.substr(equals + 1);
    if (option->has_value() && equals == std::string::npos && next != end) value = *next++;
    const OptionReader<To>& reader = *std::ranges::find(readers, option->name, &OptionReader<To>::name);
    if (option->has_value() && value.empty()) {
      others.error = "option '" + name + "' needs a value";
    } else if (const std::string complaint = reader.read(to, value); !complaint.empty()) {
      others.error = name + " " + value + ": " + complaint;
    } else if (reader.repeats) {
      others.repeated.push_back(name);
      if (option->has_value()) others.repeated.push_back(value);
    }
  }
  return others;
}

}  // namespace warpfiber::tools::nvcc
