// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: fills with elements of 1, 2 and 4 bytes. Widths are in elements, pitches in bytes.
#include <warpfiber/cuda/driver/memory.h>

#include "abi/driver/driver_call.hpp"
#include "device_memory/copies.hpp"

using namespace warpfiber::abi;
using namespace warpfiber::device_memory;
using namespace warpfiber::process;
using warpfiber::Error;

namespace {

/// The driver refuses an address that is no multiple of the element's size.
Error check_aligned(CUdeviceptr to, std::size_t pitch, unsigned element) {
  if (to % element == 0 && pitch % element == 0) return Error::success;
  return fail(Error::invalid_value, {ReasonKind::fill_misaligned, element});
}

template <class Element>
Error fill_elements(CUdeviceptr to, Element value, std::size_t count, const Order& order) {
  const std::size_t bytes = count * sizeof(Element);
  const Error error = check_aligned(to, 0, sizeof(Element));
  if (error != Error::success) return error;
  return fill(line(pointer_of(to), bytes), Box{bytes}, Pattern{value, sizeof(Element)}, order);
}

template <class Element>
Error fill_rows(CUdeviceptr to, std::size_t pitch, Element value, const Box& elements, const Order& order) {
  const Error error = check_aligned(to, elements.height == 1 ? 0 : pitch, sizeof(Element));
  if (error != Error::success) return error;
  return fill(rows(pointer_of(to), pitch, elements.height), Box{elements.width * sizeof(Element), elements.height},
              Pattern{value, sizeof(Element)}, order);
}

}  // namespace

extern "C" {

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  return driver_call("cuMemsetD8", [&] { return fill_elements(to, value, count, kNow); });
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
  return driver_call("cuMemsetD16", [&] { return fill_elements(to, value, count, kNow); });
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned value, size_t count) {
  return driver_call("cuMemsetD32", [&] { return fill_elements(to, value, count, kNow); });
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return driver_call("cuMemsetD8Async", [&] { return fill_elements(to, value, count, later(stream)); });
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return driver_call("cuMemsetD16Async", [&] { return fill_elements(to, value, count, later(stream)); });
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  return driver_call("cuMemsetD32Async", [&] { return fill_elements(to, value, count, later(stream)); });
}

CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height) {
  return driver_call("cuMemsetD2D8", [&] { return fill_rows(to, pitch, value, Box{width, height}, kNow); });
}
CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height) {
  return driver_call("cuMemsetD2D16", [&] { return fill_rows(to, pitch, value, Box{width, height}, kNow); });
}
CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height) {
  return driver_call("cuMemsetD2D32", [&] { return fill_rows(to, pitch, value, Box{width, height}, kNow); });
}
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height,
                           CUstream stream) {
  return driver_call("cuMemsetD2D8Async", [&] {
    return fill_rows(to, pitch, value, Box{width, height}, later(stream));
  });
}
CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height,
                            CUstream stream) {
  return driver_call("cuMemsetD2D16Async", [&] {
    return fill_rows(to, pitch, value, Box{width, height}, later(stream));
  });
}
CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height,
                            CUstream stream) {
  return driver_call("cuMemsetD2D32Async", [&] {
    return fill_rows(to, pitch, value, Box{width, height}, later(stream));
  });
}

}  // extern "C"
