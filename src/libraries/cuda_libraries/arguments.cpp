// SPDX-License-Identifier: Apache-2.0
// Whether factors and results are where the pointer mode says. Sources: cuBLAS guide, "Scalar Parameters"; recorded on
// an H200 (CUDA 13.0): in the host's mode a factor in device memory ends the program with SIGSEGV, and a result there
// is written. In the device's mode a pointer to host memory is an illegal address.
#include "cuda_libraries/arguments.hpp"

#include "device_memory/table.hpp"

namespace warpfiber::cuda_libraries {

using record::ReasonKind;

WrongPlace wrong_place(const char* name, const void* at, bool on_device, const PointerModeNames& modes) {
  const auto block = device_memory::block_at(at);
  if (on_device) {
    if (block.has_value()) return {};
    return {{ReasonKind::scalar_not_on_device, name, device_memory::what_is(at), modes.device},
            {ReasonKind::use_pointer_mode, modes.host, "device"}};
  }
  const bool of_device_alone = block.has_value() && block->kind == device_memory::MemoryKind::device;
  if (!of_device_alone) return {};
  return {{ReasonKind::scalar_not_on_host, name, modes.host}, {ReasonKind::use_pointer_mode, modes.device, "host"}};
}

bool is_ordinary_memory(const void* at) {
  if (device_memory::block_at(at).has_value()) return false;
  return device_memory::what_is(at).kind == ReasonKind::in_pageable_memory;
}

}  // namespace warpfiber::cuda_libraries
