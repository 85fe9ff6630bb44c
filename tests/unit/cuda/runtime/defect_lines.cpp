// SPDX-License-Identifier: Apache-2.0
// Finds lines of defects.cpp by their text.
#include <fstream>

#include "support/catch.hpp"
#include "unit/cuda/runtime/defects.hpp"

namespace warpfiber::test::defects {

unsigned line_of(const std::string& text) {
  std::ifstream file(WARPFIBER_DEFECTS_FILE);
  REQUIRE(file.good());
  unsigned found = 0;
  unsigned number = 0;
  unsigned matches = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.find(text) == std::string::npos) continue;
    found = number;
    ++matches;
  }
  INFO("defects.cpp: " << text);
  REQUIRE(matches == 1);
  return found;
}

std::string place_of(const std::string& text) {
  return "defects.cpp:" + std::to_string(line_of(text));
}

}  // namespace warpfiber::test::defects
