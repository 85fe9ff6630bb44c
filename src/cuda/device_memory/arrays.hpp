// SPDX-License-Identifier: Apache-2.0
// CUDA's arrays: elements of up to four channels in one, two or three dimensions, or layers of these, that only copies,
// textures and surfaces reach. The layout is row by row and nobody's business. Called by abi and by textures.
#pragma once

#include <warpfiber/cuda/api/types.h>
#include <warpfiber/error.hpp>

#include <cstddef>

#include "base/index.hpp"
#include "device_memory/copies.hpp"

/// What the handle points to.
struct cudaArray {
  cudaChannelFormatDesc format{};
  cudaExtent extent{};  // in elements; 0 where there is no such dimension
  unsigned flags = 0;
  int device = 0;
  std::size_t element = 0;  // bytes
  char* data = nullptr;

  std::size_t rows() const { return extent.height != 0 ? extent.height : 1; }
  std::size_t slices() const { return extent.depth != 0 ? extent.depth : 1; }
  std::size_t pitch() const { return extent.width * element; }
  std::size_t bytes() const {
    return warpfiber::base::product_of(warpfiber::base::product_of(pitch(), rows()), slices());
  }
};

namespace warpfiber::device_memory {

/// Bytes of an element, 0 if no array can have it.
std::size_t element_bytes(const cudaChannelFormatDesc& format);

Error make_array(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent, unsigned flags);
Error free_array(cudaArray_t array);
Error array_info(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags, cudaArray_const_t array);

/// Whether the handle is one of a live array.
bool is_array(cudaArray_const_t array);

/// Ends the arrays of a device, whose memory is freed with all other memory of it.
void forget_arrays(int device);

/// An offset into an array, in bytes and rows.
struct ArrayOffset {
  cudaArray_const_t array;
  std::size_t x;
  std::size_t y;
};

/// The functions cudaMemcpy2DToArray, cudaMemcpy2DFromArray and cudaMemcpy2DArrayToArray.
Error copy_to_array(const ArrayOffset& to, const process::CopyPlace& from, const process::Box& box, cudaMemcpyKind kind,
                    const Order& order);
Error copy_from_array(const process::CopyPlace& to, const ArrayOffset& from, const process::Box& box,
                      cudaMemcpyKind kind, const Order& order);
Error copy_between_arrays(const ArrayOffset& to, const ArrayOffset& from, const process::Box& box, cudaMemcpyKind kind,
                          const Order& order);

/// The older functions that take `bytes` from an offset on, over the ends of rows.
Error copy_bytes_to_array(const ArrayOffset& to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                          const Order& order);
Error copy_bytes_from_array(void* to, const ArrayOffset& from, std::size_t bytes, cudaMemcpyKind kind,
                            const Order& order);

/// cudaMemcpy3D.
Error copy_3d(const cudaMemcpy3DParms* parameters, const Order& order);

// Copies between devices that name the devices. They need no peer access, as in CUDA.

struct PeerAddress {
  const void* at;
  int device;
};

/// cudaMemcpyPeer.
Error copy_peer(const PeerAddress& to, const PeerAddress& from, std::size_t bytes, const Order& order);

/// cudaMemcpy3DPeer.
Error copy_3d_peer(const cudaMemcpy3DPeerParms* parameters, const Order& order);

}  // namespace warpfiber::device_memory
