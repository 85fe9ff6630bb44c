// SPDX-License-Identifier: Apache-2.0
//
// The parser of every subcommand but nvcc, whose options have a compiler's syntax (nvcc/options.hpp). It reads the
// options that a table of the manual lists, as `--name value` or `--name=value`, and leaves all other words to its
// caller: they are options of nvcc, files or mistakes. What is behind "--" is no option.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/contract.hpp"
#include "base/text.hpp"
#include "tools/options/option.hpp"

namespace warpfiber::tools {

/// What an option of a table does.
template <class To>
struct OptionReader {
  std::string_view name;                               // the first name of the option
  std::string (*read)(To&, const std::string& value);  // what is wrong with the value, or nothing
  bool repeats = false;                                // belongs to the words of a command that does the same once more
};

/// Whether every option but help and version, the last two of every table, has a reader, and every reader an option.
template <class To, std::size_t kOptions, std::size_t kReaders>
constexpr bool have_readers(const manual::OptionHelp (&table)[kOptions], const OptionReader<To> (&readers)[kReaders]) {
  for (const OptionReader<To>& reader : readers) {
    const manual::OptionHelp* const option = manual::find_option(table, reader.name);
    if (option == nullptr || option->name != reader.name) return false;
  }
  return kOptions == kReaders + 2 && table[kOptions - 2].name == manual::kHelp.name &&
         table[kOptions - 1].name == manual::kVersion.name;
}

/// Reads an option whose value is kept as it is written.
template <auto kMember, class To>
std::string read_text(To& to, const std::string& value) {
  return to.*kMember = value, std::string();
}

/// Reads an option without a value.
template <auto kMember, class To>
std::string read_flag(To& to, const std::string&) {
  return to.*kMember = true, std::string();
}

/// Reads a number of this range. What is wrong with it, or nothing.
template <class Number>
std::string read_number(const std::string& value, std::uint64_t least, std::uint64_t most, Number& to) {
  const auto number = base::parse_number(value);
  if (number.has_value() && *number >= least && *number <= most) {
    to = static_cast<Number>(*number);
    return {};
  }
  const bool is_open = most == std::numeric_limits<std::uint64_t>::max();
  return "a number from " + std::to_string(least) + (is_open ? std::string() : " to " + std::to_string(most));
}

/// Reads an option whose value is a number from kLeast on that the member can hold.
template <auto kMember, std::uint64_t kLeast, class To>
std::string read_count(To& to, const std::string& value) {
  using Number = std::remove_reference_t<decltype(to.*kMember)>;
  return read_number(value, kLeast, std::numeric_limits<Number>::max(), to.*kMember);
}

/// What is left of a command line when the options of its table have been read.
struct OtherWords {
  std::vector<std::string> words;      // no options of the table, in their order
  std::vector<std::string> repeated;   // the same with the options that repeat, as they were written
  std::vector<std::string> arguments;  // those behind "--"
  bool help = false;
  bool version = false;
  std::string error;  // empty: every option of the table has been read
};

/// The option of a table that a word names, as `--name` or `--name=value`.
struct NamedOption {
  const manual::OptionHelp* option = nullptr;  // null: the word names none
  std::string name{};
  std::size_t equals = std::string::npos;  // where its value is in the same word

  bool has_value_behind() const { return option->has_value() && equals == std::string::npos; }
};

inline NamedOption named_option(std::span<const manual::OptionHelp> table, const std::string& word) {
  const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
  NamedOption named{nullptr, word.substr(0, equals), equals};
  named.option = manual::find_option(table, named.name);
  const bool has_unwanted_value = named.option != nullptr && !named.option->has_value() && equals != std::string::npos;
  if (has_unwanted_value) named.option = nullptr;
  return named;
}

/// Reads into `to` what the table lists, up to the first error.
template <class To>
OtherWords read_options(std::span<const manual::OptionHelp> table,
                        std::span<const OptionReader<std::type_identity_t<To>>> readers,
                        const std::vector<std::string>& words, To& to) {
  OtherWords others;
  const auto end = std::find(words.begin(), words.end(), "--");
  if (end != words.end()) others.arguments.assign(end + 1, words.end());
  for (auto next = words.begin(); next != end && others.error.empty();) {
    const std::string word = *next++;
    const NamedOption named = named_option(table, word);
    const auto& [option, name, equals] = named;
    if (option == nullptr) {
      others.words.push_back(word);
      others.repeated.push_back(word);
      continue;
    }
    if (option->name == manual::kHelp.name || option->name == manual::kVersion.name) {
      (option->name == manual::kHelp.name ? others.help : others.version) = true;
      continue;
    }
    std::string value = equals == std::string::npos ? std::string() : word.substr(equals + 1);
    if (named.has_value_behind() && next != end) value = *next++;
    const auto reader = std::ranges::find(readers, option->name, &OptionReader<To>::name);
    WARPFIBER_CONTRACT(reader != readers.end(), "every option has a reader");
    if (option->has_value() && value.empty()) {
      others.error = "option '" + name + "' needs a value";
    } else if (const std::string complaint = reader->read(to, value); !complaint.empty()) {
      others.error = name + " " + value + ": " + complaint;
    } else if (reader->repeats) {
      others.repeated.push_back(name);
      if (option->has_value()) others.repeated.push_back(value);
    }
  }
  return others;
}

}  // namespace warpfiber::tools
