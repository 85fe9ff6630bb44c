// SPDX-License-Identifier: Apache-2.0
//
// A result is a value or a sentence, never both.
#include "base/result.hpp"

#include <memory>
#include <string>

#include "support/catch.hpp"

using warpfiber::base::Failure;
using warpfiber::base::Result;

TEST_CASE("a result with a value has no error") {
  Result<std::string> result = std::string("value");
  CHECK(result.ok());
  CHECK(result.value() == "value");
  CHECK(result.error().empty());
  result.value() += "s";
  CHECK(result.value() == "values");
}

TEST_CASE("a failure keeps its sentence, also where the value would be text") {
  const Result<std::string> result = Failure{"no such file"};
  CHECK_FALSE(static_cast<bool>(result));
  CHECK(result.error() == "no such file");
}

TEST_CASE("why there is no value may be another type") {
  const Result<int, std::string> none = std::string("a text");
  CHECK_FALSE(none.ok());
  CHECK(none.error() == "a text");
}

TEST_CASE("a value that can only be moved can be taken out") {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  const std::unique_ptr<int> taken = std::move(result.value());
  CHECK(*taken == 7);
}
