// SPDX-License-Identifier: Apache-2.0
// Source of errors and defaults: CUDA Runtime API, "Stream Ordered Memory Allocator".
#include "device_memory/pools.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>

#include "base/locks/annotated_mutex.hpp"
#include "device_memory/accesses.hpp"
#include "device_memory/ordering.hpp"
#include "device_memory/state/device_memory_state.hpp"
#include "device_memory/table.hpp"
#include "process/current_device.hpp"
#include "process/explain.hpp"

/// What the handle points to.
struct CUmemPoolHandle_st {
  int device = 0;
  unsigned number = 0;           // in the flags of its allocations, from 1 on
  int reuse[3] = {1, 1, 1};      // follow events, opportunistic, internal dependencies
  std::uint64_t threshold = 0;   // bytes to keep
  std::uint64_t most_bytes = 0;  // in use at the same time
};

namespace warpfiber::device_memory {

using record::ReasonKind;

namespace {

using Pool = CUmemPoolHandle_st;

}  // namespace

struct Pools {
  base::Mutex mutex;
  std::map<Pool*, std::unique_ptr<Pool>> live WARPFIBER_GUARDED_BY(mutex);
  std::map<int, Pool*> defaults WARPFIBER_GUARDED_BY(mutex);
  std::map<int, Pool*> current WARPFIBER_GUARDED_BY(mutex);
  unsigned made WARPFIBER_GUARDED_BY(mutex) = 0;
};

namespace {

Pools& pools() {
  return DeviceMemoryState::of_process().pools.get();
}

Pool* add(Pools& all, int device) WARPFIBER_REQUIRES(all.mutex) {
  auto pool = std::make_unique<Pool>();
  pool->device = device;
  pool->number = ++all.made;
  Pool* handle = pool.get();
  all.live.emplace(handle, std::move(pool));
  return handle;
}

Pool* default_of(Pools& all, int device) WARPFIBER_REQUIRES(all.mutex) {
  Pool*& pool = all.defaults[device];
  if (pool == nullptr) pool = add(all, device);
  return pool;
}

Pool* current_of(Pools& all, int device) WARPFIBER_REQUIRES(all.mutex) {
  const auto found = all.current.find(device);
  return found == all.current.end() ? default_of(all, device) : found->second;
}

Error no_pool() {
  return process::fail(Error::invalid_value, {ReasonKind::handle_unknown, "memory pool"});
}

Error null_pointer() {
  return process::fail(Error::invalid_value, ReasonKind::pointer_null);
}

/// Calls `use` with the pool, alone.
template <class Use>
Error with_pool(Pool* pool, Use&& use) {
  const base::Lock lock(pools().mutex);
  return pools().live.contains(pool) ? use(*pool) : no_pool();
}

template <class Choose>
Error pool_of_device(Pool** pool, int device, Choose&& choose) {
  if (pool == nullptr) return null_pointer();
  if (!process::is_device(device)) return process::no_such_device(device);
  Pools& all = pools();
  const base::Lock lock(all.mutex);
  *pool = choose(all, device);
  return Error::success;
}

std::uint64_t used_of(const Pool& pool) {
  return bytes_in_pool(pool.device, pool.number);
}

template <class T>
Error put(void* to, T value) {
  std::memcpy(to, &value, sizeof value);
  return Error::success;
}

template <class T>
T taken(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

Error no_such_pool_attribute() {
  return process::fail(Error::invalid_value, ReasonKind::pool_attribute_invalid);
}

Error set_attribute(Pool& pool, cudaMemPoolAttr attribute, const void* value) {
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      pool.reuse[attribute - cudaMemPoolReuseFollowEventDependencies] = taken<int>(value);
      return Error::success;
    case cudaMemPoolAttrReleaseThreshold: pool.threshold = taken<std::uint64_t>(value); return Error::success;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      if (taken<std::uint64_t>(value) != 0) return no_such_pool_attribute();
      pool.most_bytes = used_of(pool);
      return Error::success;
    default: return no_such_pool_attribute();
  }
}

Error attribute_of(const Pool& pool, cudaMemPoolAttr attribute, void* value) {
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      return put(value, pool.reuse[attribute - cudaMemPoolReuseFollowEventDependencies]);
    case cudaMemPoolAttrReleaseThreshold: return put(value, pool.threshold);
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent: return put(value, used_of(pool));
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh: return put(value, pool.most_bytes);
    default: return no_such_pool_attribute();
  }
}

}  // namespace

