// SPDX-License-Identifier: Apache-2.0
// What subcommands print and write for themselves while other programs print to the same terminal.
#pragma once

#include <string>
#include <string_view>

namespace warpfiber::tools {

/// On standard output. Exit status 0.
int print(const std::string& text);

/// "warpfiber check: TEXT" on standard error.
void say(std::string_view subcommand, const std::string& text);

/// False for a file that cannot be written, which is then said. An empty path: nothing is to be written.
bool write_file(std::string_view subcommand, const std::string& path, const std::string& text);

/// The answer of a subcommand that is a function from words to text: what a run of the command prints and returns to
/// the shell. Status: 0 done, 1 the answer is an error, 2 wrong usage.
struct Reply {
  int status = 0;
  std::string out;
  std::string err;
};

}  // namespace warpfiber::tools
