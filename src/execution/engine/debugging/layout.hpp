// SPDX-License-Identifier: Apache-2.0
// Where a debugger finds workers, blocks and fibers, without debug information of the library and without calling
// anything in the program: names and numbers, which share/gdb/warpfiber-gdb.py reads. The program writes nothing.
#pragma once

#include <cstdint>

namespace warpfiber::engine {

/// An offset within a structure, "fiber.resume", or a constant, "constant.group_places". Both in place, so that the
/// table holds no address that the loader would have to write.
struct LayoutEntry {
  char name[28];
  std::uint32_t value;
};

/// Ends with an entry without a name.
extern "C" const LayoutEntry warpfiber_debugger_layout[];

}  // namespace warpfiber::engine
