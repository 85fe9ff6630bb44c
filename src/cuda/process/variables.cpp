// SPDX-License-Identifier: Apache-2.0
//
// Static objects of the program register its variables before main, with their initial values. Instances for further
// devices are made when they are first used.
#include "process/variables.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "base/locks/annotated_mutex.hpp"
#include "base/system/modules.hpp"
#include "memory/objects.hpp"
#include "process/process_state.hpp"

namespace warpfiber::process {
namespace {

constexpr std::size_t kAlignment = 256;

}  // namespace

struct FreeAligned {
  void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{kAlignment}); }
};

namespace {

using AlignedBytes = std::unique_ptr<std::byte, FreeAligned>;

AlignedBytes room_for(std::size_t bytes) {
  return AlignedBytes(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kAlignment})));
}

/// Whether the program's file holds no bytes for what is at `address`: it begins as zeros, as large arrays do.
bool begins_as_zeros(const void* address) {
  const auto part = base::module_part_at(address);
  return part.has_value() && reinterpret_cast<std::uintptr_t>(address) >= part->end_of_file;
}

}  // namespace

/// What a variable begins with.
struct Initial {
  std::size_t bytes = 0;
  AlignedBytes values;  // null: zeros

  void put(void* to) const {
    if (values == nullptr) {
      std::memset(to, 0, bytes);
    } else {
      std::memcpy(to, values.get(), bytes);
    }
  }
};

struct VariableEntry {
  DeviceVariable variable;
  Initial initial;
  std::shared_ptr<const memory::Declared> declared;
  std::map<int, AlignedBytes> instances{};  // of the devices after 0
  bool is_announced = false;                // where it is
  bool is_set = false;                      // by a copy to it

  bool begins_as_zeros() const { return initial.values == nullptr; }
};

struct VariableTable {
  base::Mutex mutex;
  std::map<const void*, VariableEntry> entries WARPFIBER_GUARDED_BY(mutex);
  std::set<std::string_view> names WARPFIBER_GUARDED_BY(mutex);  // of constants
  bool has_namesakes WARPFIBER_GUARDED_BY(mutex) = false;        // among constants
  unsigned long long unloaded WARPFIBER_GUARDED_BY(mutex) = 0;   // modules, when the entries were looked through
};

namespace {

VariableTable& table() {
  return ProcessState::of_process().variables.get();
}

void note_name(VariableTable& all, const DeviceVariable& variable) WARPFIBER_REQUIRES(all.mutex) {
  if (variable.kind == cuda::VariableKind::constant && !all.names.insert(variable.name).second)
    all.has_namesakes = true;
}

/// The table without the variables of libraries that have been unloaded: neither they nor their names are there.
VariableTable& loaded_table() {
  VariableTable& all = table();
  const unsigned long long unloaded = base::module_counts().unloaded;
  {
    const base::Lock lock(all.mutex);
    if (all.unloaded == unloaded) return all;
  }
  const std::vector<base::ModuleRange> modules = base::loaded_modules();
  const auto is_loaded = [&](const void* address) {
    return std::ranges::any_of(modules, [&](const base::ModuleRange& module) { return module.holds(address); });
  };
  const base::Lock lock(all.mutex);
  all.unloaded = unloaded;
  for (auto entry = all.entries.begin(); entry != all.entries.end();) {
    if (is_loaded(entry->first)) {
      ++entry;
      continue;
    }
    memory::remove_object(entry->first);
    for (const auto& [device, instance] : entry->second.instances) memory::remove_object(instance.get());
    entry = all.entries.erase(entry);
  }
  all.names.clear();
  all.has_namesakes = false;
  for (const auto& [address, entry] : all.entries) note_name(all, entry.variable);
  return all;
}

memory::ObjectKind kind_of(cuda::VariableKind kind) {
  switch (kind) {
    case cuda::VariableKind::device: return memory::ObjectKind::variable;
    case cuda::VariableKind::constant: return memory::ObjectKind::constant;
    case cuda::VariableKind::managed: return memory::ObjectKind::managed;
  }
  __builtin_unreachable();
}

void add_object(const VariableEntry& entry, const void* instance, int device) {
  const memory::Birth birth{
      .kind = kind_of(entry.variable.kind), .device = device, .initialised = true, .declared = entry.declared};
  memory::add_object(instance, entry.variable.bytes, birth);
}

std::shared_ptr<const memory::Declared> declared(const char* name, const cuda::Variable::Declaration& declaration) {
  const ::warpfiber::detail::TypeName& type = declaration.type;
  return std::make_shared<const memory::Declared>(
      memory::Declared{name, memory::type_in(type.text), type.pointer, declaration.file, declaration.line});
}

}  // namespace

const DeviceVariable* find_variable(const void* address) {
  VariableTable& all = table();
  const base::Lock lock(all.mutex);
  const auto found = all.entries.find(address);
  return found == all.entries.end() ? nullptr : &found->second.variable;
}

