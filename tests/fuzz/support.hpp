// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the fuzzer share: the recordings of the tree, and the two ways to run a program.
#pragma once

#include "support/catch.hpp"
#include "tools/fuzz/program/run.hpp"
#include "tools/fuzz/recordings.hpp"

namespace fuzz_test {

using namespace warpfiber::tools::fuzz;

inline const Recordings& shipped() {
  static const Recordings recordings = [] {
    Recordings read;
    const std::string complaint = read_recordings(WARPFIBER_FUZZ_RECORDINGS, read);
    REQUIRE(complaint.empty());
    return read;
  }();
  return recordings;
}

inline RunSettings in_order(InjectedFault fault = InjectedFault::none) {
  return {"in-order", 0, fault};
}

/// Whether the simulator computed what the device did.
inline bool agrees(const Outcome& outcome, const Recorded& recorded) {
  return outcome.ok() && outcome.digest == recorded.digest && outcome.nodes == recorded.nodes;
}

}  // namespace fuzz_test
