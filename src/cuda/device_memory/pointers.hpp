// SPDX-License-Identifier: Apache-2.0
// Questions about addresses, and advice about managed memory, which has one place only and needs none. Called by abi.
#pragma once

#include <warpfiber/cuda/api/types.h>
#include <warpfiber/error.hpp>

#include <cstddef>

namespace warpfiber::device_memory {

/// cudaPointerGetAttributes; an address of the host that nobody pinned is unregistered, which is no error.
Error pointer_attributes(cudaPointerAttributes* attributes, const void* pointer);

/// cudaMemPrefetchAsync and cudaMemAdvise: checked, and nothing to do.
Error prefetch(const void* pointer, std::size_t bytes, const cudaMemLocation& location, cudaStream_t stream);
Error advise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, const cudaMemLocation& location);

/// cudaStreamAttachMemAsync: checked, and nothing to do.
Error attach(const void* pointer, unsigned flags, cudaStream_t stream);

}  // namespace warpfiber::device_memory