std::optional<VariableInstance> variable_around(const void* address) {
  const auto lies_in = [address](const void* base, std::size_t bytes) {
    return address >= base && address < static_cast<const char*>(base) + bytes;
  };
  VariableTable& all = loaded_table();
  const base::Lock lock(all.mutex);
  for (const auto& [start, entry] : all.entries) {
    const DeviceVariable& variable = entry.variable;
    if (lies_in(start, variable.bytes)) {
      const bool is_host_name = variable.kind != cuda::VariableKind::managed && !entry.is_announced;
      return VariableInstance{variable.address, variable.bytes, variable.kind, 0, variable.name, is_host_name};
    }
    for (const auto& [device, instance] : entry.instances) {
      if (!lies_in(instance.get(), variable.bytes)) continue;
      return VariableInstance{instance.get(), variable.bytes, variable.kind, device, variable.name, false};
    }
  }
  return std::nullopt;
}

void* instance_of(const DeviceVariable& variable, int device) {
  if (device == 0 || variable.kind == cuda::VariableKind::managed) return variable.address;
  VariableTable& all = table();
  const base::Lock lock(all.mutex);
  VariableEntry& entry = all.entries.at(variable.address);
  AlignedBytes& instance = entry.instances[device];
  if (instance == nullptr) {
    instance = room_for(variable.bytes);
    entry.initial.put(instance.get());
    add_object(entry, instance.get(), device);
  }
  return instance.get();
}

void announce_variable(const void* symbol) {
  VariableTable& all = table();
  const base::Lock lock(all.mutex);
  const auto found = all.entries.find(symbol);
  if (found != all.entries.end()) found->second.is_announced = true;
}

void note_variable_set(const void* symbol) {
  VariableTable& all = table();
  const base::Lock lock(all.mutex);
  const auto found = all.entries.find(symbol);
  if (found != all.entries.end()) found->second.is_set = true;
}

std::vector<DeviceVariable> unset_namesakes() {
  VariableTable& all = loaded_table();
  const base::Lock lock(all.mutex);
  std::vector<DeviceVariable> found;
  if (!all.has_namesakes) return found;
  const auto is_constant = [](const VariableEntry& entry) {
    return entry.variable.kind == cuda::VariableKind::constant;
  };
  for (const auto& [start, entry] : all.entries) {
    if (!is_constant(entry) || entry.is_set || entry.is_announced || !entry.begins_as_zeros()) continue;
    const auto is_set_one = [&, name = entry.variable.name](const auto& other) {
      const VariableEntry& one = other.second;
      return is_constant(one) && one.is_set && std::string_view(one.variable.name) == name;
    };
    if (std::ranges::any_of(all.entries, is_set_one)) found.push_back(entry.variable);
  }
  return found;
}

void reset_variables(int device) {
  VariableTable& all = loaded_table();
  const base::Lock lock(all.mutex);
  for (auto& [start, entry] : all.entries) {
    if (entry.variable.kind == cuda::VariableKind::managed || entry.variable.is_const) continue;
    if (device == 0) entry.initial.put(entry.variable.address);
    // In place: the program may know the address.
    if (const auto found = entry.instances.find(device); found != entry.instances.end()) {
      entry.initial.put(found->second.get());
    }
  }
}

}  // namespace warpfiber::process

namespace warpfiber::cuda {

Variable::Variable(void* variable, std::size_t bytes, const char* name, VariableKind kind, bool is_const,
                   const Declaration& declaration) {
  using namespace process;
  VariableTable& all = loaded_table();
  VariableEntry entry{{variable, bytes, name, kind, is_const}, {bytes, nullptr}, declared(name, declaration)};
  add_object(entry, variable, 0);
  if (kind != VariableKind::managed && (is_const || !begins_as_zeros(variable))) {
    entry.initial.values = room_for(bytes);
    std::memcpy(entry.initial.values.get(), variable, bytes);
  }
  const base::Lock lock(all.mutex);
  if (!all.entries.contains(variable)) note_name(all, entry.variable);
  all.entries.insert_or_assign(variable, std::move(entry));
}

RedZone::RedZone(std::size_t bytes, const char* zeros, const char* values, const char* values_end) {
  memory::add_red_zone(zeros, bytes, this + 1);
  memory::add_red_zone(values, bytes, values_end);
}

namespace detail {

void* instance_here(void* variable) {
  ::warpfiber::detail::CurrentThread& current = ::warpfiber::detail::current_thread;
  // Nobody takes this thread's place while it holds the table.
  const bool was_busy = current.busy;
  current.busy = true;
  const process::DeviceVariable* known = process::find_variable(variable);
  void* instance = known == nullptr ? variable : process::instance_of(*known, current.device);
  current.busy = was_busy;
  return instance;
}

}  // namespace detail
}  // namespace warpfiber::cuda
