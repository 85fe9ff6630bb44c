// SPDX-License-Identifier: Apache-2.0
// The table is a constant: offsets of members as this library was compiled. Names are those of the members, but where a
// member of a member is meant. Only ever add names; `constant.version` counts changes of what a name means.
#include "engine/debugging/layout.hpp"

#include <warpfiber/detail/current_thread.hpp>
#include <warpfiber/detail/group.hpp>
#include <warpfiber/detail/machine.hpp>

#include <cstddef>

#include "check/violations/violations.hpp"
#include "engine/state/block.hpp"
#include "engine/state/engine_state.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/worker_state.hpp"
#include "record/verdict.hpp"
#include "step/state.hpp"

// Some structures have bases with members of their own. Compilers that this builds with give them one layout for all.
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

namespace warpfiber::engine {
namespace {

using detail::CurrentThread;
using detail::Fiber;
using detail::FiberDetails;

#ifdef WARPFIBER_PORTABLE_SWITCH
constexpr std::uint32_t kPortableSwitch = 1;
#else
constexpr std::uint32_t kPortableSwitch = 0;
#endif

// What a reference refers to is read through the pointer that it is.
static_assert(offsetof(Grid, blocks) == sizeof(void*), "Grid::request is its first member");
constexpr std::size_t kGridRequest = 0;

constexpr fiber::StackSlabs::SlabLayout kSlabs = fiber::StackSlabs::layout();

}  // namespace

#define WARPFIBER_ENTRY(name, value) \
  { name, static_cast<std::uint32_t>(value) }
#define WARPFIBER_OFFSET(name, type, member) WARPFIBER_ENTRY(name "." #member, offsetof(type, member))

extern "C" [[gnu::used]] const LayoutEntry warpfiber_debugger_layout[] = {
    WARPFIBER_ENTRY("constant.version", 1),
    WARPFIBER_ENTRY("constant.portable_switch", kPortableSwitch),
    WARPFIBER_ENTRY("constant.group_places", kGroupPlaces),
    WARPFIBER_ENTRY("constant.set_rows", OpenSets::kRows),

    WARPFIBER_OFFSET("state", EngineState, is_debugged),

    WARPFIBER_OFFSET("current", CurrentThread, waitable),
    WARPFIBER_OFFSET("current", CurrentThread, block),
    WARPFIBER_OFFSET("current", CurrentThread, claimer),
    WARPFIBER_OFFSET("current", CurrentThread, fiber),
    WARPFIBER_OFFSET("current", CurrentThread, worker),

    WARPFIBER_OFFSET("worker", WorkerState, launch),
    WARPFIBER_OFFSET("worker", WorkerState, in_order),
    WARPFIBER_OFFSET("worker", WorkerState, index),
    WARPFIBER_OFFSET("worker", WorkerState, host),
    WARPFIBER_OFFSET("worker", WorkerState, stacks),
    WARPFIBER_OFFSET("worker", WorkerState, resident),

    WARPFIBER_ENTRY("grid.request", kGridRequest),
    WARPFIBER_OFFSET("grid", Grid, blocks),
    WARPFIBER_OFFSET("grid", Grid, threads),
    WARPFIBER_OFFSET("grid", Grid, workers),
    WARPFIBER_OFFSET("grid", Grid, stop),
    WARPFIBER_OFFSET("request", GridRequest, grid),
    WARPFIBER_OFFSET("request", GridRequest, block),
    WARPFIBER_OFFSET("request", GridRequest, warp_size),
    WARPFIBER_OFFSET("request", GridRequest, device),
    WARPFIBER_OFFSET("request", GridRequest, kernel),
    WARPFIBER_ENTRY("request.name", offsetof(GridRequest, facts) + offsetof(record::LaunchFacts, kernel)),
    WARPFIBER_ENTRY("request.device_name", offsetof(GridRequest, facts) + offsetof(record::LaunchFacts, device)),
    WARPFIBER_ENTRY("request.number", offsetof(GridRequest, order) + offsetof(record::LaunchOrder, number)),
    WARPFIBER_ENTRY("request.stream", offsetof(GridRequest, order) + offsetof(record::LaunchOrder, stream)),

    WARPFIBER_ENTRY("slabs.slabs", kSlabs.slabs),
    WARPFIBER_ENTRY("slab.size", kSlabs.slab_size),
    WARPFIBER_ENTRY("slab.fibers", kSlabs.fibers),
    WARPFIBER_ENTRY("slab.prepared", kSlabs.prepared),

    WARPFIBER_ENTRY("fiber.size", sizeof(Fiber)),
    WARPFIBER_OFFSET("fiber", Fiber, stack_pointer),
    WARPFIBER_OFFSET("fiber", Fiber, resume),
    WARPFIBER_OFFSET("fiber", Fiber, frame_pointer),
    WARPFIBER_OFFSET("fiber", Fiber, next),
    WARPFIBER_OFFSET("fiber", Fiber, thread_index),
    WARPFIBER_OFFSET("fiber", Fiber, lane),
    WARPFIBER_OFFSET("fiber", Fiber, warp),
    WARPFIBER_OFFSET("fiber", Fiber, more),
    WARPFIBER_OFFSET("details", FiberDetails, stack_low),
    WARPFIBER_OFFSET("details", FiberDetails, stack_high),
    WARPFIBER_OFFSET("details", FiberDetails, note),

    WARPFIBER_OFFSET("list", detail::WaitList, head),
    WARPFIBER_OFFSET("list", detail::WaitList, tail),
    WARPFIBER_OFFSET("site", Site, file),
    WARPFIBER_OFFSET("site", Site, line),

    WARPFIBER_OFFSET("block", ResidentBlock, ready),
    WARPFIBER_OFFSET("block", ResidentBlock, live),
    WARPFIBER_OFFSET("block", ResidentBlock, barrier),
    WARPFIBER_OFFSET("block", ResidentBlock, grid_barrier),
    WARPFIBER_OFFSET("block", ResidentBlock, cluster_barrier),
    WARPFIBER_OFFSET("block", ResidentBlock, split_waits),
    WARPFIBER_OFFSET("block", ResidentBlock, rank),
    WARPFIBER_OFFSET("block", ResidentBlock, index),
    WARPFIBER_OFFSET("block", ResidentBlock, threads),
    WARPFIBER_OFFSET("block", ResidentBlock, claimed),
    WARPFIBER_OFFSET("block", ResidentBlock, exited),
    WARPFIBER_OFFSET("block", ResidentBlock, engaged),
    WARPFIBER_OFFSET("block", ResidentBlock, groups),
    WARPFIBER_OFFSET("block", ResidentBlock, sets),
    WARPFIBER_OFFSET("block", ResidentBlock, open_groups),
    WARPFIBER_OFFSET("block", ResidentBlock, yielded),
    WARPFIBER_OFFSET("block", ResidentBlock, mismatched_arrivals),
    WARPFIBER_OFFSET("block", ResidentBlock, warp_storage),
    WARPFIBER_ENTRY("mismatch.size", sizeof(MismatchedArrival)),
    WARPFIBER_OFFSET("mismatch", MismatchedArrival, fiber),
    WARPFIBER_OFFSET("mismatch", MismatchedArrival, site),

    WARPFIBER_OFFSET("barrier", detail::Barrier, arrived),
    WARPFIBER_OFFSET("barrier", detail::Barrier, phase),
    WARPFIBER_OFFSET("barrier", detail::Barrier, site),
    WARPFIBER_OFFSET("barrier", detail::Barrier, waiting),
    WARPFIBER_OFFSET("wide", detail::WideBarrier, arrived),
    WARPFIBER_OFFSET("wide", detail::WideBarrier, site),
    WARPFIBER_OFFSET("wide", detail::WideBarrier, waiting),

    WARPFIBER_ENTRY("warp.size", sizeof(ResidentWarp)),
    WARPFIBER_OFFSET("warp", ResidentWarp, live),
    WARPFIBER_OFFSET("warp", ResidentWarp, pending),
    WARPFIBER_OFFSET("warp", ResidentWarp, converging),
    WARPFIBER_OFFSET("warp", ResidentWarp, block),
    WARPFIBER_OFFSET("warp", ResidentWarp, index),
    WARPFIBER_OFFSET("warp", ResidentWarp, arguments),
    WARPFIBER_OFFSET("warp", ResidentWarp, others),
    WARPFIBER_OFFSET("warp", ResidentWarp, others_used),
    WARPFIBER_ENTRY("pending.size", sizeof(detail::PendingCollective)),
    WARPFIBER_OFFSET("pending", detail::PendingCollective, mask),
    WARPFIBER_OFFSET("pending", detail::PendingCollective, arrived),
    WARPFIBER_OFFSET("pending", detail::PendingCollective, collective),
    WARPFIBER_OFFSET("pending", detail::PendingCollective, waiting),
    WARPFIBER_OFFSET("collective", detail::Collective, name),
    WARPFIBER_OFFSET("group_collective", detail::GroupCollective, name),

    WARPFIBER_ENTRY("group.size", sizeof(GroupRendezvous)),
    WARPFIBER_ENTRY("group.arrived", offsetof(GroupRendezvous, rendezvous) + offsetof(machine::Rendezvous, arrived)),
    WARPFIBER_ENTRY("group.members", offsetof(GroupRendezvous, rendezvous) + offsetof(machine::Rendezvous, members)),
    WARPFIBER_OFFSET("group", GroupRendezvous, collective),
    WARPFIBER_OFFSET("group", GroupRendezvous, parts),
    WARPFIBER_OFFSET("group", GroupRendezvous, waiting),
    WARPFIBER_OFFSET("set", SetRendezvous, next),
    WARPFIBER_OFFSET("sets", OpenSets, rows),
    WARPFIBER_OFFSET("part", detail::GroupPart, site),

    WARPFIBER_OFFSET("note", SpinNote, site),
    WARPFIBER_OFFSET("note", SpinNote, address),
    WARPFIBER_OFFSET("note", SpinNote, phase),
    WARPFIBER_OFFSET("phase", detail::PhaseWait, call),

    WARPFIBER_OFFSET("step", step::StepState, stop_at),
    WARPFIBER_OFFSET("step", step::StepState, move),
    WARPFIBER_OFFSET("step", step::StepState, times),
    WARPFIBER_OFFSET("step", step::StepState, moving),
    WARPFIBER_OFFSET("step", step::StepState, from),
    WARPFIBER_OFFSET("step", step::StepState, position),
    WARPFIBER_OFFSET("step", step::StepState, stop),
    WARPFIBER_OFFSET("step", step::StepState, running),
    WARPFIBER_OFFSET("step", step::StepState, files_known),
    WARPFIBER_OFFSET("step", step::StepState, files),
    WARPFIBER_OFFSET("step", step::StepState, slots),
    WARPFIBER_OFFSET("step", step::StepState, blocks),
    WARPFIBER_ENTRY("step_file.size", sizeof(step::StepFile)),
    WARPFIBER_OFFSET("step_file", step::StepFile, name),
    WARPFIBER_OFFSET("step_file", step::StepFile, lines),
    WARPFIBER_OFFSET("step_file", step::StepFile, counts),
    WARPFIBER_ENTRY("step_block.size", sizeof(step::StepBlock)),
    WARPFIBER_OFFSET("step_block", step::StepBlock, rank),
    WARPFIBER_OFFSET("step_block", step::StepBlock, epoch),
    WARPFIBER_OFFSET("step_block", step::StepBlock, places),
    WARPFIBER_ENTRY("step_place.size", sizeof(step::StepPlace)),
    WARPFIBER_OFFSET("step_place", step::StepPlace, line),
    WARPFIBER_OFFSET("step_place", step::StepPlace, file),
    WARPFIBER_ENTRY("move.none", step::StepMove::none),
    WARPFIBER_ENTRY("move.line", step::StepMove::line),
    WARPFIBER_ENTRY("move.lane", step::StepMove::lane),
    WARPFIBER_ENTRY("move.warp", step::StepMove::warp),
    WARPFIBER_ENTRY("move.epoch", step::StepMove::epoch),
    WARPFIBER_ENTRY("move.block", step::StepMove::block),
    WARPFIBER_ENTRY("move.launch", step::StepMove::launch),
    WARPFIBER_ENTRY("stop.none", step::StepStop::none),
    WARPFIBER_ENTRY("stop.position", step::StepStop::position),
    WARPFIBER_ENTRY("stop.move", step::StepStop::move),
    WARPFIBER_ENTRY("stop.returned", step::StepStop::returned),
    WARPFIBER_ENTRY("stop.end", step::StepStop::end),

#define WARPFIBER_VERDICT(name, id, ...) WARPFIBER_ENTRY("verdict." id, record::Verdict::name),
#include "record/verdicts.inc"

#define WARPFIBER_VIOLATION(name, ...) WARPFIBER_ENTRY("hazard." #name, check::ViolationKind::name),
#define WARPFIBER_VIOLATION_IN_CONTEXT(name) WARPFIBER_ENTRY("hazard." #name, check::ViolationKind::name),
#include "check/violations/kinds.inc"
    {"", 0}};

#undef WARPFIBER_OFFSET
#undef WARPFIBER_ENTRY

}  // namespace warpfiber::engine
