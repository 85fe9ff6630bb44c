// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime: memory pools.
#include <warpfiber/cuda/api/runtime.h>

#include "device_memory/pools.hpp"
#include "process/explain.hpp"
#include "runtime/calls.hpp"

using namespace warpfiber::device_memory;
using namespace warpfiber::process;
using namespace warpfiber::runtime;
using warpfiber::Error;

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return call(__func__, [&] { return default_pool(pool, device); });
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return call(__func__, [&] { return current_pool(pool, device); });
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call(__func__, [&] { return set_current_pool(device, pool); });
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return call(__func__, [&] { return make_pool(pool, properties); });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return call(__func__, [&] { return destroy_pool(pool); });
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call(__func__, [&] { return set_pool_attribute(pool, attribute, value); });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call(__func__, [&] { return pool_attribute(pool, attribute, value); });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return call(__func__, [&] { return trim_pool(pool); });
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* accesses, size_t count) {
  return call(__func__, [&] { return set_pool_access(pool, accesses, count); });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  return call(__func__, [&] { return pool_access(flags, pool, location); });
}
cudaError_t cudaMallocFromPoolAsync(void** memory, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return call(__func__, [&] {
    if (pool == nullptr) return fail(Error::invalid_value, ReasonKind::pool_null);
    stores_results_at(memory);
    return malloc_from_pool(memory, bytes, pool, stream);
  });
}

}  // extern "C"
