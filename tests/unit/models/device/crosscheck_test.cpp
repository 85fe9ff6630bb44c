// SPDX-License-Identifier: Apache-2.0
//
// Our occupancy and our errors against NVIDIA's own, where a CUDA toolkit is installed: cuda_occupancy.h is the
// calculator the toolkit ships as source, and the runtime names errors without a GPU. Built as crosscheck_device,
// which links no Warpfiber library, so that cudaGetErrorName is the toolkit's.
#include <cuda_occupancy.h>
#include <cuda_runtime_api.h>
#include <cstdint>
#include <string>

#include <climits>

#include <warpfiber/error.hpp>
#include <warpfiber/occupancy.hpp>

#include "base/random.hpp"
#include "support/catch.hpp"

using warpfiber::DeviceModel;
using warpfiber::KernelAttributes;
using warpfiber::Occupancy;

namespace {

cudaOccDeviceProp properties_of(const DeviceModel& m) {
  cudaOccDeviceProp p;
  p.computeMajor = static_cast<int>(m.compute_major);
  p.computeMinor = static_cast<int>(m.compute_minor);
  p.maxThreadsPerBlock = static_cast<int>(m.max_threads_per_block);
  p.maxThreadsPerMultiprocessor = static_cast<int>(m.max_threads_per_sm);
  p.regsPerBlock = static_cast<int>(m.registers_per_block);
  p.regsPerMultiprocessor = static_cast<int>(m.registers_per_sm);
  p.warpSize = static_cast<int>(m.warp_size);
  p.sharedMemPerBlock = m.shared_per_block;
  p.sharedMemPerMultiprocessor = m.shared_per_sm;
  p.numSms = static_cast<int>(m.sm_count);
  p.sharedMemPerBlockOptin = m.shared_per_block_optin;
  p.reservedSharedMemPerBlock = m.shared_reserved_per_block;
  return p;
}

cudaOccFuncAttributes attributes_of(const DeviceModel& m, const KernelAttributes& k) {
  cudaOccFuncAttributes a;
  a.maxThreadsPerBlock = k.max_threads_per_block == 0 ? INT_MAX : static_cast<int>(k.max_threads_per_block);
  a.numRegs = static_cast<int>(k.registers_per_thread);
  a.sharedSizeBytes = k.static_shared;
  a.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  a.maxDynamicSharedSizeBytes = max_dynamic_shared(m, k);
  a.numBlockBarriers = 1;
  return a;
}

cudaOccDeviceState state_of(const KernelAttributes& k) {
  cudaOccDeviceState s;
  s.carveoutConfig = k.preferred_carveout;
  return s;
}

std::size_t random_bytes(warpfiber::base::Random& random, std::size_t most) {
  const std::size_t bytes = random.below(most + 1);
  return random.below(3) == 0 ? bytes / 1024 * 1024 : bytes;
}

KernelAttributes random_kernel(warpfiber::base::Random& random, const DeviceModel& m) {
  KernelAttributes k;
  k.registers_per_thread = static_cast<unsigned>(random.below(256));
  if (random.below(2) == 0) k.static_shared = random_bytes(random, m.shared_per_block);
  if (random.below(2) == 0) k.max_dynamic_shared = random_bytes(random, m.shared_per_block_optin - k.static_shared);
  if (random.below(2) == 0) k.preferred_carveout = static_cast<int>(random.below(101));
  return k;
}

bool is_real(const DeviceModel& m) {
  return std::string(m.name) != "teaching";
}

}  // namespace

TEST_CASE("occupancy is what the toolkit's calculator says") {
  warpfiber::base::Random random(20);
  for (const DeviceModel& m : warpfiber::device_models()) {
    if (!is_real(m)) continue;
    CAPTURE(m.name);
    const cudaOccDeviceProp properties = properties_of(m);
    for (int round = 0; round < 20000; ++round) {
      const KernelAttributes k = random_kernel(random, m);
      const unsigned block = 1 + static_cast<unsigned>(random.below(1100));
      const std::size_t dynamic = random_bytes(random, m.shared_per_sm + 4096);
      CAPTURE(k.registers_per_thread, k.static_shared, k.max_dynamic_shared, k.preferred_carveout, block, dynamic);
      const cudaOccFuncAttributes attributes = attributes_of(m, k);
      const cudaOccDeviceState state = state_of(k);
      cudaOccResult expected;
      REQUIRE(cudaOccMaxActiveBlocksPerMultiprocessor(&expected, &properties, &attributes, &state,
                                                      static_cast<int>(block), dynamic) == CUDA_OCC_SUCCESS);
      const Occupancy got = occupancy(m, k, block, dynamic);
      REQUIRE(static_cast<int>(got.blocks_per_sm) == expected.activeBlocksPerMultiprocessor);
      REQUIRE(static_cast<int>(got.by_threads) == expected.blockLimitWarps);
      REQUIRE(static_cast<int>(got.by_blocks) == expected.blockLimitBlocks);
      if (expected.blockLimitRegs != INT_MAX) REQUIRE(static_cast<int>(got.by_registers) == expected.blockLimitRegs);
      if (expected.blockLimitSharedMem != INT_MAX)
        REQUIRE(static_cast<int>(got.by_shared) == expected.blockLimitSharedMem);
      if (got.by_shared != 0) REQUIRE(got.shared_per_block == expected.allocatedSharedMemPerBlock);
      REQUIRE(static_cast<int>(got.registers_per_block) == expected.allocatedRegistersPerBlock);
    }
  }
}

TEST_CASE("the suggested block size is what the toolkit's calculator suggests") {
  warpfiber::base::Random random(21);
  for (const DeviceModel& m : warpfiber::device_models()) {
    if (!is_real(m)) continue;
    CAPTURE(m.name);
    const cudaOccDeviceProp properties = properties_of(m);
    for (int round = 0; round < 500; ++round) {
      KernelAttributes k = random_kernel(random, m);
      if (random.below(2) == 0) k.max_threads_per_block = 1 + static_cast<unsigned>(random.below(1024));
      const std::size_t dynamic = random.below(2) == 0 ? 0 : random_bytes(random, max_dynamic_shared(m, k));
      CAPTURE(k.registers_per_thread, k.static_shared, k.max_threads_per_block, k.preferred_carveout, dynamic);
      const cudaOccFuncAttributes attributes = attributes_of(m, k);
      const cudaOccDeviceState state = state_of(k);
      int grid = -1;
      int block = -1;
      REQUIRE(cudaOccMaxPotentialOccupancyBlockSize(&grid, &block, &properties, &attributes, &state, dynamic) ==
              CUDA_OCC_SUCCESS);
      const warpfiber::LaunchSuggestion got = potential_block_size(m, k, dynamic);
      REQUIRE(static_cast<int>(got.block) == block);
      REQUIRE(static_cast<int>(got.min_grid) == grid);
    }
  }
}

TEST_CASE("every error has the runtime's name and sentence") {
  for (int number = -1; number <= 10001; ++number) {
    CAPTURE(number);
    const auto error = static_cast<warpfiber::Error>(number);
    REQUIRE(std::string(warpfiber::error_name(error)) == cudaGetErrorName(static_cast<cudaError_t>(number)));
    REQUIRE(std::string(warpfiber::error_string(error)) == cudaGetErrorString(static_cast<cudaError_t>(number)));
  }
}
