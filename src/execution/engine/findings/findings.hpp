// SPDX-License-Identifier: Apache-2.0
// Findings about one call or one thread, made at the moment it goes wrong, the names of the memory that they are about,
// and why a launch cannot go on, for which the whole machine is looked at.
#pragma once

#include <warpfiber/detail/machine.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "memory/objects.hpp"
#include "record/finding.hpp"
#include "record/mistake.hpp"

namespace warpfiber::engine {

struct Grid;
struct ResidentBlock;
struct WorkerState;

/// File and line of an instruction, from debug information; unknown without it. Needs a deep stack: not on a fiber.
record::Place place_of_instruction(const void* instruction);
/// The first line of the user's code of an instruction; unknown where all of it is the library's.
record::Place users_place_of(const void* instruction);
/// The user's line of a call of CUDA's interface that returns to an address; unknown for null.
record::Place place_of_call(const void* returns_to);
/// Whether an instruction belongs to a function of the library's headers that works on an object of its own.
bool is_of_own_object(const void* instruction);

/// Whether the instruction is of the headers of barriers, pipelines and groups. Those of other headers read what the
/// program gives them, like __ldg(), cuda::atomic_ref and the operators of __half.
bool is_of_synchronising_object(const void* instruction);
/// Looks up the places that a finding made on a fiber has left open.
void look_up_places(record::Finding& finding);

/// The running thread as the only member of a party.
record::Party party_of(const WorkerState& worker, record::Role role, Site site, std::string what);
/// The same for a thread that a signal has found at `instruction`, without its calls: its stack may be anything.
record::Party party_at(const WorkerState& worker, record::Role role, const void* instruction, std::string what);

/// Threads of `block` stand at several barrier calls in one phase, and nobody of it can run.
record::Finding barrier_divergence(const WorkerState& worker, const ResidentBlock& block, record::Mistake mistake);
record::Finding wide_barrier_divergence(const WorkerState& worker, const char* barrier, const detail::WaitList& waiting,
                                        Site first, Site second);
record::Finding caller_outside_mask(const WorkerState& worker, const detail::Fiber& caller,
                                    const detail::Collective& collective, std::uint64_t mask,
                                    const detail::LaneArgument& argument);
record::Finding grid_barrier_in_plain_launch(const WorkerState& worker, Site site);
record::Finding multi_grid_barrier_in_other_launch(const WorkerState& worker, Site site);
record::Finding bad_shared_rank(const WorkerState& worker, unsigned rank, bool own_is_shared, Site site);
record::Finding not_shared(const WorkerState& worker, Site site);
record::Finding too_much_static_shared(const WorkerState& worker, unsigned used, const char* variable);
record::Finding uncaught_exception(const WorkerState& worker, std::string what);
record::Finding assertion_failed(const WorkerState& worker, const char* expression, const char* file, unsigned line,
                                 const char* function);
/// A function that runs the whole block did not get through, and fibers that have run the block once more did.
record::Finding block_not_repeated(const WorkerState& worker);
record::Finding runs_for_ever(const WorkerState& worker, const void* instruction);
/// The time of the run is over, and the thread that runs at `instruction` is the only one of its row that is known.
record::Finding ran_at_end_of_time(const WorkerState& worker, const void* instruction);
/// What a finding says of a launch whose time is over.
void explain_end_of_time(const Grid& grid, record::Finding& finding);
record::Finding trapped(const WorkerState& worker, Site site, const char* what);
/// A thread is at an instruction that is not modelled.
record::Finding reached_unknown(const WorkerState& worker, Site site, const char* instruction);

/// A thread frees what is no memory of the device's heap, or what was freed.
record::Finding invalid_free(const WorkerState& worker, const void* memory, memory::Freeing why, const char* call,
                             Site site);

/// The host ran out of memory for `what`.
record::Finding memory_exhausted(const Grid& grid, const char* what);

enum class FaultKind { address, misaligned, bus, arithmetic, floating_point, instruction };

/// A processor exception in kernel code.
struct ProcessorFault {
  FaultKind kind;
  const void* address;
  const void* instruction;
  enum class Access { read, write, call, unknown };
  const char* stack_pointer;  // of the thread at the instruction
  Access access;  // call: `instruction` is the one that led there; unknown: the address is none a pointer of this
                  // machine can hold, and is not reported either
};

/// The finding about the running thread. Runs in the signal handler of a fault that interrupted kernel code, never the
/// C library or the engine, so it may allocate.
record::Finding explain_fault(const WorkerState& worker, const ProcessorFault& fault);

// Names of memory. Not on the stack of a fiber.

/// Addresses in the functions that lead to where the party's threads stand, innermost first.
std::vector<std::uintptr_t> code_of(const record::Party& party);

/// Completes the object of the finding that has ended the launch, of which a fiber of this worker has left only the
/// address, and names it in the diagnosis. Called while blocks of the worker still have their shared memory.
void name_object_of_failure(const WorkerState& worker);

// Why a launch cannot go on: who waits where, for whom, and where those are. Called while every worker of the
// launch stands still.

/// Nothing can run and something is unfinished; or, with spinning threads, nothing but spinning happens.
record::Finding explain_stall(const Grid& grid);

/// The time of the run is over: where all threads are. Every worker rests.
record::Finding explain_end_of_time(const Grid& grid);

}  // namespace warpfiber::engine
