// SPDX-License-Identifier: Apache-2.0
//
// Linked with a part of the simulator in which one line is wrong (CMakeLists.txt): the recordings of a right device
// have to notice within the first thousand programs, and what is told has to name the operation, given as argument.
#include <cstdio>
#include <string>

#include "tools/fuzz/fuzz.hpp"

int main(int argc, char** argv) {
  constexpr unsigned kWithin = 1000;
  if (argc != 2) return 2;
  for (unsigned seed = 1; seed <= kWithin; ++seed) {
    const auto reply = warpfiber::tools::fuzz::fuzz(
        {"--count", "1", "--seed", std::to_string(seed), "--against", "recordings"}, WARPFIBER_FUZZ_PREFIX);
    if (reply.status == 0) continue;
    std::printf("%s%s", reply.out.c_str(), reply.err.c_str());
    std::remove(("fuzz_" + std::to_string(seed) + ".cu").c_str());
    const bool named = reply.out.find(argv[1]) != std::string::npos;
    if (!named) std::printf("does not say \"%s\"\n", argv[1]);
    return reply.status == 1 && named ? 0 : 1;
  }
  std::printf("%u programs notice nothing\n", kWithin);
  return 1;
}
