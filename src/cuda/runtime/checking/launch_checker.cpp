// SPDX-License-Identifier: Apache-2.0
// What a checker asks of debug information: whether calls are of the user's code, and what memory of the host is. It is
// read on a stack of its own, because that takes more room than a fiber may have left.
#include "runtime/checking/launch_checker.hpp"
#include "memory/out_of_reach.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "check/launch/checker.hpp"
#include "engine/findings/findings.hpp"
#include "engine/state/large_stack.hpp"
#include "runtime/state/runtime_state.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::runtime {
namespace {

/// Whether a call returns to code of the user's.
check::IsUsers users_code() {
  return [](std::uintptr_t returns_to) {
    bool found = false;
    const auto look = [&] {
      found = std::ranges::any_of(symbols::Symboliser::of_process().frames(returns_to - 1), &symbols::Frame::users);
    };
    return engine::run_on_large_stack(look) && found;
  };
}

/// What debug information knows of memory of the host, and of those who access it. Belongs to one worker.
class HostMemoryLookup {
 public:
  check::HostMemory operator()(const void* address, bool in_program, const void* instruction) {
    check::HostMemory made;
    made.of_library = is_of_library(instruction);
    // What the launch has put out of reach faults, and the fault says more.
    made.is_judged = !made.of_library && !in_program && memory::meant_by(address) == nullptr;
    if (!made.of_library && in_program) add_variable(address, made);
    return made;
  }

 private:
  /// Whether the library itself makes the access, to what it keeps of blocks and groups.
  bool is_of_library(const void* instruction) {
    const auto [entry, fresh] = of_library_.try_emplace(instruction);
    if (fresh) entry->second = engine::is_of_own_object(static_cast<const char*>(instruction) - 1);
    return entry->second;
  }

  /// Static variables of functions may be the device's: in functions of the device they are.
  void add_variable(const void* address, check::HostMemory& made) {
    const auto found = symbols::Symboliser::of_process().variable(reinterpret_cast<std::uintptr_t>(address));
    if (!found.has_value()) return;
    made.is_judged = !found->in_function && found->place.known() && found->users;
    made.base = found->base;
    made.bytes = found->bytes;
    made.name = found->name;
    made.file = found->place.file;
    made.line = found->place.line;
  }

  std::unordered_map<const void*, bool> of_library_;
};

check::AskHostMemory host_memory() {
  return
      [lookup = std::make_shared<HostMemoryLookup>()](const void* address, bool in_program, const void* instruction) {
        check::HostMemory made;  // where there is no room it is not known, so nothing is said of it
        engine::run_on_large_stack([&] { made = (*lookup)(address, in_program, instruction); });
        return made;
      };
}

}  // namespace

class LaunchCheckers final : public record::ObserverFactory {
 public:
  std::unique_ptr<record::Observer> make() override {
    return std::make_unique<check::Checker>(users_code(), host_memory());
  }
};

record::ObserverFactory& launch_checkers() {
  return RuntimeState::of_process().launch_checkers.get();
}

}  // namespace warpfiber::runtime
