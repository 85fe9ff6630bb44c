// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime: copies and fills, each now and in a stream.
#include <warpfiber/cuda/api/runtime.h>

#include "device_memory/arrays.hpp"
#include "device_memory/copies.hpp"
#include "runtime/calls.hpp"

using namespace warpfiber::device_memory;
using namespace warpfiber::process;
using namespace warpfiber::runtime;
using warpfiber::Error;

namespace {

Error fill_3d(const cudaPitchedPtr& to, int value, const cudaExtent& extent, const Order& order) {
  return fill(rows(to.ptr, to.pitch, to.ysize), Box{extent.width, extent.height, extent.depth}, value, order);
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return call(__func__, [&] { return copy(line(to, bytes), line(from, bytes), Box{bytes}, kind, kNow); });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return call(__func__, [&] { return copy(line(to, bytes), line(from, bytes), Box{bytes}, kind, later(stream)); });
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return call(__func__, [&] {
    return copy_rows(rows(to, to_pitch, height), rows(from, from_pitch, height), Box{width, height}, kind, kNow);
  });
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return call(__func__, [&] {
    return copy_rows(rows(to, to_pitch, height), rows(from, from_pitch, height), Box{width, height}, kind,
                     later(stream));
  });
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return call(__func__, [&] { return copy_3d(parameters, kNow); });
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return call(__func__, [&] { return copy_3d(parameters, later(stream)); });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  return call(__func__, [&] { return copy_peer({to, to_device}, {from, from_device}, bytes, Order{nullptr, true}); });
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  return call(__func__, [&] { return copy_peer({to, to_device}, {from, from_device}, bytes, later(stream)); });
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  return call(__func__, [&] { return copy_3d_peer(parameters, kNow); });
}
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  return call(__func__, [&] { return copy_3d_peer(parameters, later(stream)); });
}

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  return call(__func__, [&] { return fill(line(to, bytes), Box{bytes}, value, kNow); });
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return call(__func__, [&] { return fill(line(to, bytes), Box{bytes}, value, later(stream)); });
}
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return call(__func__, [&] { return fill(rows(to, pitch, height), Box{width, height}, value, kNow); });
}
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return call(__func__, [&] { return fill(rows(to, pitch, height), Box{width, height}, value, later(stream)); });
}
cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return call(__func__, [&] { return fill_3d(to, value, extent, kNow); });
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
  return call(__func__, [&] { return fill_3d(to, value, extent, later(stream)); });
}

}  // extern "C"
