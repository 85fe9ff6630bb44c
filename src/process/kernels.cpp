// SPDX-License-Identifier: Apache-2.0
//
// One table of kernels under a mutex, filled by static objects of the program before main. Stubs are asked for their
// addresses at the first question, after the program is initialised.
#include "process/kernels.hpp"

#include <algorithm>
#include <atomic>
#include <boost/core/demangle.hpp>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <vector>

#include "memory/shared_arena.hpp"
#include "process/runtime.hpp"
#include "report/short_name.hpp"
#include "report/symbolise.hpp"

namespace warpfiber::runtime {

struct KnownKernels {
  std::mutex mutex;
  std::vector<const KernelRecord*> fresh;  // registered, but not yet found by anybody
  std::map<const void*, const KernelRecord*> records;
  std::map<const void*, KernelAttributes> kernels;
  std::map<const KernelRecord*, std::string> mangled;
  std::set<const void*> with_grid_barriers;
  std::set<const void*> empty;
  std::atomic<std::uint64_t> changes{0};  // of kernels, with_grid_barriers and empty
};

namespace {

KnownKernels& known() {
  return Runtime::of_process().kernels.get();
}

/// Stubs are asked for their addresses when somebody looks, after the program is initialised. The mutex is held.
const KernelRecord* find_record(KnownKernels& place, const void* address) {
  for (const KernelRecord* record : place.fresh) place.records.emplace(record->stub(), record);
  place.fresh.clear();
  const auto found = place.records.find(address);
  return found == place.records.end() ? nullptr : found->second;
}

/// How the mangled names of types that are local to the stub begin, Z <function> E (Itanium C++ ABI, "Scope Encoding");
/// empty without RTTI.
std::string_view local_scope(const KernelRecord& record) {
  const std::string_view name = record.type_name() == nullptr ? "" : record.type_name();
  const std::size_t end = name.rfind("15warpfiber_about");
  return end == std::string_view::npos || !name.starts_with("Z") ? std::string_view() : name.substr(0, end);
}

/// The stub's own mangled name.
std::string owner_of(const KernelRecord& record) {
  const std::string_view scope = local_scope(record);
  return scope.empty() ? std::string() : "_" + std::string(scope.substr(0, scope.size() - 1));
}

/// What a kernel's declaration says about its launches.
KernelAttributes declared(const KernelRecord& record) {
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
  const std::string_view scope = local_scope(record);
  if (!scope.empty()) attributes.static_shared = memory::shared_bytes_tagged("PZ" + std::string(scope));
  return attributes;
}

/// What is known of a kernel of C++, which nobody has registered: the types that name its own static shared variables
/// are local to it, so their names begin with its symbol. A program without such variables is not searched for symbols.
KernelAttributes unregistered(const void* address) {
  KernelAttributes attributes;
  if (address == nullptr || memory::shared_bytes_tagged("PZ") == 0) return attributes;
  report::Symboliser symboliser;
  const std::string symbol = symboliser.symbol(reinterpret_cast<std::uintptr_t>(address));
  if (!symbol.starts_with("_Z")) return attributes;
  attributes.static_shared = memory::shared_bytes_tagged("P" + symbol.substr(1) + "E");
  return attributes;
}

/// The mutex is held.
KernelAttributes& attributes_in(KnownKernels& place, const void* address) {
  const auto found = place.kernels.find(address);
  if (found != place.kernels.end()) return found->second;
  const KernelRecord* record = find_record(place, address);
  return place.kernels.emplace(address, record == nullptr ? unregistered(address) : declared(*record)).first->second;
}

/// A callable is known by the loop that was made for it, whose name says nothing to a user.
std::string name_of(const std::string& function) {
  return function.find("::run_threads<") == std::string::npos ? report::short_name(function) : "lambda";
}

/// The stub's name with its template arguments, from the type of a class inside it: there also in a stripped program.
std::string name_of(const KernelRecord& record) {
  const std::string owner = owner_of(record);
  const std::string name = owner.empty() ? std::string() : report::short_name(boost::core::demangle(owner.c_str()));
  return name.empty() ? record.name : name;
}

}  // namespace

const KernelRecord* find_kernel(const void* address) {
  KnownKernels& place = known();
  const std::lock_guard lock(place.mutex);
  return find_record(place, address);
}

std::string kernel_name(const void* address) {
  if (const KernelRecord* record = find_kernel(address)) return name_of(*record);
  report::Symboliser symboliser;
  for (const report::Frame& frame : symboliser.frames(reinterpret_cast<std::uintptr_t>(address))) {
    if (!frame.function.empty() && !frame.inlined) return name_of(frame.function);
  }
  return "kernel";
}

const char* mangled_name(const KernelRecord& kernel) {
  KnownKernels& place = known();
  const std::lock_guard lock(place.mutex);
  auto [entry, fresh] = place.mangled.try_emplace(&kernel);
  if (fresh) {
    const std::string owner = owner_of(kernel);
    // A name of C linkage has no parameters.
    const bool is_cpp = boost::core::demangle(owner.c_str()).find('(') != std::string::npos;
    entry->second = is_cpp ? owner : kernel.name;
  }
  return entry->second.c_str();
}

KernelAttributes attributes_of(const void* address) {
  KnownKernels& place = known();
  const std::lock_guard lock(place.mutex);
  return attributes_in(place, address);
}

std::uint64_t changes_of_kernels() {
  return known().changes.load(std::memory_order_acquire);
}

void reset_kernels() {
  KnownKernels& place = known();
  const std::lock_guard lock(place.mutex);
  place.kernels.clear();
  place.with_grid_barriers.clear();
  place.empty.clear();
  place.changes.fetch_add(1, std::memory_order_release);
}

void change_attributes(const void* address, const std::function<void(KernelAttributes&)>& change) {
  KnownKernels& place = known();
  const std::lock_guard lock(place.mutex);
  change(attributes_in(place, address));
  place.changes.fetch_add(1, std::memory_order_release);
}

void learn_grid_barriers(const void* address) {
  KnownKernels& place = known();
  const std::lock_guard lock(place.mutex);
  if (place.with_grid_barriers.insert(address).second) place.changes.fetch_add(1, std::memory_order_release);
}

bool synchronises_grid(const void* address) {
  KnownKernels& place = known();
  const std::lock_guard lock(place.mutex);
  return place.with_grid_barriers.contains(address);
}

void learn_empty(const void* address) {
  KnownKernels& place = known();
  const std::lock_guard lock(place.mutex);
  if (place.empty.insert(address).second) place.changes.fetch_add(1, std::memory_order_release);
}

bool is_empty_kernel(const void* address) {
  KnownKernels& place = known();
  const std::lock_guard lock(place.mutex);
  return place.empty.contains(address);
}

void learn_static_shared(const void* address, std::size_t bytes) {
  if (bytes == 0 || attributes_of(address).static_shared >= bytes) return;
  change_attributes(address, [bytes](KernelAttributes& attributes) {
    attributes.static_shared = std::max(attributes.static_shared, bytes);
  });
}

}  // namespace warpfiber::runtime

namespace warpfiber::cuda::detail {

Registration::Registration(const KernelRecord& record) {
  runtime::KnownKernels& place = runtime::known();
  const std::lock_guard lock(place.mutex);
  place.fresh.push_back(&record);
}

}  // namespace warpfiber::cuda::detail
