// SPDX-License-Identifier: Apache-2.0
// Instructions in the program's code that go on at a function, as many as functions are distinguished: addresses that
// the host can call, and a thread of a kernel cannot. Other processors than x86-64 have none.
#pragma once

#include <cstddef>

namespace warpfiber::base {

struct FunctionEntries {
  const char* begin = nullptr;  // of the instructions
  std::size_t count = 0;
  std::size_t bytes = 1;             // of the instructions of each
  const void** functions = nullptr;  // that they go on at; read by the instructions
};

/// Of the process.
FunctionEntries function_entries();

}  // namespace warpfiber::base
