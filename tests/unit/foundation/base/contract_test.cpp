// SPDX-License-Identifier: Apache-2.0
//
// What a failed contract prints and that it ends the process. The process that dies is a forked child with its standard
// error in a pipe.
#include "base/contract.hpp"

#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <csignal>
#include <string>

#include "support/catch.hpp"

using Catch::Matchers::ContainsSubstring;
using warpfiber::base::describe_failed_contract;
using warpfiber::base::set_replay_note;

namespace {

struct Death {
  std::string text;
  int signal = 0;
};

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 256> part;
  for (ssize_t size; (size = ::read(descriptor, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(size));
  return text;
}

template <class Body>
Death death_of(Body body) {
  std::array<int, 2> ends;
  REQUIRE(::pipe(ends.data()) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    ::dup2(ends[1], STDERR_FILENO);
    body();
    ::_exit(0);
  }
  ::close(ends[1]);
  Death death{read_all(ends[0])};
  ::close(ends[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  if (WIFSIGNALED(status)) death.signal = WTERMSIG(status);
  return death;
}

}  // namespace

TEST_CASE("a contract that holds costs nothing and says nothing") {
  const Death death = death_of([] { WARPFIBER_CONTRACT(1 + 1 == 2, "sums are right"); });
  CHECK(death.signal == 0);
  CHECK(death.text.empty());
}

TEST_CASE("a broken contract aborts and prints how to repeat the run") {
  const Death death = death_of([] {
    set_replay_note("WARPFIBER_SEED=0x5d1 ./sum");
    WARPFIBER_CONTRACT(1 + 1 == 3, "sums are right");
  });
  CHECK(death.signal == SIGABRT);
  CHECK_THAT(death.text, ContainsSubstring("contract_test.cpp:"));
  CHECK_THAT(death.text, ContainsSubstring("sums are right"));
  CHECK_THAT(death.text, ContainsSubstring("violated  1 + 1 == 3"));
  CHECK_THAT(death.text, ContainsSubstring("a defect of Warpfiber, not of your kernel"));
  CHECK_THAT(death.text, ContainsSubstring("again     WARPFIBER_SEED=0x5d1 ./sum\n"));
}

TEST_CASE("an empty replay note takes the last one back") {
  const Death death = death_of([] {
    set_replay_note("WARPFIBER_SEED=0x5d1 ./sum");
    set_replay_note("");
    WARPFIBER_CONTRACT(false, "never");
  });
  CHECK_THAT(death.text, ContainsSubstring("no launch was in progress"));
}

TEST_CASE("a replay note too long for its buffer is cut, not refused") {
  const Death death = death_of([] {
    set_replay_note(std::string(1000, 'x'));
    WARPFIBER_CONTRACT(false, "never");
  });
  CHECK_THAT(death.text, ContainsSubstring(std::string(255, 'x') + "\n"));
  CHECK(death.text.find(std::string(256, 'x')) == std::string::npos);
}

TEST_CASE("the description of a failed contract never leaves its buffer") {
  std::array<char, 32> small;
  small.fill('#');
  const std::size_t length = describe_failed_contract(small.data(), small.size() - 1, "cond", "text",
                                                      "/a/src/execution/engine/loop.cpp", 7, "");
  CHECK(length == small.size() - 2);
  CHECK(small[length] == '\0');
  CHECK(small.back() == '#');
}

TEST_CASE("the place of a failed contract is given from the wing on") {
  std::array<char, 512> text;
  describe_failed_contract(text.data(), text.size(), "cond", "text", "/a/b/src/execution/engine/loop.cpp", 7, "");
  CHECK_THAT(std::string(text.data()), ContainsSubstring("internal error at execution/engine/loop.cpp:7: text"));
}