Error default_pool(cudaMemPool_t* pool, int device) {
  return pool_of_device(pool, device, default_of);
}

Error current_pool(cudaMemPool_t* pool, int device) {
  return pool_of_device(pool, device, current_of);
}

Error set_current_pool(int device, cudaMemPool_t pool) {
  if (!process::is_device(device)) return process::no_such_device(device);
  return with_pool(pool, [device](Pool& wanted) WARPFIBER_REQUIRES(pools().mutex) {
    if (wanted.device != device) return process::fail(Error::invalid_value, ReasonKind::pool_of_other_device);
    pools().current[device] = &wanted;
    return Error::success;
  });
}

Error make_pool(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr) return null_pointer();
  if (properties->allocType != cudaMemAllocationTypePinned || properties->location.type != cudaMemLocationTypeDevice) {
    return process::fail(Error::not_supported, ReasonKind::pool_not_modelled);
  }
  return pool_of_device(pool, properties->location.id, add);
}

Error destroy_pool(cudaMemPool_t pool) {
  Pools& all = pools();
  const base::Lock lock(all.mutex);
  if (!all.live.contains(pool)) return no_pool();
  const auto own = all.defaults.find(pool->device);
  if (own != all.defaults.end() && own->second == pool) {
    return process::fail(Error::invalid_value, ReasonKind::default_pool_destroyed);
  }
  std::erase_if(all.current, [pool](const auto& entry) { return entry.second == pool; });
  all.live.erase(pool);
  return Error::success;
}

Error set_pool_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, const void* value) {
  if (value == nullptr) return null_pointer();
  return with_pool(pool, [&](Pool& of) { return set_attribute(of, attribute, value); });
}

Error pool_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (value == nullptr) return null_pointer();
  return with_pool(pool, [&](const Pool& of) { return attribute_of(of, attribute, value); });
}

Error trim_pool(cudaMemPool_t pool) {
  return with_pool(pool, [](const Pool&) { return Error::success; });
}

Error set_pool_access(cudaMemPool_t pool, const cudaMemAccessDesc* accesses, std::size_t count) {
  if (accesses == nullptr && count != 0) return null_pointer();
  for (std::size_t i = 0; i < count; ++i) {
    const cudaMemLocation& location = accesses[i].location;
    if (location.type != cudaMemLocationTypeDevice || !process::is_device(location.id))
      return process::no_such_device(location.id);
  }
  return trim_pool(pool);
}

Error pool_access(cudaMemAccessFlags* flags, cudaMemPool_t pool, const cudaMemLocation* location) {
  if (flags == nullptr || location == nullptr) return null_pointer();
  return with_pool(pool, [flags](const Pool&) {
    *flags = cudaMemAccessFlagsProtReadWrite;
    return Error::success;
  });
}

Error malloc_from_pool(void** memory, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  if (memory == nullptr) return null_pointer();
  if (pool == nullptr) {
    const Error wrong = current_pool(&pool, process::current_device());
    if (wrong != Error::success) return wrong;
  }
  void* made = nullptr;
  const Error refused = with_pool(pool, [&made, bytes](Pool& from) {
    if (bytes == 0) return Error::success;
    const Error error = allocate(MemoryKind::device, from.device, bytes, from.number, &made);
    if (error == Error::success) from.most_bytes = std::max(from.most_bytes, used_of(from));
    return error;
  });
  if (refused != Error::success) return refused;
  note_allocation(made, made != nullptr ? bytes : 0);
  const Error no_stream = in_stream(stream, streams::AllocationOperation{made, bytes}, Wait::no);
  if (no_stream == Error::success) {
    *memory = made;
  } else if (made != nullptr) {
    static_cast<void>(release(made, MemoryKind::device, MemoryKind::device));
  }
  return no_stream;
}

cudaMemPool_t pool_of(const void* address) {
  const auto block = block_at(address);
  if (!block.has_value() || block->kind != MemoryKind::device || block->flags == 0) return nullptr;
  Pools& all = pools();
  const base::Lock lock(all.mutex);
  const auto found =
      std::ranges::find_if(all.live, [&](const auto& entry) { return entry.second->number == block->flags; });
  return found == all.live.end() ? nullptr : found->first;
}

void forget_pools(int device) {
  Pools& all = pools();
  const base::Lock lock(all.mutex);
  all.current.erase(device);
  all.defaults.erase(device);
  std::erase_if(all.live, [device](const auto& entry) { return entry.second->device == device; });
}

}  // namespace warpfiber::device_memory
