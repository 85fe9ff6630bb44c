// SPDX-License-Identifier: Apache-2.0
// What a program reads of its host code's mistakes, with the line. Each case starts this program again, to its end, for
// one of the mistakes in host_mistakes.cpp.
#include <cstdio>
#include <filesystem>
#include <string>

#include "support/catch.hpp"

using Catch::Matchers::ContainsSubstring;

namespace {

/// `mode`: the mistake, and "checked" behind it.
std::string output(const std::string& mode, const std::string& variables = "") {
  const std::size_t blank = mode.find(' ');
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  // ASan's search for leaks takes thread data of libdw, which is loaded late, for a block that begins elsewhere.
  const std::string command =
      "env -i ASAN_OPTIONS=intercept_tls_get_addr=0 WARPFIBER_EXITCODE=0 WARPFIBER_QUIET=0 NO_COLOR=1 " + variables +
      " HOST_MISTAKE=" + mode.substr(0, blank) + (blank != std::string::npos ? " HOST_IS_CHECKED=1 '" : " '") +
      program + "' -o /dev/null '[mistake]' 2>&1";
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  char part[512];
  for (std::size_t size; (size = std::fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, size);
  CHECK(::pclose(pipe) == 0);
  return text;
}

/// The text with its lines as one.
std::string joined(std::string text) {
  for (std::size_t at; (at = text.find("\n  ")) != std::string::npos;) text.replace(at, 3, " ");
  return text;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// "host_mistakes.cpp:35": the line that the program has printed.
std::string mistake_in(const std::string& text) {
  const std::size_t at = text.find("line ");
  REQUIRE(at != std::string::npos);
  return "host_mistakes.cpp:" + text.substr(at + 5, text.find('\n', at) - at - 5);
}

struct Mistake {
  const char* mode;
  const char* id;
  const char* said;
};

constexpr Mistake kMistakes[] = {
    {"too_many_threads", "launch-error", "1,024"},
    {"too_many_threads_and_a_look", "launch-error", "block of (2048,1,1) = 2,048 threads"},
    {"free_twice", "invalid-free", "in device memory that was freed"},
    {"free_twice_in_stream", "invalid-free", "in device memory that was freed"},
    {"free_inside", "invalid-free", "4 bytes into an allocation of 64 bytes"},
    {"copy_from_freed", "use-after-free", "the source is in device memory that was freed"},
    {"copy_beyond", "oob-global", "exceeds its allocation of 64 bytes by 1 byte"},
};

struct Failure {
  const char* mode;
  const char* said;
};

constexpr Failure kFailures[] = {
    {"use_destroyed_stream", "cudaErrorInvalidResourceHandle: the stream does not exist or was destroyed"},
    {"use_destroyed_event", "cudaErrorInvalidResourceHandle: the event does not exist or was destroyed"},
    {"time_without_recording", "cudaErrorInvalidResourceHandle: the first event was never recorded"},
    {"allocate_too_much", "cudaErrorMemoryAllocation: 18,446,744,073,709,551,615 bytes were requested"},
    {"register_too_much",
     "cudaErrorInvalidValue: of the 9223372036854775807 bytes at the address, some are not mapped"},
};

}  // namespace

TEST_CASE("a checked program reads of its host's mistakes at their lines") {
  const Mistake& mistake = kMistakes[GENERATE(range(std::size_t{0}, std::size(kMistakes)))];
  CAPTURE(mistake.mode);
  const std::string text = output(mistake.mode + std::string(" checked"));
  CAPTURE(text);
  CHECK(contains(text, std::string("\n") + mistake.id + "  "));
  CHECK(contains(text, mistake.said));
  CHECK(contains(text, mistake_in(text)));
  CHECK_FALSE(contains(text, "(warning)"));
}

TEST_CASE("a program that is not checked gets errors and no findings") {
  for (const Mistake& mistake : kMistakes) {
    CAPTURE(mistake.mode);
    CHECK_FALSE(contains(output(mistake.mode), std::string("\n") + mistake.id + "  "));
  }
}

TEST_CASE("a launch that failed and that nobody looked at is a warning at the end, at its line") {
  const std::string text = output("too_many_threads");
  CHECK_THAT(text,
             ContainsSubstring("\nlaunch-error (warning)  store_one<<<(1,1,1), (2048,1,1)>>>, on H200 (model)\n"));
  CHECK_THAT(text, ContainsSubstring("the host calls"));
  CHECK_THAT(text, ContainsSubstring(mistake_in(text)));
  CHECK_THAT(text, ContainsSubstring("did not check for errors"));
  CHECK_FALSE(contains(output("too_many_threads_and_a_look"), "warning"));
  CHECK_FALSE(contains(output("too_many_threads", "WARPFIBER_QUIET=1"), "warning"));
}

TEST_CASE("a launch on a device that has failed is a warning where nobody looks") {
  const std::string text = output("launch_after_failure");
  CHECK_THAT(text, ContainsSubstring("launch-error (warning)  store_one"));
  CHECK_THAT(text, ContainsSubstring("failed earlier with cudaErrorIllegalAddress"));
  CHECK_THAT(text, ContainsSubstring(mistake_in(text)));
}

TEST_CASE("a launch that returns its error needs nobody to ask") {
  const std::string text = output("native_launch");
  CHECK_THAT(text, ContainsSubstring("refused"));
  CHECK_FALSE(contains(text, "warning"));
}

TEST_CASE("a program that never asks for errors reads where the first call failed") {
  const std::string text = output("copy_beyond");
  CHECK_THAT(text, ContainsSubstring("cudaMemcpy: cudaErrorInvalidValue: "));
  CHECK_THAT(text, ContainsSubstring(mistake_in(text) + " (the program did not check for errors)"));
}

TEST_CASE("the first failure that nobody asked for is told with its reason and the user's line") {
  const Failure& failure = kFailures[GENERATE(range(std::size_t{0}, std::size(kFailures)))];
  const std::string text = output(failure.mode);
  CHECK_THAT(text, ContainsSubstring(failure.said));
  CHECK_THAT(text, ContainsSubstring(mistake_in(text) + " (the program did not check for errors)"));
}

TEST_CASE("a call that is refused is a finding of a checked program, once") {
  static constexpr Failure kRefused[] = {
      {"use_destroyed_stream", "does nothing: the stream does not exist"},
      {"use_destroyed_event", "does nothing: the event does not exist"},
      {"time_without_recording", "the first event was never recorded"},
      {"copy_in_wrong_direction", "for cudaMemcpyDeviceToHost the source must be in device memory"},
      {"capture", "cudaStreamBeginCapture returns cudaErrorNotSupported"},
  };
  const Failure& one = kRefused[GENERATE(range(std::size_t{0}, std::size(kRefused)))];
  CAPTURE(one.mode);
  const std::string text = output(one.mode + std::string(" checked"));
  CAPTURE(text);
  const std::size_t at = text.find("\nrefused-call  ");
  CHECK(at != std::string::npos);
  CHECK(text.find("\nrefused-call  ", at + 1) == std::string::npos);
  CHECK(contains(joined(text), one.said));
  CHECK(contains(text, mistake_in(text)));
  CHECK_FALSE(contains(text, "did not check"));
}

TEST_CASE("memory that is never freed is a note for each line that allocates, where that is asked for") {
  CHECK_FALSE(contains(output("leak"), "leak"));
  const std::string at_end = output("leak", "WARPFIBER_LEAK_CHECK=1");
  CAPTURE(at_end);
  CHECK(contains(at_end, "\nleak (info)  "));
  CHECK(at_end.find("\nleak", at_end.find("\nleak") + 1) == std::string::npos);
  CHECK(contains(at_end, "2 allocations made here, 128 bytes in all, were not freed before the process ended."));
  CHECK(contains(at_end, mistake_in(at_end)));
  const std::string at_reset = output("leak_and_reset", "WARPFIBER_LEAK_CHECK=1");
  CHECK(contains(at_reset, "2 allocations made here, 128 bytes in all, were not freed before cudaDeviceReset()."));
  CHECK_FALSE(contains(at_reset, "before the process ended"));
}

TEST_CASE("a limit that a program complains about is a finding, with the calls that led there") {
  const std::string text = output("name_no_device checked");
  CAPTURE(text);
  CHECK(contains(text, "\nrefused-call  "));
  CHECK(contains(text, mistake_in(text)));
  CHECK(contains(text, "in name_no_device"));
}

TEST_CASE("errors that a program handles are lines, and answers nothing") {
  const std::string text = output("handle_errors checked");
  CAPTURE(text);
  CHECK_FALSE(contains(text, "refused-call"));
  CHECK(contains(text, "cudaSetDevice returns cudaErrorInvalidDevice"));
  CHECK(contains(text, "The program checked the error and continued."));
  CHECK_FALSE(contains(text, "Occupancy"));
}

TEST_CASE("a host program without mistakes reads of none") {
  CHECK(output("fine checked").empty());
}
