// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime: arrays and the copies to and from them.
#include <warpfiber/cuda/api/runtime.h>

#include "device_memory/arrays.hpp"
#include "device_memory/copies.hpp"
#include "process/explain.hpp"
#include "runtime/calls.hpp"

using namespace warpfiber::device_memory;
using namespace warpfiber::process;
using namespace warpfiber::runtime;
using warpfiber::Error;

namespace {

Error format_of(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  if (format == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  return array_info(format, nullptr, nullptr, array);
}

}  // namespace

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  return call(__func__, [&] { return format_of(format, array); });
}
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width, size_t height,
                            unsigned flags) {
  return call(__func__, [&] { return make_array(array, format, cudaExtent{width, height, 0}, flags); });
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned flags) {
  return call(__func__, [&] { return make_array(array, format, extent, flags); });
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  return call(__func__, [&] { return free_array(array); });
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags, cudaArray_t array) {
  return call(__func__, [&] { return array_info(format, extent, flags, array); });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  return call(__func__, [&] {
    return copy_to_array({to, x, y}, rows(from, pitch, height), Box{width, height}, kind, kNow);
  });
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return call(__func__, [&] {
    return copy_to_array({to, x, y}, rows(from, pitch, height), Box{width, height}, kind, later(stream));
  });
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind) {
  return call(__func__, [&] {
    return copy_from_array(rows(to, pitch, height), {from, x, y}, Box{width, height}, kind, kNow);
  });
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return call(__func__, [&] {
    return copy_from_array(rows(to, pitch, height), {from, x, y}, Box{width, height}, kind, later(stream));
  });
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                     size_t from_y, size_t width, size_t height, cudaMemcpyKind kind) {
  return call(__func__, [&] {
    return copy_between_arrays({to, to_x, to_y}, {from, from_x, from_y}, Box{width, height}, kind, kNow);
  });
}
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return call(__func__, [&] { return copy_bytes_to_array({to, x, y}, from, bytes, kind, kNow); });
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  return call(__func__, [&] { return copy_bytes_to_array({to, x, y}, from, bytes, kind, later(stream)); });
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return call(__func__, [&] { return copy_bytes_from_array(to, {from, x, y}, bytes, kind, kNow); });
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return call(__func__, [&] { return copy_bytes_from_array(to, {from, x, y}, bytes, kind, later(stream)); });
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                   size_t from_y, size_t bytes, cudaMemcpyKind kind) {
  return call(__func__, [&] {
    return copy_between_arrays({to, to_x, to_y}, {from, from_x, from_y}, Box{bytes}, kind, kNow);
  });
}

}  // extern "C"
