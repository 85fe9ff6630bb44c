// SPDX-License-Identifier: Apache-2.0
// Source of defaults and errors: CUDA Runtime API, "Device Management" and "Peer Device Memory Access"; the values are
// those of an H200.
#include "process/devices/settings.hpp"

#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "base/locks/annotated_mutex.hpp"
#include "base/text.hpp"
#include "memory/kernel_heap.hpp"
#include "process/current_device.hpp"
#include "process/devices/properties.hpp"
#include "process/explain.hpp"
#include "process/process_state.hpp"

namespace warpfiber::process {
namespace {

constexpr unsigned kDeviceFlags = cudaDeviceMask & ~0x60U;
constexpr int kPciTextBytes = 13;  // "0000:01:00.0" and its end

// A limit without a name: the shared memory that a block can have, which nobody may change.
constexpr cudaLimit kSharedLimit = static_cast<cudaLimit>(7);
// CUDA C++ Programming Guide, "Compute Capabilities": local memory of a thread.
constexpr std::size_t kMaxStackBytes = 512 << 10;
constexpr std::size_t kStackUnit = 16;

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

/// What an H200 (CUDA 13.0) begins with, for a model of other numbers.
std::map<cudaLimit, std::size_t> first_limits(const DeviceModel& model) {
  constexpr std::size_t kBuffer = memory::kFirstHeapLimit;
  constexpr std::size_t kPage = 4096;
  // Every multiprocessor has whole pages of the buffer for printf.
  const std::size_t print = rounded_up((kBuffer + model.sm_count - 1) / model.sm_count, kPage) * model.sm_count;
  const std::size_t persisting = model.compute_major >= 9 ? std::size_t{model.l2_bytes} * 3 / 16 : 0;
  return {
      {cudaLimitStackSize, 1024},
      {cudaLimitPrintfFifoSize, print},
      {cudaLimitMallocHeapSize, kBuffer},
      {cudaLimitDevRuntimePendingLaunchCount, 2048},
      {cudaLimitMaxL2FetchGranularity, 64},
      {cudaLimitPersistingL2CacheSize, persisting},
      {kSharedLimit, model.shared_per_block_optin},
  };
}

}  // namespace

struct Settings {
  explicit Settings(const DeviceModel& model) : limits(first_limits(model)) {}

  std::map<cudaLimit, std::size_t> limits;
  cudaFuncCache cache = cudaFuncCachePreferNone;
  cudaSharedMemConfig shared = cudaSharedMemBankSizeFourByte;
  unsigned flags = cudaDeviceScheduleAuto;
  std::set<int> peers;
};

struct DeviceSettings {
  base::Mutex mutex;
  std::map<int, Settings> devices WARPFIBER_GUARDED_BY(mutex);
};

namespace {

DeviceSettings& all() {
  return ProcessState::of_process().device_settings.get();
}

/// Calls `use` with the settings of the current device, alone.
template <class Use>
Error with_settings(Use&& use) {
  DeviceSettings& place = all();
  const base::Lock lock(place.mutex);
  const int device = current_device();
  return use(place.devices.try_emplace(device, model_of(device)).first->second);
}

Error no_place_for_result() {
  return fail(Error::invalid_value, ReasonKind::result_pointer_null);
}

template <class T>
Error answer(T* to, T Settings::*which) {
  if (to == nullptr) return no_place_for_result();
  return with_settings([to, which](const Settings& settings) {
    *to = settings.*which;
    return Error::success;
  });
}

Error no_such_limit(cudaLimit limit) {
  if (limit == cudaLimitDevRuntimeSyncDepth) {
    return fail(Error::unsupported_limit, ReasonKind::limit_not_of_device);
  }
  return fail(Error::invalid_value, {ReasonKind::limit_unknown, static_cast<int>(limit)});
}

Error check_peers(int device, int peer) {
  if (!is_device(device)) return no_such_device(device);
  if (!is_device(peer)) return no_such_device(peer);
  return Error::success;
}

}  // namespace

Error set_limit(cudaLimit limit, std::size_t value) {
  if (limit == kSharedLimit) return fail(Error::not_permitted, ReasonKind::limit_read_only);
  if (limit == cudaLimitStackSize) {
    if (value > kMaxStackBytes) {
      return fail(Error::invalid_value,
                  {ReasonKind::stack_too_large, record::ByteSize{value}, record::ByteSize{kMaxStackBytes}});
    }
    value = rounded_up(value, kStackUnit);
  }
  return with_settings([limit, value](Settings& settings) {
    const auto found = settings.limits.find(limit);
    if (found == settings.limits.end()) return no_such_limit(limit);
    found->second = value;
    if (limit == cudaLimitMallocHeapSize) memory::limit_heap(current_device(), value);
    return Error::success;
  });
}

Error get_limit(std::size_t* value, cudaLimit limit) {
  if (value == nullptr) return no_place_for_result();
  return with_settings([value, limit](const Settings& settings) {
    const auto found = settings.limits.find(limit);
    if (found == settings.limits.end()) return no_such_limit(limit);
    *value = found->second;
    return Error::success;
  });
}

Error set_cache_config(cudaFuncCache config) {
  if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) {
    return fail(Error::invalid_value, ReasonKind::cache_configuration_unknown);
  }
  return with_settings([config](Settings& settings) {
    settings.cache = config;
    return Error::success;
  });
}

