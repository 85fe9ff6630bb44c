// SPDX-License-Identifier: Apache-2.0
//
// Standard streams of C, which child processes share.
#include "tools/options/output.hpp"

#include <cstdio>

#include "base/files.hpp"
#include "base/text.hpp"

namespace warpfiber::tools {

int print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  return 0;
}

void say(std::string_view subcommand, const std::string& text) {
  const std::string line = "warpfiber " + std::string(subcommand) + ": " + base::without_controls(text) + '\n';
  std::fputs(line.c_str(), stderr);
}

bool write_file(std::string_view subcommand, const std::string& path, const std::string& text) {
  if (path.empty()) return true;
  const std::string why = base::write_output(path, text);
  if (!why.empty()) say(subcommand, path + ": the file cannot be written: " + why);
  return why.empty();
}

}  // namespace warpfiber::tools
