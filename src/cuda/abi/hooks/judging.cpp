// SPDX-License-Identifier: Apache-2.0
// The checker says what is wrong with an access, and the engine whether the thread can go on without it.
#include "abi/hooks/judging.hpp"

#include <warpfiber/detail/checked.hpp>
#include <warpfiber/detail/claim.hpp>
#include <warpfiber/detail/counted_access.hpp>
#include <warpfiber/detail/wait.hpp>
#include <warpfiber/intrinsics/carry.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "abi/hooks/busy.hpp"
#include "base/system/address_space.hpp"
#include "engine/leaving_out/leaving_out.hpp"
#include "engine/observing/access_hook.hpp"
#include "engine/worker.hpp"
#include "record/observer.hpp"

namespace warpfiber::abi {
namespace {

using check::active_checker;
using check::AtomicUse;
using check::shadow;
using check::Use;
using detail::current_thread;
using engine::before_access;
using record::AccessKind;

ThreadLocals find_thread_locals() {
  const auto here = reinterpret_cast<std::uintptr_t>(&current_thread);
  std::uintptr_t begin = here;
  std::uintptr_t end = here + sizeof current_thread;
  const auto add = [&](const auto& variable) {
    const auto at = reinterpret_cast<std::uintptr_t>(&variable);
    begin = std::min(begin, at);
    end = std::max(end, at + sizeof variable);
  };
  add(threadIdx);
  add(blockIdx);
  add(blockDim);
  add(gridDim);
  add(warpSize);
  add(detail::held_body);
  add(detail::words_to_come);
  add(detail::checked_scope);
  add(detail::carry_flag);
  return {begin - here, end - begin};
}

/// Whether an address outside of the device space is a variable of the device.
bool is_variable(const void* address) {
  return active_checker->outside_memory().variable_at(address) != nullptr;
}

/// What is to be said of the access the checker knows.
[[noreturn]] void end_launch() {
  current_thread.busy = true;
  record::Finding finding;
  finding.verdict = record::Verdict::oob_global;
  engine::Worker::current()->fail_here(std::move(finding));
}

/// After the checker has refused the access. `fails`: no device reaches the memory.
bool refuse(const void* address, bool fails, const void* instruction, bool was_busy) {
  // The processor refuses it, and what is said of the block then is more.
  if (engine::WorkerState::current()->missing_block_at(address) != nullptr) {
    active_checker->log().refusals().leave_to_processor();
    return false;
  }
  if (fails) active_checker->log().refusals().note_failing();
  // The engine makes accesses of its own for a thread, which go on where they are.
  if (!was_busy && engine::begin_leaving_out(instruction)) return true;
  const bool is_last = !was_busy && engine::has_left_out_most();
  if (!fails && !is_last) return false;
  if (is_last) active_checker->log().refusals().note_end(engine::kMostLeftOut);
  end_launch();
}

bool refuse_in_device_space(const void* address, const void* instruction, bool was_busy) {
  return refuse(address, !base::is_readable(address), instruction, was_busy);
}

}  // namespace

const ThreadLocals thread_locals = find_thread_locals();

bool judge_access(const void* address, std::size_t bytes, bool write, const void* instruction) {
  const Busy busy;
  if (active_checker->sees_every_access()) [[unlikely]]
    before_access({.address = address, .bytes = bytes, .reads = !write, .writes = write, .instruction = instruction});
  if (active_checker->access(address, bytes, Use{.read = !write, .write = write}, instruction)) return false;
  return refuse_in_device_space(address, instruction, busy.was_busy());
}

bool judge_outside(const void* address, std::size_t bytes, Use use, const void* instruction) {
  if (is_on_own_stack(address) && !active_checker->outside_memory().has_left_pointer()) return false;
  if (is_thrown(address)) return false;
  const Busy busy;
  if (active_checker->sees_every_access() && is_variable(address)) {
    before_access({.address = address,
                   .bytes = bytes,
                   .reads = use.read,
                   .writes = use.write,
                   .kind = use.strong ? AccessKind::atomic : AccessKind::plain,
                   .instruction = instruction});
  }
  switch (active_checker->outside(address, bytes, use, instruction)) {
    case check::OutsideJudgement::allowed: return false;
    case check::OutsideJudgement::left_out: return refuse(address, false, instruction, busy.was_busy());
    case check::OutsideJudgement::fails: return refuse(address, true, instruction, busy.was_busy());
  }
  __builtin_unreachable();
}

bool judge_range(const void* address, std::size_t bytes, bool write, const void* instruction) {
  if (shadow.covers(address)) return judge_access(address, bytes, write, instruction);
  return !is_thread_local(address) && judge_outside(address, bytes, Use{.read = !write, .write = write}, instruction);
}

bool refuse_misaligned(const void* address, unsigned bytes, bool write, const void* instruction) {
  const Busy busy;
  active_checker->misaligned(address, bytes, write, instruction);
  return refuse(address, true, instruction, busy.was_busy());
}

bool may_access(const void* address, unsigned bytes) {
  if (!shadow.covers(address)) return is_variable(address) || is_thread_local(address);
  return reinterpret_cast<std::uintptr_t>(address) % bytes == 0 &&
         active_checker->bounds().holds(static_cast<const char*>(address), bytes);
}

namespace {

[[gnu::noinline]] bool judge_in_clean_frame(const void* address, unsigned bytes, const AtomicUse& use,
                                            const void* instruction) {
  // Whoever polls a volatile word lets the others run, as with an atomic. Before the access is reported: what they
  // write meanwhile is what it reads.
  if (use.is_volatile && !current_thread.busy) {
    if (use.writes) {
      detail::note_write(address, Site{});
    } else {
      const char* const at = static_cast<const char*>(instruction) - 1;
      if (current_thread.notes_polls) detail::note_polled_at(address, at);
      if (--current_thread.polls_left <= 0) detail::polled_often_at(address, at);
    }
  }
  if (!shadow.covers(address) && !is_variable(address)) {
    const Use does{.read = !use.writes, .write = use.writes, .strong = true};
    return !is_thread_local(address) && judge_outside(address, bytes, does, instruction);
  }
  // A device refuses atomics and volatile accesses that are not aligned, as it does plain ones.
  if (shadow.covers(address) && reinterpret_cast<std::uintptr_t>(address) % bytes != 0) [[unlikely]]
    return refuse_misaligned(address, bytes, use.writes, instruction);
  const Busy busy;
  if (active_checker->sees_every_access()) {
    const AccessKind kind = use.is_volatile ? AccessKind::is_volatile : AccessKind::atomic;
    before_access({address, bytes, use.reads, use.writes, kind, use.scope, instruction});
  }
  if (active_checker->atomic(address, bytes, use, instruction)) return false;
  return refuse_in_device_space(address, instruction, busy.was_busy());
}

}  // namespace

bool judge_atomic(const void* address, unsigned bytes, const AtomicUse& use, const void* instruction) {
  if (use.reads && engine::compares_states()) engine::wipe_dead_stack();  // it may be a poll
  return judge_in_clean_frame(address, bytes, use, instruction);
}

bool judge_volatile(const void* address, unsigned bytes, bool write, const void* instruction) {
  return judge_atomic(address, bytes, AtomicUse{.reads = !write, .writes = write, .is_volatile = true}, instruction);
}

}  // namespace warpfiber::abi
