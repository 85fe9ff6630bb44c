// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: copies.
#include <warpfiber/cuda/driver/memory.h>

#include "abi/driver/driver_call.hpp"
#include "device_memory/arrays.hpp"
#include "device_memory/copies.hpp"

using namespace warpfiber::abi;
using namespace warpfiber::device_memory;
using namespace warpfiber::process;
using warpfiber::Error;

namespace {

Error copy_line(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const Order& order) {
  return copy(line(to, bytes), line(from, bytes), Box{bytes}, kind, order);
}

/// One end of a copy of rows.
struct RowsEnd {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  std::size_t pitch;
  std::size_t x;
  std::size_t y;

  bool is_array() const { return type == CU_MEMORYTYPE_ARRAY; }
  const char* begin() const {
    const void* const base = type == CU_MEMORYTYPE_HOST ? host : pointer_of(device);
    return static_cast<const char*>(base) + y * pitch + x;
  }
};

cudaMemcpyKind kind_of(const RowsEnd& to, const RowsEnd& from) {
  if (to.type == CU_MEMORYTYPE_UNIFIED || from.type == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  if (to.type == CU_MEMORYTYPE_HOST)
    return from.type == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
  return from.type == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

Error copy_2d(const char* function, const CUDA_MEMCPY2D* parameters, const Order& order) {
  if (parameters == nullptr) return fail(Error::invalid_value, ReasonKind::parameters_null);
  const CUDA_MEMCPY2D& p = *parameters;
  const RowsEnd to{p.dstMemoryType, p.dstHost, p.dstDevice, p.dstPitch, p.dstXInBytes, p.dstY};
  const RowsEnd from{p.srcMemoryType, p.srcHost, p.srcDevice, p.srcPitch, p.srcXInBytes, p.srcY};
  if (to.is_array() || from.is_array()) return warpfiber::runtime::unmodelled(function);
  return copy_rows(rows(to.begin(), to.pitch, p.Height), rows(from.begin(), from.pitch, p.Height),
                   Box{p.WidthInBytes, p.Height}, kind_of(to, from), order);
}

Error copy_batch(CUdeviceptr* to, CUdeviceptr* from, const std::size_t* bytes, std::size_t count, CUstream stream) {
  if (to == nullptr || from == nullptr || bytes == nullptr) return fail(Error::invalid_value, ReasonKind::pointer_null);
  for (std::size_t i = 0; i < count; ++i) {
    const Error error = copy_line(pointer_of(to[i]), pointer_of(from[i]), bytes[i], cudaMemcpyDefault, later(stream));
    if (error != Error::success) return error;
  }
  return Error::success;
}

struct PeerEnd {
  CUdeviceptr at;
  CUcontext context;
};

Error copy_between(const PeerEnd& to, const PeerEnd& from, std::size_t bytes, const Order& order) {
  ContextFacts to_facts;
  ContextFacts from_facts;
  Error error = context_facts(to.context, &to_facts);
  if (error == Error::success) error = context_facts(from.context, &from_facts);
  if (error != Error::success) return error;
  return copy_peer({pointer_of(to.at), to_facts.device}, {pointer_of(from.at), from_facts.device}, bytes, order);
}

}  // namespace

extern "C" {

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return driver_call("cuMemcpy",
                     [&] { return copy_line(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDefault, kNow); });
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return driver_call("cuMemcpyAsync", [&] {
    return copy_line(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDefault, later(stream));
  });
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return driver_call("cuMemcpyHtoD",
                     [&] { return copy_line(pointer_of(to), from, bytes, cudaMemcpyHostToDevice, kNow); });
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return driver_call("cuMemcpyDtoH",
                     [&] { return copy_line(to, pointer_of(from), bytes, cudaMemcpyDeviceToHost, kNow); });
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return driver_call("cuMemcpyDtoD", [&] {
    return copy_line(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDeviceToDevice, kNow);
  });
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return driver_call("cuMemcpyHtoDAsync",
                     [&] { return copy_line(pointer_of(to), from, bytes, cudaMemcpyHostToDevice, later(stream)); });
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return driver_call("cuMemcpyDtoHAsync",
                     [&] { return copy_line(to, pointer_of(from), bytes, cudaMemcpyDeviceToHost, later(stream)); });
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return driver_call("cuMemcpyDtoDAsync", [&] {
    return copy_line(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDeviceToDevice, later(stream));
  });
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes) {
  return driver_call("cuMemcpyPeer", [&] {
    return copy_between({to, to_context}, {from, from_context}, bytes, Order{nullptr, true});
  });
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes,
                           CUstream stream) {
  return driver_call("cuMemcpyPeerAsync", [&] {
    return copy_between({to, to_context}, {from, from_context}, bytes, later(stream));
  });
}
CUresult cuMemcpy2D(const CUDA_MEMCPY2D* parameters) {
  return driver_call("cuMemcpy2D", [&] { return copy_2d("cuMemcpy2D", parameters, kNow); });
}
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* parameters) {
  return driver_call("cuMemcpy2DUnaligned", [&] { return copy_2d("cuMemcpy2DUnaligned", parameters, kNow); });
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* parameters, CUstream stream) {
  return driver_call("cuMemcpy2DAsync", [&] { return copy_2d("cuMemcpy2DAsync", parameters, later(stream)); });
}
CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, size_t* bytes, size_t count, CUmemcpyAttributes*,
                            size_t*, size_t, CUstream stream) {
  return driver_call("cuMemcpyBatchAsync", [&] { return copy_batch(to, from, bytes, count, stream); });
}

}  // extern "C"
