// SPDX-License-Identifier: Apache-2.0
//
// Implements AccessWatcher (memory/accesses.hpp) for the checker, and judges what the program itself reads and
// writes. What such an access has to be compared with is cached for each OS thread, and renewed when the order of
// operations changes.
#include "runtime/checking/checking.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/forking.hpp"
#include "check/enable.hpp"
#include "check/launch/checker.hpp"
#include "check/launch/launch_checker.hpp"
#include "check/objects/unwritten.hpp"
#include "check/running/moved_values.hpp"
#include "device_memory/accesses.hpp"
#include "engine/findings/findings.hpp"
#include "engine/state/large_stack.hpp"
#include "launches/checking/conflicts.hpp"
#include "launches/checking/host_accesses.hpp"
#include "memory/global_heap.hpp"
#include "memory/host/host_addresses.hpp"
#include "process/findings/findings_log.hpp"
#include "process/reporter.hpp"
#include "process/settings/checking.hpp"
#include "process/thread_parts.hpp"
#include "process/user_call.hpp"
#include "runtime/checking/host_conflicts.hpp"
#include "runtime/checking/unwritten_copies.hpp"
#include "runtime/state/runtime_state.hpp"
#include "streams/streams.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::runtime {
namespace {

using record::OperationKind;
using OrderPointer = std::shared_ptr<const record::LaunchOrder>;

void log_all(std::vector<record::Finding> findings) {
  process::log_findings(std::move(findings));
}

/// Of memory that is allocated or freed.
record::OperationFacts operation_of(OperationKind kind, const record::LaunchOrder& order) {
  return {.kind = kind, .call = order.call, .returns_to = order.returns_to};
}

class HostWatcher final : public device_memory::AccessWatcher {
 public:
  void transfer(const device_memory::Transfer& transfer, const record::LaunchOrder& order) override {
    if (transfer.box.empty()) return;
    report_unwritten(transfer, order);
    if (check::shadow.covers(transfer.to.at)) define(transfer, order);
    if (order.number == 0) return;
    const auto shared = std::make_shared<const record::LaunchOrder>(order);
    hold(transfer.to, transfer, true, shared);
    hold(transfer.from, transfer, false, shared);
  }

  void allocation(const void* base, std::size_t bytes) override {
    process::open_findings_log();  // a program may have no kernels
    forget(base, bytes);
  }

  /// What uses the memory may have come first.
  void allocation_in_stream(const void* base, std::size_t bytes, const record::LaunchOrder& order) override {
    if (order.number == 0 || !launches::is_shadowed(base)) return;
    compare({launches::HostActor::allocation, launches::area_of(base, bytes), true, order.returns_to,
             std::make_shared<const record::LaunchOrder>(order), operation_of(OperationKind::allocation, order)});
  }

  void registration(const void* base, std::size_t bytes) override {
    if (!launches::is_shadowed(base)) check::shadow.open(base, bytes);
  }
  void unregistration(const void* base, std::size_t bytes) override {
    launches::host_accesses().forget(base, bytes);
    check::shadow.close(base);
  }

  void release(const void* base, std::size_t bytes, const record::LaunchOrder& order) override {
    if (order.number == 0 || !launches::is_shadowed(base)) return forget(base, bytes);
    const launches::HostAccess access{launches::HostActor::release,
                                      launches::area_of(base, bytes),
                                      true,
                                      order.returns_to,
                                      std::make_shared<const record::LaunchOrder>(order),
                                      operation_of(OperationKind::free, order)};
    const std::vector<launches::HostAccess> unordered = launches::host_accesses().add_release(access);
    log_all(launches::conflicts(access, check::concurrent_launches(order)));
    log_all(host_conflicts(access, commands_of(unordered)));
    make_fresh(base, bytes);
  }

 private:
  static void define(const device_memory::Transfer& transfer, const record::LaunchOrder& order) {
    const process::CopyPlace& to = transfer.to;
    const process::Box& box = transfer.box;
    const std::vector<check::Stretch> unwritten = unwritten_after(transfer, order);
    box.for_each_row([&](std::size_t y, std::size_t z) {
      check::host_writes().add(to.row(y, z), box.width);
      check::moved_values().remove(to.row(y, z), box.width);
      if (transfer.from.at != nullptr) check::moved_values().copy(to.row(y, z), transfer.from.row(y, z), box.width);
    });
    for (const check::Stretch& stretch : unwritten) check::unwrite(stretch);
  }

  static void hold(const process::CopyPlace& place, const device_memory::Transfer& transfer, bool write,
                   const OrderPointer& order) {
    if (place.at == nullptr || !launches::is_shadowed(place.at)) return;
    const launches::Area area{place.at, transfer.box, place.pitch, place.slice};
    compare({launches::HostActor::command, area, write, transfer.operation.returns_to, order, transfer.operation});
  }

