// SPDX-License-Identifier: Apache-2.0
//
// One table of kernels under a mutex, filled by static objects of the program before main. Its stubs are asked for
// their addresses at the first question, after the program is initialised; those of libraries at once, which may be
// unloaded before that.
#include "process/kernels.hpp"

#include <dlfcn.h>
#include <warpfiber/detail/regions.hpp>

#include <algorithm>
#include <atomic>
#include <boost/core/demangle.hpp>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "base/system/modules.hpp"
#include "base/system/processors.hpp"
#include "process/process_state.hpp"
#include "process/thread_parts.hpp"
#include "report/short_name.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::process {

struct KnownKernels {
  base::Mutex mutex;
  std::vector<const KernelRecord*> fresh WARPFIBER_GUARDED_BY(mutex);  // the program's, not yet looked up
  std::map<const void*, const KernelRecord*> records WARPFIBER_GUARDED_BY(mutex);
  std::map<const KernelRecord*, std::string> mangled WARPFIBER_GUARDED_BY(mutex);
  // By unit and name. One object may be in several libraries of a program, or in one of them twice.
  // A library that is closed leaves its own.
  std::multimap<std::pair<std::uint64_t, std::string>, const WarpfiberRegions*> regions WARPFIBER_GUARDED_BY(mutex);
  std::atomic<std::uint64_t> registrations = 0;  // of kernels and of regions
};

/// What one thread has found out, so that its launches take no lock. It looks again once a library has been loaded,
/// which may have other kernels where a closed one had its own.
struct FoundRegions {
  std::uint64_t registrations = 0;  // when it was found out
  std::unordered_map<const KernelRecord*, const WarpfiberRegions*> by_kernel;
};

namespace {

KnownKernels& known() {
  return ProcessState::of_process().kernels.get();
}

bool is_of_program(const KernelRecord& record) {
  static const base::ModuleRange program = base::loaded_modules().front();
  return program.holds(&record);
}

const KernelRecord* find_record(KnownKernels& place, const void* address) WARPFIBER_REQUIRES(place.mutex) {
  for (const KernelRecord* record : place.fresh) place.records.insert_or_assign(record->stub(), record);
  place.fresh.clear();
  const auto found = place.records.find(address);
  return found == place.records.end() ? nullptr : found->second;
}

/// The stub's own mangled name.
std::string owner_of(const KernelRecord& record) {
  const std::string_view scope = local_type_scope(record);
  return scope.empty() ? std::string() : "_" + std::string(scope.substr(0, scope.size() - 1));
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

std::string_view local_type_scope(const KernelRecord& record) {
  const std::string_view name = record.type_name() == nullptr ? "" : record.type_name();
  const std::size_t end = name.rfind("15warpfiber_about");
  return end == std::string_view::npos || !name.starts_with("Z") ? std::string_view() : name.substr(0, end);
}

const KernelRecord* find_kernel(const void* address) {
  KnownKernels& place = known();
  const base::Lock lock(place.mutex);
  return find_record(place, address);
}

namespace {

const void* loaded_object_of(const void* address) {
  Dl_info info{};
  return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

/// Those that belong to the kernel, with the variables of its file: of several, the one of its library; null if it is
/// not known which.
const WarpfiberRegions* look_for_regions(KnownKernels& place, const KernelRecord& kernel) {
  const char* const name = kernel.unit != 0 ? kernel.type_name() : nullptr;
  if (name == nullptr) return nullptr;
  const base::Lock lock(place.mutex);
  const auto [first, last] = place.regions.equal_range({kernel.unit, name});
  if (first == last) return nullptr;
  if (std::next(first) == last) return first->second;
  const WarpfiberRegions* found = nullptr;
  for (auto each = first; each != last; ++each) {
    if (loaded_object_of(each->second) != loaded_object_of(&kernel)) continue;
    if (found != nullptr) return nullptr;
    found = each->second;
  }
  return found;
}

const WarpfiberRegions* find_regions(const KernelRecord& kernel) {
  KnownKernels& place = known();
  FoundRegions* const own = own_part(&ThreadParts::found_regions);
  if (own == nullptr) return look_for_regions(place, kernel);
  const std::uint64_t registrations = place.registrations.load(std::memory_order_acquire);
  if (std::exchange(own->registrations, registrations) != registrations) own->by_kernel.clear();
  const auto [entry, fresh] = own->by_kernel.try_emplace(&kernel);
  if (fresh) entry->second = look_for_regions(place, kernel);
  return entry->second;
}

}  // namespace

RegisteredFunction find_block_function(const KernelRecord& kernel, unsigned newest) {
  const WarpfiberRegions* const found = find_regions(kernel);
  if (found == nullptr) return {};
  const WarpfiberRegions& regions = *found;
  for (unsigned level = std::min(base::processor_level(), newest); level >= 2; --level) {
    if (const auto run = regions.run[level - 2]; run != nullptr)
      return {run, regions.stack_bytes, regions.needs_whole_rows != 0};
  }
  return {};
}

std::string kernel_name(const void* address) {
  if (const KernelRecord* record = find_kernel(address)) return name_of(*record);
  const auto code = reinterpret_cast<std::uintptr_t>(address);
  for (const symbols::Frame& frame : symbols::Symboliser::of_process().frames(code)) {
    if (!frame.function.empty() && !frame.inlined) return name_of(frame.function);
  }
  return "kernel";
}

std::string full_kernel_name(const void* address) {
  const KernelRecord* const record = find_kernel(address);
  return record == nullptr ? kernel_name(address) : boost::core::demangle(mangled_name(*record));
}

const char* mangled_name(const KernelRecord& kernel) {
  KnownKernels& place = known();
  const base::Lock lock(place.mutex);
  auto [entry, fresh] = place.mangled.try_emplace(&kernel);
  if (fresh) {
    const std::string owner = owner_of(kernel);
    // A name of C linkage has no parameters.
    const bool is_cpp = boost::core::demangle(owner.c_str()).find('(') != std::string::npos;
    entry->second = is_cpp ? owner : kernel.name;
  }
  return entry->second.c_str();
}

}  // namespace warpfiber::process

namespace warpfiber::cuda::detail {

Registration::Registration(const KernelRecord& record) {
  process::KnownKernels& place = process::known();
  const bool is_of_program = process::is_of_program(record);
  const base::Lock lock(place.mutex);
  if (is_of_program) {
    place.fresh.push_back(&record);
  } else {
    place.records.insert_or_assign(record.stub(), &record);
  }
  place.mangled.erase(&record);  // of a library that was there before
  place.registrations.fetch_add(1, std::memory_order_release);
}

}  // namespace warpfiber::cuda::detail

extern "C" void warpfiber_register_regions(const WarpfiberRegions* regions) {
  warpfiber::process::KnownKernels& place = warpfiber::process::known();
  const warpfiber::base::Lock lock(place.mutex);
  const std::pair key(regions->unit, std::string(regions->name));
  const auto [first, last] = place.regions.equal_range(key);
  // A library that was closed may be loaded at the same place once more.
  if (std::none_of(first, last, [&](const auto& entry) { return entry.second == regions; }))
    place.regions.emplace(key, regions);
  place.registrations.fetch_add(1, std::memory_order_release);
}
