// SPDX-License-Identifier: Apache-2.0
// Memory pools: what cudaMallocAsync takes memory from. A pool keeps no memory back, so what it has reserved is what is
// in use and there is nothing to trim; its attributes are kept and can be asked for. Called by abi and allocation.
#pragma once

#include <warpfiber/cuda/api/types.h>
#include <warpfiber/error.hpp>

#include <cstddef>

namespace warpfiber::device_memory {

/// A device has one pool from the beginning and one that is current, at first the same.
Error default_pool(cudaMemPool_t* pool, int device);
Error current_pool(cudaMemPool_t* pool, int device);
Error set_current_pool(int device, cudaMemPool_t pool);

Error make_pool(cudaMemPool_t* pool, const cudaMemPoolProps* properties);
/// Memory that came from the pool stays until it is freed.
Error destroy_pool(cudaMemPool_t pool);

Error set_pool_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, const void* value);
Error pool_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
Error trim_pool(cudaMemPool_t pool);

/// Every device reaches every pool.
Error set_pool_access(cudaMemPool_t pool, const cudaMemAccessDesc* accesses, std::size_t count);
Error pool_access(cudaMemAccessFlags* flags, cudaMemPool_t pool, const cudaMemLocation* location);

/// Memory from the pool, or from the current one of the current device where it is null.
Error malloc_from_pool(void** memory, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream);

/// The pool that the memory at an address came from; null: none.
cudaMemPool_t pool_of(const void* address);

/// Ends the pools of a device.
void forget_pools(int device);

}  // namespace warpfiber::device_memory
