// SPDX-License-Identifier: Apache-2.0
//
// Recording, comparing, writing, reading and replaying schedules.
#include "schedule/recording.hpp"

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "report/reasons/reasons.hpp"
#include "schedule/policies.hpp"
#include "schedule/recorder.hpp"
#include "support/catch.hpp"
#include "unit/models/schedule/toy_program.hpp"

using namespace warpfiber;
using namespace warpfiber::schedule;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Run {
  Recording recording;
  std::string complaint;
  std::vector<FiberId> order;
};

Run run_recorded(const toy::Program& program, std::unique_ptr<Policy> policy) {
  Recorder recorder(std::move(policy));
  const toy::Outcome outcome = toy::run(program, recorder);
  return {recorder.recording(), report::reason_text(recorder.complaint()), outcome.order};
}

toy::Program threads(std::size_t count, std::size_t steps) {
  return toy::Program(count, toy::idle(steps));
}

Run random_run(std::uint64_t seed, const toy::Program& program = threads(4, 5)) {
  return run_recorded(program, std::make_unique<RandomPolicy>(seed));
}

Run replay(const Recording& recording, const toy::Program& program = threads(4, 5)) {
  return run_recorded(program, std::make_unique<Replay>(recording));
}

}  // namespace

TEST_CASE("a replay takes the recorded decisions again") {
  const Run first = random_run(GENERATE(1u, 2u, 3u, 4u));
  const Run second = replay(first.recording);
  CHECK(second.complaint.empty());
  CHECK(second.order == first.order);
  CHECK_FALSE(first_difference(first.recording, second.recording).has_value());
}

TEST_CASE("a recording survives its file") {
  const Recording recording = random_run(5).recording;
  std::stringstream file;
  write_recording(file, recording);
  const auto read = read_recording(file, "run.schedule");
  REQUIRE(read.ok());
  CHECK(read.value() == recording);
}

TEST_CASE("a replay of another program says where they part and still ends") {
  const Run first = random_run(6);
  SECTION("other threads are there") {
    const Run second = replay(first.recording, threads(5, 5));
    CHECK_THAT(second.complaint, ContainsSubstring("up to step 0 of "));
    CHECK_THAT(second.complaint, ContainsSubstring("other threads can run than were recorded"));
    CHECK(second.order.size() == 25);
  }
  SECTION("the threads run longer") {
    const Run second = replay(first.recording, threads(4, 6));
    CHECK_FALSE(second.complaint.empty());
    CHECK(second.order.size() == 24);
  }
  SECTION("the recording was cut") {
    Recording half = first.recording;
    half.resize(half.size() / 2);
    CHECK_THAT(replay(half).complaint, ContainsSubstring("the recording ends"));
  }
  SECTION("a step was changed by hand") {
    Recording changed = first.recording;
    changed[3].chosen = 99;
    CHECK_THAT(replay(changed).complaint, ContainsSubstring("up to step 3 of "));
    CHECK_THAT(replay(changed).complaint, ContainsSubstring("the recorded thread cannot run"));
  }
}

TEST_CASE("two runs are compared step by step") {
  const Recording first{{1, 10}, {2, 20}, {3, 30}};
  Recording second = first;
  CHECK_FALSE(first_difference(first, second).has_value());
  SECTION("another choice") {
    second[1].chosen = 21;
    const auto difference = first_difference(first, second);
    REQUIRE(difference.has_value());
    CHECK(difference->step == 1);
    CHECK(report::reason_text(difference->reason) ==
          "at step 1 the same threads could run, but thread 21 was chosen instead of 20");
  }
  SECTION("other candidates") {
    second[2] = {4, 40};
    const auto difference = first_difference(first, second);
    REQUIRE(difference.has_value());
    CHECK(report::reason_text(difference->reason) == "at step 2 other threads could run than in the first run");
  }
  SECTION("a shorter run") {
    second.pop_back();
    const auto difference = first_difference(first, second);
    REQUIRE(difference.has_value());
    CHECK(difference->step == 2);
    CHECK(report::reason_text(difference->reason) == "one run had 3 steps, the other 2");
  }
}

TEST_CASE("the fingerprint of a set does not depend on its order") {
  CHECK(fingerprint(std::vector<FiberId>{1, 2, 3}) == fingerprint(std::vector<FiberId>{3, 1, 2}));
  CHECK(fingerprint(std::vector<FiberId>{1, 2, 3}) != fingerprint(std::vector<FiberId>{1, 2, 4}));
  CHECK(fingerprint(std::vector<FiberId>{1, 2}) != fingerprint(std::vector<FiberId>{1, 2, 3}));
  CHECK(fingerprint(std::vector<FiberId>{0, 3}) != fingerprint(std::vector<FiberId>{1, 2}));
}

TEST_CASE("a broken schedule file is refused with its line") {
  const auto [text, complaint] = GENERATE(table<std::string, std::string>({
      {"", "f: not a recorded schedule"},
      {"warpfiber-schedule 2\n", "f: not a recorded schedule"},
      {"warpfiber-schedule 1\n00000000000000aa 5\nnonsense\n", "f:3: not a step of a schedule: \"nonsense\""},
      {"warpfiber-schedule 1\n00000000000000aa -5\n", "f:2: not a step"},
      {"warpfiber-schedule 1\n00000000000000aa 5 6\n", "f:2: not a step"},
      {"warpfiber-schedule 1\n\n", "f:2: not a step"},
  }));
  std::istringstream file(text);
  const auto read = read_recording(file, "f");
  CHECK_FALSE(read.ok());
  CHECK_THAT(report::reason_text(read.error()), ContainsSubstring(complaint));
}
