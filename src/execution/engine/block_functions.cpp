// SPDX-License-Identifier: Apache-2.0
// Which launches have their blocks run by functions, and the loop that calls them.
#include "engine/block_functions.hpp"

#include <warpfiber/detail/claim.hpp>
#include <warpfiber/detail/region_meetings.hpp>
#include <warpfiber/detail/shared_variable.hpp>

#include "engine/liveness/loop_looks.hpp"
#include "engine/preempt.hpp"
#include "engine/state/engine_state.hpp"
#include "engine/worker.hpp"
#include "fiber/tools.hpp"

namespace warpfiber::engine {

using detail::current_thread;

namespace {

constexpr unsigned kLanes = 32;

static_assert(offsetof(detail::CurrentThread, progress) == detail::kPlaceOfProgress);
static_assert(offsetof(detail::CurrentThread, ask_from) == detail::kPlaceOfAskFrom);

bool has_rows_for(const GridRequest& request) {
  const bool has_whole_rows = request.block.x % kLanes == 0 || request.block.y * request.block.z == 1;
  return has_whole_rows || !request.run_block_by_whole_rows;
}

}  // namespace

bool runs_by_functions(const GridRequest& request) {
  const bool plain = request.policy.kind == schedule::PolicyKind::in_order && !request.record_decisions &&
                     request.checker == nullptr && request.observers.empty();
  const bool apart = !request.cooperative && !request.automatic && request.multi == nullptr &&
                     request.cluster.x * request.cluster.y * request.cluster.z == 1;
  return request.run_block != nullptr && plain && apart && has_rows_for(request) && request.device == 0 &&
         request.warp_size == kLanes && request.block.x * request.block.y * request.block.z <= detail::kMostThreads &&
         !EngineState::of_process().is_debugged;
}

void live_by_block_functions() {
  detail::announce_entry();
  Worker& worker = *Worker::current();
  while (!worker.claims().run_blocks()) fiber::leave(worker.claims().finish(*worker.thread));
  fiber::announce_new_life(*worker.running());
  worker.grid().request.run_threads();
  __builtin_unreachable();
}

}  // namespace warpfiber::engine

unsigned warpfiber_regions_frame_fits(std::uintptr_t end) {
  constexpr std::uintptr_t kOfCalls = 4 * 1024;  // of the library's functions
  const auto low = reinterpret_cast<std::uintptr_t>(warpfiber::engine::Worker::current()->running()->more->stack_low);
  return end >= low + kOfCalls + warpfiber::engine::stack_for_ticks() ? 1 : 0;
}

void warpfiber_regions_see(const void* place, std::size_t bytes) {
  using namespace warpfiber::engine;
  current_thread.busy = true;
  WorkerState::current()->loop_looks->see(static_cast<const char*>(place), bytes);
  current_thread.busy = false;
}

void warpfiber_regions_seen(unsigned head, unsigned counts) {
  using namespace warpfiber::engine;
  current_thread.busy = true;
  WorkerState& worker = *WorkerState::current();
  if (counts == 0) {
    worker.loop_looks->seen(worker, head);
  } else {
    worker.loop_looks->seen_to_count();
    LoopLooks::ask_no_more();
  }
  current_thread.busy = false;
}

void* warpfiber_regions_shared(const warpfiber::detail::SharedVariable* variable) {
  const warpfiber::detail::Block* block = warpfiber::detail::current_thread.block;
  if (block->shared_touched[variable->index] != block->serial) warpfiber::detail::first_touch(*variable);
  return block->shared + variable->offset;
}
