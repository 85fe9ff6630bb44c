// SPDX-License-Identifier: Apache-2.0
// What a program may set about a device, and how devices reach each other: limits, cache preferences, flags, peer
// access, PCI bus ids. Nothing here changes how kernels run, but what has been set can be asked for. Called by abi.
#pragma once

#include <warpfiber/cuda/api/types.h>
#include <warpfiber/error.hpp>

#include <cstddef>

namespace warpfiber::process {

/// cudaDeviceSetLimit and cudaDeviceGetLimit, of the current device; bytes, or numbers of launches.
Error set_limit(cudaLimit limit, std::size_t value);
Error get_limit(std::size_t* value, cudaLimit limit);

Error set_cache_config(cudaFuncCache config);
Error get_cache_config(cudaFuncCache* config);
Error set_shared_config(cudaSharedMemConfig config);
Error get_shared_config(cudaSharedMemConfig* config);

/// cudaSetDeviceFlags, cudaGetDeviceFlags, and cudaInitDevice's.
Error set_device_flags(unsigned flags);
Error get_device_flags(unsigned* flags);

/// cudaSetValidDevices: a list that names only devices which are there is accepted.
Error set_valid_devices(const int* devices, int count);

/// "0000:01:00.0" for device 0, and back.
Error pci_bus_id(char* text, int room, int device);
Error device_by_pci_bus_id(int* device, const char* text);

/// Peers: every device reaches every other one.
Error can_access_peer(int* can, int device, int peer);
Error enable_peer(int peer, unsigned flags);
Error disable_peer(int peer);
Error peer_attribute(int* value, cudaDeviceP2PAttr attribute, int from, int to);

/// Back to how everything was in the beginning, as cudaDeviceReset does it.
void forget_settings(int device);

}  // namespace warpfiber::process
