// SPDX-License-Identifier: Apache-2.0
//
// Symbols of this test program itself: inlined frames with debug information, a name without, nothing for data.
#include "symbols/symboliser.hpp"

#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "unit/symbols/symbolise_subject.hpp"

using namespace warpfiber;
using namespace warpfiber::symbols;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("an address has its line and the functions inlined there") {
  const test::Probe probe = test::probe_inlined();
  Symboliser symboliser;
  const Frames frames = symboliser.frames(probe.address);
  REQUIRE(frames.size() == 2);
  CHECK_THAT(frames[0].function, ContainsSubstring("fill"));
  CHECK(frames[0].inlined);
  CHECK(frames[0].place.line == probe.inner_line);
  CHECK_THAT(frames[0].place.file, ContainsSubstring("symbolise_subject.cpp"));
  CHECK(frames[1].function == "warpfiber::test::probe_inlined()");
  CHECK_FALSE(frames[1].inlined);
  CHECK(frames[1].place.line == probe.outer_line);
  CHECK_THAT(frames[1].place.file, ContainsSubstring("symbolise_subject.cpp"));
  CHECK(frames[0].users);
}

TEST_CASE("the body of a lambda is found") {
  const test::Probe probe = test::probe_lambda();
  Symboliser symboliser;
  const Frames frames = symboliser.frames(probe.address);
  REQUIRE(frames.size() == 1);
  CHECK_THAT(frames[0].function, ContainsSubstring("probe_lambda"));
  CHECK_FALSE(frames[0].inlined);
  CHECK(frames[0].place.line == probe.inner_line);
}

TEST_CASE("without debug information there is a name and no line") {
  Symboliser symboliser;
  const Frames frames = symboliser.frames(test::probe_bare());
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].function == "warpfiber::test::probe_bare()");
  CHECK_FALSE(frames[0].place.known());
  CHECK_FALSE(frames[0].users);
  CHECK_THAT(frames[0].module, ContainsSubstring("unit_symbols"));
}

TEST_CASE("an address that is no code has no frames") {
  Symboliser symboliser;
  CHECK(symboliser.frames(0).empty());
  CHECK(symboliser.frames(~std::uintptr_t{0}).empty());
}

TEST_CASE("several threads may ask at once and get the same answers") {
  const test::Probe probe = test::probe_inlined();
  Symboliser symboliser;
  std::vector<Frames> answers(4);
  std::vector<std::thread> threads;
  for (Frames& answer : answers) threads.emplace_back([&] { answer = symboliser.frames(probe.address); });
  for (std::thread& thread : threads) thread.join();
  for (const Frames& answer : answers) {
    REQUIRE(answer.size() == 2);
    CHECK(answer[0].place.line == probe.inner_line);
  }
}

TEST_CASE("the process has one symboliser, which keeps its answers") {
  const test::Probe probe = test::probe_inlined();
  const Frames first = Symboliser::of_process().frames(probe.address);
  CHECK(Symboliser::of_process().frames(probe.address).begin() == first.begin());
}
