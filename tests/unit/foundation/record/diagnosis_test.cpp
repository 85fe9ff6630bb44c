// SPDX-License-Identifier: Apache-2.0
// A finding's diagnosis is a value, although its type is not known where findings are.
#include "record/diagnosis.hpp"

#include <string>
#include <utility>

#include "record/finding.hpp"
#include "support/catch.hpp"

using namespace warpfiber::record;

namespace {

std::string name_in(const Finding& finding) {
  const auto* const variable = std::get_if<HostVariable>(finding.diagnosis.get());
  return variable == nullptr ? "none" : variable->name;
}

}  // namespace

TEST_CASE("a copy of a finding has a diagnosis of its own") {
  Finding made;
  made.diagnosis = HostVariable{"first"};
  Finding copy = made;
  std::get<HostVariable>(*copy.diagnosis.get()).name = "second";
  CHECK(name_in(made) == "first");
  made = copy;
  copy.diagnosis = Mistake::launch_at_exit;
  CHECK(name_in(made) == "second");
  CHECK(name_in(copy) == "none");
}

TEST_CASE("a finding that was moved from has no diagnosis") {
  Finding made;
  CHECK(made.diagnosis.get() == nullptr);
  made.diagnosis = HostVariable{"first"};
  const Finding other = std::move(made);
  CHECK(name_in(other) == "first");
  CHECK(made.diagnosis.get() == nullptr);
}
