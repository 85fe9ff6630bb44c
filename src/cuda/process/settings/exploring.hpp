// SPDX-License-Identifier: Apache-2.0
// What is kept of a run to be compared with other runs, as the environment says (session.cpp).
#pragma once

#include <cstdint>
#include <string>

namespace warpfiber::process {

/// A byte of a copy from a device, or of managed memory, whose last writer is to be reported.
struct AskedWriter {
  bool managed = false;
  std::uint64_t number = 0;  // among the program's copies, or managed allocations; 0: nothing is asked
  std::uint64_t byte = 0;
};

struct ExploreSettings {
  std::string results;      // the file that copies to the host are kept in; empty: none
  std::string schedule;     // the file that schedules are kept in; empty: none
  std::string copies;       // the file that takes what comes back from devices; empty: none
  AskedWriter copy_writer;  // of what comes back
};

const ExploreSettings& explore_settings();

}  // namespace warpfiber::process
