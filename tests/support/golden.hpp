// SPDX-License-Identifier: Apache-2.0
//
// Approved outputs: what a renderer makes of a fixed input, kept as a file below tests/golden and compared byte for
// byte. Running a test with WARPFIBER_APPROVE=1 in the environment writes the files instead; read the difference before
// committing it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "support/catch.hpp"

namespace warpfiber::test {

/// Compares `text` with tests/golden/`name`.
inline void check_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(WARPFIBER_GOLDEN_DIR) / name;
  if (std::getenv("WARPFIBER_APPROVE") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  std::ifstream in(path, std::ios::binary);
  INFO("approved output " << path << "; WARPFIBER_APPROVE=1 writes it anew");
  REQUIRE(in.good());
  std::ostringstream approved;
  approved << in.rdbuf();
  CHECK(text == approved.str());
}

}  // namespace warpfiber::test
