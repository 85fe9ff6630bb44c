// SPDX-License-Identifier: Apache-2.0
// Device functions that need the engine and nothing inlined: time, traps, assertions, address spaces.
#include <warpfiber/intrinsics/address_spaces.hpp>
#include <warpfiber/intrinsics/builtins.hpp>
#include <warpfiber/translated/kernel_heap.hpp>

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "abi/hooks/busy.hpp"
#include "check/launch/launch_checker.hpp"
#include "engine/findings/findings.hpp"
#include "engine/worker.hpp"
#include "memory/kernel_heap.hpp"
#include "memory/objects.hpp"
#include "process/settings/devices.hpp"
#include "report/reasons/reasons.hpp"

namespace {

long long nanoseconds(const timespec& time) {
  return static_cast<long long>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// Of the process. A program that keeps the low word of a clock sees no overflow in the first seconds.
const timespec kStart = [] {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now;
}();

}  // namespace

using warpfiber::Site;
using warpfiber::engine::Worker;

// In a launch that is to be repeatable it counts what threads do, which the machine has no part in. Each read and each
// event that may free a thread that spins takes that long.
long long counted_clock(const Worker& worker) {
  constexpr std::uint64_t kClocksOfAnEvent = 256;
  const std::uint64_t events = warpfiber::detail::current_thread.progress + worker.idle_clocks;
  return static_cast<long long>(worker.grid().request.clock_start + kClocksOfAnEvent * events);
}

long long clock64() {
  Worker* worker = Worker::current();
  // Time passes while others run, so a thread that waits for the clock is not stuck; and they may as well. But where
  // the clock takes no part in when a loop ends, reading it is no progress.
  ++(worker != nullptr && worker->idler == worker->running() ? worker->idle_clocks
                                                             : warpfiber::detail::current_thread.progress);
  if (--warpfiber::detail::current_thread.polls_left <= 0)
    warpfiber::detail::polled_often_at(nullptr, static_cast<const char*>(__builtin_return_address(0)) - 1);
  if (worker != nullptr && worker->grid().request.repeatable) return counted_clock(*worker);
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return nanoseconds(now) - nanoseconds(kStart);
}

void __trap(Site site) {
  Worker* worker = Worker::current();
  if (worker == nullptr) std::abort();
  worker->begin_failure();
  worker->fail_here(warpfiber::engine::trapped(*worker, site, "__trap()"));
}

void warpfiber_unknown_instruction(const char* instruction, Site site) {
  Worker* worker = Worker::current();
  if (worker == nullptr) std::abort();
  worker->begin_failure();
  worker->fail_here(warpfiber::engine::reached_unknown(*worker, site, instruction));
}

void __brkpt(Site site) {
  Worker* worker = Worker::current();
  if (worker == nullptr) std::abort();
  worker->begin_failure();
  worker->fail_here(warpfiber::engine::trapped(*worker, site, "__brkpt()"));
}

unsigned __isShared(const void* address) {
  Worker* worker = Worker::current();
  return worker != nullptr && worker->exchange().shares(address);
}

unsigned __isLocal(const void* address) {
  const Worker* worker = Worker::current();
  if (worker == nullptr) return 0;
  const auto* stack = worker->running()->more;
  return address >= stack->stack_low && address < stack->stack_high;
}

unsigned __isClusterShared(const void* address) {
  Worker* worker = Worker::current();
  return worker != nullptr && worker->exchange().rank_of_sharing_block(address).has_value();
}

unsigned __isConstant(const void* address) {
  const warpfiber::abi::Busy busy;
  const auto object = warpfiber::memory::object_at(address);
  return object.has_value() && object->kind == warpfiber::memory::ObjectKind::constant;
}

unsigned __isGridConstant(const void* address) {
  Worker* worker = Worker::current();
  if (worker == nullptr) return 0;
  const warpfiber::engine::GridRequest& request = worker->grid().request;
  return request.is_grid_constant != nullptr && request.is_grid_constant(request.closure, address);
}

unsigned __isGlobal(const void* address) {
  return __isClusterShared(address) == 0 && __isLocal(address) == 0 && __isConstant(address) == 0;
}

namespace warpfiber::detail {

std::size_t shared_address_elsewhere(const void* pointer, Site site) {
  const auto distance_to = [pointer](const void* window) {
    return static_cast<std::size_t>(static_cast<const char*>(pointer) - static_cast<const char*>(window));
  };
  const void* const own = current_thread.block->shared;
  Worker* worker = Worker::current();
  const auto rank = worker == nullptr ? std::nullopt : worker->exchange().rank_of_sharing_block(pointer);
  if (!rank) return distance_to(own);
  return (*rank + 1) * kSharedWindow + distance_to(worker->exchange().shared_of_rank(own, *rank, site));
}

void* shared_pointer_elsewhere(std::size_t address, Site site) {
  Worker* worker = Worker::current();
  if (worker == nullptr) std::abort();
  const auto rank = static_cast<unsigned>(address / kSharedWindow - 1);
  char* const own = static_cast<char*>(current_thread.block->shared) + address % kSharedWindow;
  return worker->exchange().shared_of_rank(own, rank, site);
}

unsigned multiprocessors() {
  return process::model_settings().model.sm_count;
}

unsigned multiprocessor_of_block() {
  return current_thread.block == nullptr ? 0 : static_cast<unsigned>(current_thread.block->rank % multiprocessors());
}

}  // namespace warpfiber::detail

namespace warpfiber::cuda::detail {
namespace {

using abi::Busy;

[[noreturn]] void refuse_free(void* memory, memory::Freeing why, const char* call, Site site) {
  Worker* worker = Worker::current();
  worker->begin_failure();
  worker->fail_here(warpfiber::engine::invalid_free(*worker, memory, why, call, site));
}

}  // namespace

void* take_from_heap(std::size_t bytes, std::size_t alignment) noexcept {
  const Busy busy;
  void* taken =
      memory::take_from_heap(::warpfiber::detail::current_thread.device, bytes, alignment, __builtin_return_address(0));
  if (taken != nullptr) check::forget_memory(taken, bytes);
  return taken;
}

bool is_live_on_heap(const void* memory) {
  const Busy busy;
  const auto piece = memory::object_at(memory);
  return piece.has_value() && piece->kind == memory::ObjectKind::heap && !piece->freed;
}

void check_on_heap(void* memory, const char* call, Site site) {
  memory::Freeing why = memory::Freeing::unknown;
  {
    const Busy busy;
    why = memory::freeing_of(memory, memory::ObjectKind::heap);
  }
  if (why != memory::Freeing::done) refuse_free(memory, why, call, site);
}

void give_back_to_heap(void* memory, const char* call, Site site) {
  if (memory == nullptr) return;
  memory::Freeing outcome = memory::Freeing::unknown;
  {
    const Busy busy;
    const auto piece = memory::object_at(memory);
    outcome = memory::give_back_to_heap(memory, __builtin_return_address(0));
    if (outcome == memory::Freeing::done && piece.has_value()) check::forget_memory(piece->base, piece->bytes);
  }
  if (outcome != memory::Freeing::done) refuse_free(memory, outcome, call, site);
}

}  // namespace warpfiber::cuda::detail

// What <assert.h> calls. Outside kernels it does what the C library's own does.
extern "C" [[noreturn]] void __assert_fail(const char* expression, const char* file, unsigned line,
                                           const char* function) noexcept {
  if (Worker* worker = Worker::current(); worker != nullptr) {
    worker->begin_failure();
    worker->fail_here(warpfiber::engine::assertion_failed(*worker, expression, file, line, function));
  }
  const std::string text = warpfiber::report::reason_text(
      {warpfiber::record::ReasonKind::assertion_on_host, file, line, function != nullptr ? function : "?", expression});
  std::fprintf(stderr, "%s\n", text.c_str());
  std::abort();
}
