// SPDX-License-Identifier: Apache-2.0
// Files that are read as a whole, and those that are not: endless, too large, not there.
#include "base/input_file.hpp"

#include <string>

#include "support/catch.hpp"

using warpfiber::base::read_input;

TEST_CASE("a device without an end is refused at the limit") {
  const std::string limit = "File too large";
  CHECK(read_input("/dev/zero", 2).error() == limit);
}

TEST_CASE("an empty device is an empty text") {
  CHECK(read_input("/dev/null", 1).value().empty());
}

TEST_CASE("what cannot be read is said in the system's words") {
  const std::string missing = "No such file or directory";
  const std::string folder = "Is a directory";
  CHECK(read_input("/nowhere/file", 1).error() == missing);
  CHECK(read_input("/", 1).error() == folder);
}
