// SPDX-License-Identifier: Apache-2.0
//
// One table under a mutex, filled when a kernel is first launched or asked about.
#include "launches/kernels/kernel_attributes.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/locks/annotated_mutex.hpp"
#include "launches/state/launches_state.hpp"
#include "memory/shared_arena.hpp"
#include "process/kernels.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::launches {

struct KernelAttributeTable {
  base::Mutex mutex;
  std::map<const void*, KernelAttributes> kernels WARPFIBER_GUARDED_BY(mutex);
  std::set<const void*> with_grid_barriers WARPFIBER_GUARDED_BY(mutex);
  std::set<const void*> empty WARPFIBER_GUARDED_BY(mutex);
  std::atomic<std::uint64_t> changes{0};  // of kernels, with_grid_barriers and empty
};

namespace {

KernelAttributeTable& attribute_table() {
  return LaunchesState::of_process().kernel_attributes.get();
}

std::string shared_tag(const process::KernelRecord& record) {
  const std::string_view scope = process::local_type_scope(record);
  return scope.empty() ? std::string() : "PZ" + std::string(scope);
}

/// The same of an unregistered kernel, one of the native interface. The types that name its own static shared variables
/// are local to it, so their names begin with its symbol.
std::string shared_tag(const void* address) {
  const std::string symbol = symbols::Symboliser::of_process().symbol(reinterpret_cast<std::uintptr_t>(address));
  return symbol.starts_with("_Z") ? "P" + symbol.substr(1) + "E" : std::string();
}

/// What a kernel's declaration says about its launches.
KernelAttributes declared(const process::KernelRecord& record) {
  KernelAttributes attributes;
  const cuda::Bounds& bounds = record.bounds;
  attributes.max_threads_per_block = bounds.max_threads;
  if (bounds.max_registers != 0) {
    attributes.registers_per_thread = std::min(attributes.registers_per_thread, bounds.max_registers);
  }
  attributes.cluster_x = bounds.cluster_shape.x;
  attributes.cluster_y = bounds.cluster_shape.y;
  attributes.cluster_z = bounds.cluster_shape.z;
  // Variables of functions it calls are only known once a launch has used them.
  const std::string tag = shared_tag(record);
  if (!tag.empty()) attributes.static_shared = memory::shared_bytes_tagged(tag);
  return attributes;
}

/// The attributes of an unregistered kernel. Without static shared variables no symbol is looked up.
KernelAttributes unregistered(const void* address) {
  KernelAttributes attributes;
  if (address == nullptr || memory::shared_bytes_tagged("PZ") == 0) return attributes;
  const std::string tag = shared_tag(address);
  if (!tag.empty()) attributes.static_shared = memory::shared_bytes_tagged(tag);
  return attributes;
}

KernelAttributes& attributes_in(KernelAttributeTable& table, const void* address) WARPFIBER_REQUIRES(table.mutex) {
  const auto found = table.kernels.find(address);
  if (found != table.kernels.end()) return found->second;
  const process::KernelRecord* record = process::find_kernel(address);
  return table.kernels.emplace(address, record == nullptr ? unregistered(address) : declared(*record)).first->second;
}

using KernelSet = std::set<const void*> KernelAttributeTable::*;

void add_kernel(KernelSet set, const void* address) {
  KernelAttributeTable& table = attribute_table();
  const base::Lock lock(table.mutex);
  if ((table.*set).insert(address).second) table.changes.fetch_add(1, std::memory_order_release);
}

bool has_kernel(KernelSet set, const void* address) {
  KernelAttributeTable& table = attribute_table();
  const base::Lock lock(table.mutex);
  return (table.*set).contains(address);
}

}  // namespace

KernelAttributes attributes_of(const void* address) {
  KernelAttributeTable& table = attribute_table();
  const base::Lock lock(table.mutex);
  return attributes_in(table, address);
}

std::uint64_t changes_of_kernels() {
  return attribute_table().changes.load(std::memory_order_acquire);
}

void reset_kernel_attributes() {
  KernelAttributeTable& table = attribute_table();
  const base::Lock lock(table.mutex);
  table.kernels.clear();
  table.with_grid_barriers.clear();
  table.empty.clear();
  table.changes.fetch_add(1, std::memory_order_release);
}

void change_attributes(const void* address, const std::function<void(KernelAttributes&)>& change) {
  KernelAttributeTable& table = attribute_table();
  const base::Lock lock(table.mutex);
  change(attributes_in(table, address));
  table.changes.fetch_add(1, std::memory_order_release);
}

void learn_grid_barriers(const void* address) {
  add_kernel(&KernelAttributeTable::with_grid_barriers, address);
}

bool synchronises_grid(const void* address) {
  return has_kernel(&KernelAttributeTable::with_grid_barriers, address);
}

void learn_empty(const void* address) {
  add_kernel(&KernelAttributeTable::empty, address);
}

bool is_empty_kernel(const void* address) {
  return has_kernel(&KernelAttributeTable::empty, address);
}

std::string shared_tag_of(const void* address) {
  const process::KernelRecord* const record = process::find_kernel(address);
  if (record != nullptr) return shared_tag(*record);
  return address == nullptr ? std::string() : shared_tag(address);
}

void learn_static_shared(const void* address, std::size_t bytes) {
  if (bytes == 0 || attributes_of(address).static_shared >= bytes) return;
  change_attributes(address, [bytes](KernelAttributes& attributes) {
    attributes.static_shared = std::max(attributes.static_shared, bytes);
  });
}

}  // namespace warpfiber::launches
