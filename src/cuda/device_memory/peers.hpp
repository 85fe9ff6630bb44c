// SPDX-License-Identifier: Apache-2.0
// Copies between devices that name the devices. They need no peer access, as in CUDA. Called by abi.
#pragma once

#include <warpfiber/cuda/api/types.h>
#include <warpfiber/error.hpp>

#include <cstddef>

#include "device_memory/copies.hpp"

namespace warpfiber::device_memory {

struct PeerAddress {
  const void* at;
  int device;
};

/// cudaMemcpyPeer.
Error copy_peer(const PeerAddress& to, const PeerAddress& from, std::size_t bytes, const Order& order);

/// cudaMemcpy3DPeer.
Error copy_3d_peer(const cudaMemcpy3DPeerParms* parameters, const Order& order);

}  // namespace warpfiber::device_memory
