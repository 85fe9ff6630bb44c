// SPDX-License-Identifier: Apache-2.0
// What checked programs report besides their accesses (include/warpfiber/detail/checked.hpp).
#include <warpfiber/detail/checked.hpp>

#include <cstdint>
#include <cstring>

#include "abi/hooks/busy.hpp"
#include "check/launch/launch_checker.hpp"
#include "engine/observing/access_hook.hpp"
#include "engine/state/worker_state.hpp"

namespace warpfiber::detail {

namespace {

using check::active_checker;

/// The thread stays on the processor until the checker is done.
template <class Action>
void with_checker(Action&& what) {
  if (active_checker == nullptr) return;
  const abi::Busy busy;
  what(*active_checker);
}

}  // namespace

unsigned checked_foreign_lane(std::uint64_t mask, unsigned source, bool named) {
  const void* instruction = __builtin_return_address(0);
  unsigned call = 0;
  with_checker(
      [&](check::LaunchChecker& checker) { call = checker.calls().foreign_lane(mask, source, named, instruction); });
  return call;
}

std::uint64_t checked_foreign_value(unsigned call, unsigned kind, std::uint64_t operand, std::uint64_t value) {
  with_checker([&](check::LaunchChecker& checker) {
    value = checker.calls().foreign_value(call, {static_cast<check::ValueKind>(kind), operand}, value);
  });
  return value;
}

void checked_offer(unsigned kind, std::uint64_t operand) {
  with_checker([&](check::LaunchChecker& checker) {
    checker.calls().offer({static_cast<check::ValueKind>(kind), operand});
  });
}

void checked_receive(unsigned kind, std::uint64_t operand, std::uint64_t value) {
  with_checker([&](check::LaunchChecker& checker) {
    checker.calls().receive({static_cast<check::ValueKind>(kind), operand}, value);
  });
}

void checked_comes_to_wait() {
  with_checker([](check::LaunchChecker& checker) {
    checker.flush();
    checker.strong_words().come_to_wait();
  });
}

void checked_waits(bool again) {
  with_checker([again](check::LaunchChecker& checker) {
    checker.flush();
    checker.strong_words().end_look(again);
  });
}

void checked_step(const volatile void* place) {
  with_checker([place](check::LaunchChecker& checker) { checker.strong_words().step(const_cast<const void*>(place)); });
}

void checked_active_lanes(std::uint64_t mask, unsigned line, bool diverged) {
  const void* instruction = __builtin_return_address(0);
  with_checker([&](check::LaunchChecker& checker) { checker.calls().active_lanes(mask, line, diverged, instruction); });
}

extern "C" std::uint64_t warpfiber_checked_found(std::uint64_t found, const void* address, unsigned bytes) noexcept {
  with_checker([=](check::LaunchChecker& checker) { checker.uses_found(address, bytes); });
  return found;
}

void checked_one_memory(const char* name, const char* other, unsigned stored, unsigned overwritten) {
  const void* instruction = __builtin_return_address(0);
  with_checker([&](check::LaunchChecker& checker) {
    checker.calls().one_memory({name, other, stored, overwritten}, instruction);
  });
}

void checked_rank_beyond(int rank, unsigned size) {
  const void* instruction = __builtin_return_address(0);
  with_checker([&](check::LaunchChecker& checker) { checker.calls().rank_beyond(rank, size, instruction); });
}

void checked_copy(void* to, const void* from, std::size_t bytes, std::size_t room, const Site& call) {
  const void* instruction = __builtin_return_address(0);
  const auto report = [&](auto access) {
    if (bytes != 0 && check::shadow.covers(from))
      access({.address = from, .bytes = bytes, .reads = true, .instruction = instruction});
    if (room != 0 && check::shadow.covers(to))
      access({.address = to, .bytes = room, .writes = true, .instruction = instruction});
  };
  if (active_checker == nullptr && engine::unchecked_accesses() != nullptr) {
    const abi::Busy busy;
    report([](const record::MemoryAccess& access) { engine::unchecked_accesses()->access(access); });
  }
  with_checker([&](check::LaunchChecker& checker) {
    if (checker.sees_every_access()) report(engine::before_access);
    checker.copy_async(to, from, bytes, room, call);
  });
  std::memcpy(to, from, bytes);
  if (room > bytes) std::memset(static_cast<char*>(to) + bytes, 0, room - bytes);
}

void checked_promise(const void* address, std::size_t alignment, const Site& call) {
  with_checker([&](check::LaunchChecker& checker) { checker.calls().promised(address, alignment, call); });
}

void checked_read_only(const void* address, std::size_t bytes) {
  const void* instruction = __builtin_return_address(0);
  if (!check::shadow.covers(address)) return;
  with_checker([&](check::LaunchChecker& checker) { checker.calls().read_only_load(address, bytes, instruction); });
}

void checked_dependencies_met() {
  with_checker([](check::LaunchChecker& checker) { checker.calls().dependencies().wait(); });
}

void checked_commit() {
  with_checker([](check::LaunchChecker& checker) { checker.copies().commit(); });
}

void checked_bind(const void* word, bool committed) {
  with_checker([=](check::LaunchChecker& checker) { checker.copies().bind(word, committed); });
}

void checked_phase_end(const void* word) {
  with_checker([word](check::LaunchChecker& checker) {
    checker.copies().end_phase(word);
    checker.flush();
    checker.sync().end_phase_of_word(word);
  });
}

void checked_phase_begin(const void* word, bool is_first) {
  engine::WorkerState* worker = engine::WorkerState::current();
  if (worker == nullptr) return;
  const abi::Busy busy;
  std::uint64_t& number = worker->phases[word];
  number = is_first ? 1 : number + 1;
}

void checked_phase_seen(const void* word) {
  with_checker([word](check::LaunchChecker& checker) { checker.copies().see_phase(word); });
}

void checked_wait(std::size_t but) {
  with_checker([but](check::LaunchChecker& checker) { checker.copies().wait(but); });
}

}  // namespace warpfiber::detail
