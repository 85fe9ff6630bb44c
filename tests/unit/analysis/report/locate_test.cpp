// SPDX-License-Identifier: Apache-2.0
//
// Which of the functions at an instruction a finding names.
#include "report/locate.hpp"
#include "record/stack_depot.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"
#include "unit/foundation/symbols/symbolise_subject.hpp"

using namespace warpfiber;
using namespace warpfiber::report;
using Catch::Matchers::ContainsSubstring;

namespace {

record::Place at(std::uintptr_t address) {
  return {.instruction = reinterpret_cast<const void*>(address)};
}

}  // namespace

TEST_CASE("the place is the innermost function's, and the functions around it are the stack") {
  const test::Probe probe = test::probe_inlined();
  record::Finding finding{.verdict = record::Verdict::race_global};
  finding.parties = {{.role = record::Role::write, .place = at(probe.address)}};
  locate(finding);
  const record::Party& party = finding.parties.front();
  CHECK(party.place.line == probe.inner_line);
  CHECK_THAT(party.place.function, ContainsSubstring("fill"));
  REQUIRE(party.stack.size() == 1);
  CHECK(party.stack[0].line == probe.outer_line);
}

TEST_CASE("callers that are given follow those that were inlined") {
  const test::Probe probe = test::probe_inlined();
  record::Finding finding{.verdict = record::Verdict::race_global};
  finding.parties = {
      {.place = at(probe.address), .stack = {at(test::probe_lambda().address), {"main.cu", 7, 0, "main"}}}};
  locate(finding);
  const std::vector<record::Place>& stack = finding.parties.front().stack;
  REQUIRE(stack.size() == 3);
  CHECK(stack[0].line == probe.outer_line);
  CHECK_THAT(stack[1].function, ContainsSubstring("probe_lambda"));
  CHECK(stack[2].line == 7);
}

TEST_CASE("a place that the call told is in the innermost of the user's functions, and callers follow from the next") {
  const test::Probe probe = test::probe_inlined();
  record::Finding finding{.verdict = record::Verdict::deadlock};
  const std::vector<record::Place> stack{at(probe.address), {"main.cu", 7, 0, "main"}};
  finding.parties = {{.place = {"main.cu", 3}, .stack = stack}, {.stack = stack}};
  locate(finding);
  CHECK(finding.parties[0].place.line == 3);
  CHECK(finding.parties[1].place.line == probe.inner_line);
  for (const record::Party& party : finding.parties) {
    REQUIRE(party.stack.size() == 2);
    CHECK(party.stack[0].line == probe.outer_line);
    CHECK(party.stack[1].line == 7);
  }
}

TEST_CASE("of members that came by other calls only the calls that differ in the source are kept") {
  const test::Probe probe = test::probe_inlined();
  record::Finding finding{.verdict = record::Verdict::deadlock};
  const std::vector<record::Place> same{at(probe.address), {"main.cu", 7, 0, "main"}};
  const std::vector<record::Place> other{at(probe.address), {"main.cu", 8, 0, "main"}};
  finding.parties = {{.place = {"main.cu", 3}, .stack = same, .other_stacks = {same, other, other}}};
  locate(finding);
  const record::Party& party = finding.parties.front();
  REQUIRE(party.other_stacks.size() == 1);
  REQUIRE(party.other_stacks[0].size() == 2);
  CHECK(party.other_stacks[0][1].line == 8);
}

TEST_CASE("declarations and last writes are looked up, too") {
  const test::Probe probe = test::probe_inlined();
  record::Finding finding{.verdict = record::Verdict::oob_global};
  finding.object =
      record::ObjectFacts{.declared = at(probe.address), .last_write = record::Write{.place = at(probe.address)}};
  locate(finding);
  CHECK(finding.object->declared.line == probe.inner_line);
  CHECK(finding.object->last_write->place.line == probe.inner_line);
}