  /// Registered first, so that a kernel that gets there during the look finds it.
  static void compare(const launches::HostAccess& access) {
    launches::host_accesses().add(access);
    log_all(launches::conflicts(access, check::concurrent_launches(*access.order)));
    log_all(host_conflicts(access, launches::host_accesses().concurrent_with(*access.order)));
  }

  static void forget(const void* base, std::size_t bytes) {
    launches::host_accesses().forget(base, bytes);
    make_fresh(base, bytes);
  }

  static void make_fresh(const void* base, std::size_t bytes) {
    check::host_writes().remove(base, bytes);
    check::forget_memory(base, bytes);
  }
};

}  // namespace

/// How the calling OS thread of the program stands to launches, computed anew whenever something has changed.
struct Present {
  std::uint64_t changes = ~std::uint64_t{0};
  std::uint64_t begun = 0;
  std::uint64_t signals = 0;
  OrderPointer order;         // null: nothing is unordered with what the thread does
  check::LaunchSet launches;  // that have begun and are not over for it
  std::uint64_t commands_seen = 0;
  std::vector<launches::HostAccess> commands;  // likewise

  bool is_current() const {
    return changes == streams::order_changes() && begun == check::launches_begun() &&
           signals == RuntimeState::of_process().host_signals.load(std::memory_order_acquire);
  }

  void renew() {
    changes = streams::order_changes();
    begun = check::launches_begun();
    signals = RuntimeState::of_process().host_signals.load(std::memory_order_acquire);
    record::LaunchOrder now = streams::order_of_host();
    std::erase_if(now.unordered,
                  [](std::uint64_t other) { return other <= RuntimeState::of_process().seen_up_to.load(); });
    launches = check::concurrent_launches(now);
    order = now.unordered.empty() ? nullptr : std::make_shared<const record::LaunchOrder>(std::move(now));
    add_commands();
  }

  void add_commands() {
    commands_seen = launches::host_accesses().commands();
    commands = order == nullptr ? std::vector<launches::HostAccess>()
                                : commands_of(launches::host_accesses().concurrent_with(*order));
  }
};

namespace {

/// Null where every operation is over for the calling OS thread, as far as it matters.
Present* unsettled_present() {
  if (base::is_forked_child()) return nullptr;
  Present* const present = process::own_part(&process::ThreadParts::present);
  if (present == nullptr) return nullptr;
  if (!present->is_current()) present->renew();
  return present->order == nullptr ? nullptr : present;
}

}  // namespace

void begin_checking(const void* code) {
  static HostWatcher watcher;
  check::enable();
  check::cover_variables_around(code);
  process::note_access_hooks(check::enabled());
  if (!check::enabled() && process::check_settings().check != process::Check::off)
    process::print_without_memory(record::ReasonKind::no_memory_to_check);
  memory::global_heap().check();
  device_memory::watch_accesses(&watcher);
  // Runs before the dynamic linker ends libraries, whose kernels may run until then.
  static const bool notes_end = std::atexit([] { RuntimeState::of_process().has_ended = true; }) == 0;
  static_cast<void>(notes_end);
}

void end_checking(const void* code) {
  if (!RuntimeState::of_process().has_ended) check::uncover_variables_around(code);
}

void host_touches(const void* address, std::size_t bytes, bool write, const void* returns_to) {
  const process::Look look;
  Present* now = look.is_allowed() ? unsettled_present() : nullptr;
  if (now == nullptr) return;
  const launches::HostAccess access{launches::HostActor::program, launches::area_of(address, bytes), write, returns_to,
                                    now->order};
  launches::host_accesses().add(access);
  if (now->launches.any()) log_all(launches::conflicts(access, now->launches));
  // After add(): a command that comes now finds the access.
  if (now->commands_seen != launches::host_accesses().commands()) now->add_commands();
  if (!now->commands.empty()) log_all(host_conflicts(access, now->commands));
}

void host_signals(bool read, bool write) {
  const process::Look look;
  const Present* now = look.is_allowed() ? unsettled_present() : nullptr;
  if (now == nullptr) return;
  if (write) launches::host_accesses().forget_program();
  if (!read) return;
  const std::uint64_t number = now->order->number;
  std::atomic<std::uint64_t>& seen_up_to = RuntimeState::of_process().seen_up_to;
  std::uint64_t seen = seen_up_to.load();
  while (seen < number) {
    if (!seen_up_to.compare_exchange_weak(seen, number)) continue;
    RuntimeState::of_process().host_signals.fetch_add(1, std::memory_order_release);
    return;
  }
}

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
  /// Whether the library itself makes the access, to what it keeps of blocks and groups. Where debug information does
  /// not say, it may.
  bool is_of_library(const void* instruction) {
    const auto [entry, fresh] = of_library_.try_emplace(instruction);
    const void* const within = static_cast<const char*>(instruction) - 1;
    if (fresh) entry->second = !engine::place_of_instruction(within).known() || engine::is_of_own_object(within);
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