Error get_cache_config(cudaFuncCache* config) {
  return answer(config, &Settings::cache);
}

// Banks of shared memory are four bytes wide since capability 5.0, whatever is asked for.
Error set_shared_config(cudaSharedMemConfig config) {
  if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte) {
    return fail(Error::invalid_value, ReasonKind::shared_configuration_unknown);
  }
  return Error::success;
}

Error get_shared_config(cudaSharedMemConfig* config) {
  return answer(config, &Settings::shared);
}

Error set_device_flags(unsigned flags) {
  const unsigned schedule = flags & cudaDeviceScheduleMask;
  if ((flags & ~kDeviceFlags) != 0 || (schedule & (schedule - 1)) != 0) {
    return fail(Error::invalid_value, {ReasonKind::flags_unknown, flags});
  }
  return with_settings([flags](Settings& settings) {
    settings.flags = flags;
    return Error::success;
  });
}

Error get_device_flags(unsigned* flags) {
  const Error error = answer(flags, &Settings::flags);
  // Host memory can be mapped whether or not anybody asked.
  if (error == Error::success) *flags |= cudaDeviceMapHost;
  return error;
}

Error set_valid_devices(const int* devices, int count) {
  if (count < 0 || (devices == nullptr && count > 0))
    return fail(Error::invalid_value, ReasonKind::list_null_or_negative);
  for (int i = 0; i < count; ++i) {
    if (!is_device(devices[i])) return no_such_device(devices[i]);
  }
  return Error::success;
}

Error pci_bus_id(char* text, int room, int device) {
  if (text == nullptr || room < kPciTextBytes) {
    return fail(Error::invalid_value, {ReasonKind::buffer_too_small, kPciTextBytes});
  }
  cudaDeviceProp properties;
  const Error error = device_properties(&properties, device);
  if (error != Error::success) return error;
  std::snprintf(text, static_cast<std::size_t>(room), "%04X:%02X:%02X.0", static_cast<unsigned>(properties.pciDomainID),
                static_cast<unsigned>(properties.pciBusID), static_cast<unsigned>(properties.pciDeviceID));
  return Error::success;
}

Error device_by_pci_bus_id(int* device, const char* text) {
  if (device == nullptr || text == nullptr) return fail(Error::invalid_value, ReasonKind::pointer_null);
  unsigned domain = 0;
  unsigned bus = 0;
  unsigned slot = 0;
  const bool whole = std::sscanf(text, "%x:%x:%x", &domain, &bus, &slot) == 3;
  if (!whole && (domain = 0, std::sscanf(text, "%x:%x", &bus, &slot) != 2)) {
    return fail(Error::invalid_value, {ReasonKind::pci_id_malformed, text});
  }
  for (int candidate = 0; candidate < device_count(); ++candidate) {
    cudaDeviceProp properties;
    if (device_properties(&properties, candidate) != Error::success) continue;
    const auto equal = [](int a, unsigned b) { return static_cast<unsigned>(a) == b; };
    if (!equal(properties.pciDomainID, domain) || !equal(properties.pciBusID, bus) ||
        !equal(properties.pciDeviceID, slot)) {
      continue;
    }
    *device = candidate;
    return Error::success;
  }
  return fail(Error::invalid_device, {ReasonKind::pci_id_unknown, text});
}

Error can_access_peer(int* can, int device, int peer) {
  if (can == nullptr) return no_place_for_result();
  const Error wrong = check_peers(device, peer);
  if (wrong == Error::success) *can = device != peer ? 1 : 0;
  return wrong;
}

Error enable_peer(int peer, unsigned flags) {
  if (!is_device(peer)) return no_such_device(peer);
  if (flags != 0) return fail(Error::invalid_value, ReasonKind::flags_not_zero);
  if (peer == current_device()) return fail(Error::peer_access_unsupported, ReasonKind::peer_of_itself);
  return with_settings([peer](Settings& settings) {
    return settings.peers.insert(peer).second
               ? Error::success
               : fail(Error::peer_access_already_enabled, {ReasonKind::peer_access, peer});
  });
}

Error disable_peer(int peer) {
  if (!is_device(peer)) return no_such_device(peer);
  return with_settings([peer](Settings& settings) {
    return settings.peers.erase(peer) != 0 ? Error::success
                                           : fail(Error::peer_access_not_enabled, {ReasonKind::peer_access, peer});
  });
}

Error peer_attribute(int* value, cudaDeviceP2PAttr attribute, int from, int to) {
  if (value == nullptr) return no_place_for_result();
  const Error wrong = check_peers(from, to);
  if (wrong != Error::success) return wrong;
  if (from == to) return fail(Error::invalid_device, ReasonKind::peer_of_itself);
  switch (attribute) {
    case cudaDevP2PAttrPerformanceRank: *value = 0; return Error::success;
    case cudaDevP2PAttrAccessSupported:
    case cudaDevP2PAttrNativeAtomicSupported:
    case cudaDevP2PAttrCudaArrayAccessSupported: *value = 1; return Error::success;
    case cudaDevP2PAttrOnlyPartialNativeAtomicSupported: *value = 0; return Error::success;
  }
  return fail(Error::invalid_value, ReasonKind::attribute_missing);
}

void forget_settings(int device) {
  DeviceSettings& place = all();
  const base::Lock lock(place.mutex);
  place.devices.erase(device);
}

}  // namespace warpfiber::process
