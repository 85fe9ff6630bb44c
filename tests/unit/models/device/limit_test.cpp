// SPDX-License-Identifier: Apache-2.0
//
// Why no further block fits an SM, and the sentence of it.
#include "device/launch_check.hpp"

#include <cstddef>
#include <string>

#include "report/reasons/reasons.hpp"
#include "support/catch.hpp"

using warpfiber::DeviceModel;
using warpfiber::find_device;
using warpfiber::KernelAttributes;

namespace {

constexpr std::size_t kKiB = 1024;

const DeviceModel& h200() {
  return *find_device("H200");
}

KernelAttributes whole_sm() {
  KernelAttributes kernel;
  kernel.max_dynamic_shared = 227 * kKiB;
  return kernel;
}

std::string limit_text(const DeviceModel& device, const KernelAttributes& kernel, unsigned block_threads,
                       std::size_t dynamic_shared) {
  return warpfiber::report::reason_text(warpfiber::device::limit_of(device, kernel, block_threads, dynamic_shared));
}

}  // namespace

TEST_CASE("models are distinguished from hardware") {
  CHECK(warpfiber::device::device_text(h200()) == "H200 (model)");
}

TEST_CASE("shared memory is counted in KiB where it comes in KiB") {
  CHECK(limit_text(h200(), whole_sm(), 256, 160 * kKiB) == "one block fits an SM (shared memory: 160 of 227 KiB)");
  CHECK(limit_text(h200(), whole_sm(), 64, 100 * kKiB) == "2 blocks fit an SM (shared memory: 2 × 100 of 226 KiB)");
  CHECK(limit_text(h200(), whole_sm(), 64, 100 * kKiB + 4) ==
        "2 blocks fit an SM (shared memory: 2 × 102,404 of 231,424 bytes)");
}

TEST_CASE("static and dynamic shared memory count together") {
  KernelAttributes kernel = whole_sm();
  kernel.static_shared = 40 * kKiB;
  CHECK(limit_text(h200(), kernel, 256, 120 * kKiB) == "one block fits an SM (shared memory: 160 of 227 KiB)");
}

TEST_CASE("threads, blocks and registers are counted") {
  KernelAttributes kernel;
  CHECK(limit_text(h200(), kernel, 1024, 0) == "2 blocks fit an SM (threads: 2 × 1,024 of 2,048)");
  CHECK(limit_text(h200(), kernel, 32, 0) == "32 blocks fit an SM (blocks: 32 × 1 of 32)");
  kernel.registers_per_thread = 128;
  CHECK(limit_text(h200(), kernel, 256, 0) == "2 blocks fit an SM (registers: 2 × 32,768 of 65,536)");
}

TEST_CASE("threads are counted in whole warps") {
  CHECK(limit_text(h200(), {}, 70, 0) == "21 blocks fit an SM (threads: 21 × 96 of 2,048)");
}

TEST_CASE("a block that cannot run is compared with what one block may have") {
  KernelAttributes kernel;
  CHECK(limit_text(h200(), kernel, 2048, 0) == "no block fits an SM (threads per block: 2,048 of 1,024)");
  CHECK(limit_text(h200(), kernel, 32, 64 * kKiB) == "no block fits an SM (shared memory: 64 of 48 KiB)");
  CHECK(limit_text(h200(), whole_sm(), 32, 228 * kKiB) == "no block fits an SM (shared memory: 228 of 227 KiB)");
  kernel.registers_per_thread = 128;
  CHECK(limit_text(h200(), kernel, 1024, 0) == "no block fits an SM (registers: 131,072 of 65,536)");
}
