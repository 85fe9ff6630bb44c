// SPDX-License-Identifier: Apache-2.0
//
// Each of several programs gets all of the standard input.
#include "tools/nvcc/processes/repeated_input.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "support/catch.hpp"

using warpfiber::tools::nvcc::RepeatedInput;

namespace {

/// This process's standard input while it lives.
class Input {
 public:
  explicit Input(int handle) : before_(::dup(STDIN_FILENO)) {
    ::dup2(handle, STDIN_FILENO);
    ::close(handle);
  }
  ~Input() {
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

 private:
  int before_;
};

/// What a program reads until there is no more, at most `most` bytes.
std::string read_by_program(const RepeatedInput& input, std::size_t most = 1000) {
  const RepeatedInput::InputTurn turn(input);
  const int handle = turn.handle() >= 0 ? turn.handle() : STDIN_FILENO;
  std::string text;
  char one = 0;
  while (text.size() < most && ::read(handle, &one, 1) == 1) text += one;
  return text;
}

}  // namespace

TEST_CASE("each program gets all that comes through a pipe") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::write(ends[1], "3 of 7\n", 7) == 7);
  ::close(ends[1]);
  const Input stdin_is(ends[0]);
  RepeatedInput input;
  CHECK(read_by_program(input) == "3 of 7\n");
  CHECK(read_by_program(input) == "3 of 7\n");
}

TEST_CASE("a program that reads more gets more, and a pipe that stays open is no reason to wait") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::write(ends[1], "abcdef", 6) == 6);
  {
    const Input stdin_is(ends[0]);
    RepeatedInput input;
    CHECK(read_by_program(input, 0).empty());
    CHECK(read_by_program(input, 2) == "ab");
    CHECK(read_by_program(input, 6) == "abcdef");
  }
  ::close(ends[1]);
}

TEST_CASE("each program reads a file from where this process was") {
  std::FILE* file = std::tmpfile();
  REQUIRE(file != nullptr);
  std::fputs("12 34", file);
  std::fflush(file);
  const int handle = ::dup(fileno(file));
  ::lseek(handle, 3, SEEK_SET);
  {
    const Input stdin_is(handle);
    RepeatedInput input;
    CHECK(read_by_program(input) == "34");
    CHECK(read_by_program(input) == "34");
  }
  std::fclose(file);
}
