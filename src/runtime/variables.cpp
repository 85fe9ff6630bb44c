// SPDX-License-Identifier: Apache-2.0
#include "runtime/variables.hpp"

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "base/contract.hpp"
#include "runtime/session.hpp"

namespace warpfiber::runtime {
namespace {

constexpr std::size_t kAlignment = 256;

struct FreeAligned {
  void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{kAlignment}); }
};
using Bytes = std::unique_ptr<std::byte, FreeAligned>;

Bytes copy_of(const void* from, std::size_t bytes) {
  Bytes copy(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kAlignment})));
  std::memcpy(copy.get(), from, bytes);
  return copy;
}

struct Entry {
  DeviceVariable variable;
  Bytes initial;                   // null where there is one device only
  std::map<int, Bytes> instances;  // of the devices after 0
};

struct Table {
  std::mutex mutex;
  std::map<const void*, Entry> entries;
};

Table& table() {
  static Table& instance = *new Table;
  return instance;
}

}  // namespace

const DeviceVariable* find_variable(const void* address) {
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  const auto found = all.entries.find(address);
  return found == all.entries.end() ? nullptr : &found->second.variable;
}

std::optional<VariableInstance> variable_around(const void* address) {
  const auto lies_in = [address](const void* base, std::size_t bytes) {
    return address >= base && address < static_cast<const char*>(base) + bytes;
  };
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  for (const auto& [start, entry] : all.entries) {
    const DeviceVariable& variable = entry.variable;
    if (lies_in(start, variable.bytes)) return VariableInstance{variable.address, variable.bytes, variable.kind, 0};
    for (const auto& [device, instance] : entry.instances) {
      if (!lies_in(instance.get(), variable.bytes)) continue;
      return VariableInstance{instance.get(), variable.bytes, variable.kind, device};
    }
  }
  return std::nullopt;
}

void* instance_of(const DeviceVariable& variable, int device) {
  if (device == 0 || variable.kind == cuda::VariableKind::managed) return variable.address;
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  Entry& entry = all.entries.at(variable.address);
  WARPFIBER_CONTRACT(entry.initial != nullptr, "a program with several devices keeps what its variables begin with");
  Bytes& instance = entry.instances[device];
  if (instance == nullptr) instance = copy_of(entry.initial.get(), variable.bytes);
  return instance.get();
}

}  // namespace warpfiber::runtime

namespace warpfiber::cuda {

Variable::Variable(void* variable, std::size_t bytes, const char* name, VariableKind kind) {
  using namespace runtime;
  Table& all = table();
  const bool copies = session().devices > 1 && kind != VariableKind::managed;
  const std::lock_guard lock(all.mutex);
  all.entries.insert_or_assign(variable,
                               Entry{{variable, bytes, name, kind}, copies ? copy_of(variable, bytes) : Bytes(), {}});
}

namespace detail {

void* instance_here(void* variable) {
  ::warpfiber::detail::CurrentThread& current = ::warpfiber::detail::current_thread;
  // Nobody takes this thread's place while it holds the table.
  const bool was_busy = current.busy;
  current.busy = true;
  const runtime::DeviceVariable* known = runtime::find_variable(variable);
  void* instance = known == nullptr ? variable : runtime::instance_of(*known, current.device);
  current.busy = was_busy;
  return instance;
}

}  // namespace detail
}  // namespace warpfiber::cuda
