// SPDX-License-Identifier: Apache-2.0
//
// How the command reports what runs have found: the options that say so, what is printed on standard error, and the
// files in other formats.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "tools/check/documents/merged.hpp"

namespace warpfiber::tools::check {

enum class Colour { automatic, always, never };

/// How findings are printed.
enum class Format { text, gcc, github };

struct ReportOptions {
  std::string json{};  // files to write; empty: none
  std::string sarif{};
  std::string junit{};
  Colour colour = Colour::automatic;
  Format format = Format::text;
};

/// Reads the values of --colour and --format: what is wrong with one, or nothing.
std::string read_colour(ReportOptions& to, const std::string& value);
std::string read_format(ReportOptions& to, const std::string& value);

/// Exit codes of the command, as the manual lists them.
struct CheckStatus {
  static constexpr int kFound = 1;
  static constexpr int kFailed = 2;  // the command itself: wrong usage, or a file that cannot be written
  static constexpr int kUnchecked = 3;
  static constexpr int kNotBuilt = 4;
  static constexpr int kProgramFailed = 5;
};

/// Whether reports have colours.
bool has_colour(const ReportOptions& options);

/// The reports of those findings that are asked for.
void print_reports(std::string_view subcommand, const Merged& merged, const ReportOptions& options,
                   const std::function<bool(const Json& finding)>& is_asked);

/// Which seed found what first.
void print_seeds(const Merged& merged);

/// All findings as other programs read them, where the options ask for that.
void print_lines(const Merged& merged, const ReportOptions& options);

/// One line of `subcommand`: what was found in how many runs. `out_of_time`: a run took longer than it may.
void summarise(std::string_view subcommand, const Merged& merged, bool out_of_time);

/// Writes the files that the options name about the program. False where one cannot be written, which is then said.
bool write_files(std::string_view subcommand, const Merged& merged, const ReportOptions& options,
                 const std::string& program);

/// The exit code for what was found.
int status_of(const Merged& merged);

}  // namespace warpfiber::tools::check
