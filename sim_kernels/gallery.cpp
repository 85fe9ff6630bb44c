// SPDX-License-Identifier: Apache-2.0
// The gallery: runs every exhibit on its usual input with a line each, then the programs that assume lock step, then
// three programs that hang, each with its explanation and its corrected twin. With names as arguments it runs those
// exhibits only. Exit status 1 if anything came out otherwise than it should.
#include "registry.hpp"

#include <cstdio>
#include <exception>

namespace gallery {

namespace {

constexpr std::size_t kHangsShown = 3;
constexpr const char* kLine = "%-18s %-24s %-4s %-28s %-28s %11s %10s %10.1f\n";

Setting with_data(Setting setting) {
  setting.data = WARPFIBER_GALLERY_DATA;
  return setting;
}

void print_header() {
  std::printf("%-18s %-24s %-4s %-28s %-28s %11s %10s %10s\n", "room", "kernel", "", "result", "reference", "threads",
              "barriers", "time (ms)");
}

bool show(const Exhibit& exhibit) {
  const Record record = exhibit.run(with_data(exhibit.usual));
  std::printf(kLine, exhibit.room, exhibit.name, record.passed ? "ok" : "FAIL", record.result.c_str(),
              record.reference.c_str(), grouped(record.threads).c_str(),
              record.barriers ? grouped(*record.barriers).c_str() : "-", record.milliseconds);
  std::fflush(stdout);
  return record.passed;
}

/// Right while lanes run together, wrong or found out when every lane is on its own.
bool show_lockstep(const Defect& defect) {
  Setting setting = with_data(defect.usual);
  setting.engine.policy = "random";
  setting.engine.seed = 1;
  setting.engine.convergence = "none";
  const Record wrong = defect.wrong(setting);
  const Record corrected = defect.corrected(setting);
  std::printf("%-26s %-52s gives %-18s not %-14s corrected %s\n", defect.name, defect.lesson, wrong.result.c_str(),
              wrong.reference.c_str(), corrected.passed ? "ok" : "FAIL");
  std::fflush(stdout);
  return !wrong.passed && corrected.passed;
}

bool show_hang(const Defect& defect) {
  std::printf("\n%s: %s (%s)\n", defect.name, defect.lesson, defect.header);
  std::fflush(stdout);
  const Record wrong = defect.wrong(with_data(defect.usual));
  const Record corrected = defect.corrected(with_data(defect.usual));
  std::printf("  corrected: %s, result %s, reference %s\n", corrected.passed ? "ok" : "FAIL", corrected.result.c_str(),
              corrected.reference.c_str());
  std::fflush(stdout);
  return !wrong.finding.empty() && corrected.passed;
}

bool show_all() {
  bool good = true;
  print_header();
  for (const Exhibit& exhibit : exhibits()) good &= show(exhibit);
  std::printf("\nPrograms that assume lock step, run with every lane on its own:\n\n");
  for (const Defect& defect : lockstep_defects()) good &= show_lockstep(defect);
  std::printf("\nThree programs that hang, and why:\n");
  for (const Defect& defect : hangs().first(kHangsShown)) good &= show_hang(defect);
  return good;
}

bool show_named(std::span<char*> names) {
  bool good = true;
  print_header();
  for (const char* name : names) {
    const Exhibit* exhibit = find_exhibit(name);
    if (exhibit == nullptr) std::fprintf(stderr, "warpfiber_gallery: there is no exhibit %s\n", name);
    good &= exhibit != nullptr && show(*exhibit);
  }
  return good;
}

}  // namespace

}  // namespace gallery

int main(int argc, char** argv) {
  try {
    const std::span<char*> names(argv + 1, static_cast<std::size_t>(argc - 1));
    return (names.empty() ? gallery::show_all() : gallery::show_named(names)) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "warpfiber_gallery: %s\n", error.what());
    return 1;
  }
}
