// SPDX-License-Identifier: Apache-2.0
// The gallery for `warpfiber crosscheck`, built for the simulator and, where there is nvcc, for a GPU: without an
// argument it prints the names of what can be run and which place results in any order, with one it runs that on its
// usual input and prints what does not depend on where it ran. The buffers that it copies back are compared as well.
// Exit status 1 if the result is wrong.
#include "registry.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <string>
#include <string_view>

namespace gallery {

namespace {

constexpr const char* kTwin = "_corrected";  // the name of a defect's twin is the defect's and this

Setting with_data(Setting setting) {
  const char* elsewhere = std::getenv("WARPFIBER_GALLERY_DATA");
  setting.data = elsewhere != nullptr ? elsewhere : WARPFIBER_GALLERY_DATA;
  return setting;
}

/// Exhibits whose results go where an atomic counter says.
constexpr std::string_view kAnyOrder[] = {"increment_opportunistic", "increment_masked"};

void print_names() {
  for (const Exhibit& exhibit : exhibits()) {
    const bool any_order = std::find(std::begin(kAnyOrder), std::end(kAnyOrder), exhibit.name) != std::end(kAnyOrder);
    std::printf("%s%s\n", exhibit.name, any_order ? " any-order" : "");
  }
  for (const auto& defects : {lockstep_defects(), hangs()}) {
    for (const Defect& defect : defects) std::printf("%s%s\n", defect.name, kTwin);
  }
}

int tell(const Record& record) {
  std::printf("result %s, reference %s, %s threads, %s\n", record.result.c_str(), record.reference.c_str(),
              grouped(record.threads).c_str(), record.passed ? "ok" : "FAIL");
  return record.passed ? 0 : 1;
}

int run_named(const std::string& name) {
  if (const Exhibit* exhibit = find_exhibit(name)) return tell(exhibit->run(with_data(exhibit->usual)));
  for (const auto& defects : {lockstep_defects(), hangs()}) {
    for (const Defect& defect : defects) {
      if (name == std::string(defect.name) + kTwin) return tell(defect.corrected(with_data(defect.usual)));
    }
  }
  std::fprintf(stderr, "warpfiber_crosscheck_gallery: there is no kernel %s\n", name.c_str());
  return 2;
}

}  // namespace

}  // namespace gallery

int main(int argc, char** argv) {
  try {
    if (argc > 1) return gallery::run_named(argv[1]);
    gallery::print_names();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "warpfiber_crosscheck_gallery: %s\n", error.what());
    return 2;
  }
}