TEST_CASE("a place that is known, or has no instruction, stays as it is") {
  record::Finding finding{.verdict = record::Verdict::race_global};
  finding.parties = {{.place = {"a.cu", 3}}, {}};
  locate(finding);
  CHECK(finding.parties[0].place.line == 3);
  CHECK_FALSE(finding.parties[1].place.known());
}

TEST_CASE("a stack of the depot comes before the calls that are known") {
  const test::Probe probe = test::probe_inlined();
  const record::StackId stack = record::StackDepot::of_process().add(std::vector{probe.address + 1});
  record::Finding finding{.verdict = record::Verdict::race_global};
  finding.parties = {{.place = {"main.cu", 3}, .stack = {{"main.cu", 7, 0, "main"}}, .returns = stack}};
  finding.parties.push_back(
      {.place = {"main.cu", 3}, .stack = {{"main.cu", 7, 0, "main"}}, .other_returns = {stack, stack}});
  locate(finding);
  const record::Party& one = finding.parties[0];
  REQUIRE(one.stack.size() == 2);
  CHECK(one.stack[0].line == probe.outer_line);
  CHECK(one.stack[1].line == 7);
  CHECK(one.returns == record::StackId::none);
  const record::Party& other = finding.parties[1];
  REQUIRE(other.other_stacks.size() == 1);
  CHECK(other.other_stacks[0].front().line == probe.outer_line);
  CHECK(other.other_returns.empty());
}

TEST_CASE("a frame is its function and line, or a reason for the missing line") {
  CHECK(frame_text({.function = "f", .place = {"a.cu", 7}}) == "f at a.cu:7");
  CHECK(frame_text({.function = "f", .module = "./app"}) == "f in ./app (no line: built without -g)");
  CHECK(frame_text({.module = "./app"}) == "unknown code in ./app");
}

TEST_CASE("the body of a kernel, which is a lambda, has the name of the kernel") {
  record::Finding finding{.verdict = record::Verdict::race_global, .launch = {.kernel = "scale<float>"}};
  const record::Place body{.file = "app.cu", .line = 3, .function = "operator()"};
  const record::Place lambda{
      .file = "app.cu", .line = 4, .function = "scale<float>(int)::{lambda(int)#1}::operator()(int) const"};
  const record::Place helper{.file = "app.cu", .line = 5, .function = "Square::operator()(int) const"};
  finding.parties = {{.role = record::Role::write, .place = body, .stack = {lambda, helper}},
                     {.role = record::Role::call, .who = {.unit = record::Unit::host, .count = 1}, .place = body},
                     {.role = record::Role::read, .place = body, .kernel = "other"}};
  locate(finding);
  CHECK(finding.parties[0].place.function == "scale<float>");
  CHECK(finding.parties[0].stack[0].function == "scale<float>");
  CHECK(finding.parties[0].stack[1].function == helper.function);
  CHECK(finding.parties[1].place.function == "operator()");
  CHECK(finding.parties[2].place.function == "other");
}

TEST_CASE("the launch is told where all lines are a library's of CUDA code") {
  const record::Place in_library{"/usr/include/thrust/fill.h", 3};
  const record::Place launch{"main.cu", 9};
  const auto launched_in = [&](const record::Party& party) {
    record::Finding finding{.verdict = record::Verdict::oob_global};
    finding.parties = {party};
    finding.parties.front().launched = launch;
    locate(finding);
    return finding.parties.front().launched;
  };
  CHECK(launched_in({.place = in_library, .stack = {in_library}}) == launch);
  CHECK_FALSE(launched_in({.place = in_library, .stack = {in_library, {"main.cu", 5}}}).known());
  CHECK_FALSE(launched_in({.place = {"main.cu", 5}}).known());
  CHECK_FALSE(launched_in({}).known());
  // Of another launch than the finding's.
  CHECK(launched_in({.place = {"main.cu", 5}, .kernel = "second"}) == launch);
}
