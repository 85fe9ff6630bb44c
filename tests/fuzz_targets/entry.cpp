// SPDX-License-Identifier: Apache-2.0
//
// What libFuzzer calls, for the target that the build names.
#include <cstddef>
#include <cstdint>

#include "fuzz_targets/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpfiber::fuzz_targets::WARPFIBER_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
