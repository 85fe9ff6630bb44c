// SPDX-License-Identifier: Apache-2.0
// A program that findings_log_test.cpp starts with other environments: goes wrong in the way named by its argument.
#include <warpfiber/warpfiber.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "process/findings/findings_log.hpp"

using namespace warpfiber;

namespace {

record::Finding race(const std::string& file, unsigned first, unsigned second) {
  record::Finding finding{.verdict = record::Verdict::race_global};
  finding.launch.kernel = "kernel";
  finding.parties = {{.role = record::Role::write, .place = {file, first}},
                     {.role = record::Role::read, .place = {file, second}}};
  return finding;
}

void log_race(unsigned first, unsigned second, std::uint64_t repeats = 0) {
  record::Finding finding = race("a.cu", first, second);
  finding.repeats = repeats;
  runtime::log_finding(finding);
}

void trap() {
  launch({.block = 32}, [] {
    if (threadIdx.x == 9) __trap();
  });
}

void nothing() {
  launch({.block = 32}, [] {});
}

void three_of_two_kinds() {
  log_race(1, 2);
  log_race(3, 4);
  log_race(1, 2, 5);
}

void either_way_round() {
  record::Finding finding = race("a.cu", 1, 2);
  runtime::log_finding(finding);
  std::swap(finding.parties[0], finding.parties[1]);
  runtime::log_finding(finding);
}

void many_kinds() {
  for (unsigned line = 1; line <= 3000; ++line) log_race(line, line + 1);
}

void trap_and_abort() {
  trap();
  std::abort();
}

void trap_and_crash() {
  trap();
  std::raise(SIGSEGV);
}

void trap_and_leave_inside() {
  trap();
  launch({}, [] { std::exit(7); });
}

struct Mode {
  const char* name;
  void (*run)();
};

constexpr Mode kModes[] = {
    {"nothing", nothing},         {"trap", trap},
    {"fold", three_of_two_kinds}, {"round", either_way_round},
    {"many", many_kinds},         {"abort", trap_and_abort},
    {"crash", trap_and_crash},    {"exit", trap_and_leave_inside},
};

}  // namespace

int main(int argc, char** argv) {
  for (const Mode& mode : kModes) {
    if (argc == 2 && std::strcmp(argv[1], mode.name) == 0) mode.run();
  }
}
