// SPDX-License-Identifier: Apache-2.0
// Names that the pass shares with the headers (include/warpfiber/detail/regions.hpp) and with the library.
#pragma once

#include <llvm/IR/Instructions.h>
#include <warpfiber/detail/operations.hpp>
#include <warpfiber/detail/region_meetings.hpp>

#include <cstdint>
#include <string>

namespace llvm {
class Loop;
}

namespace warpfiber::regions {

using detail::kBlockNotBegun;
using detail::kBlockToRepeat;
using detail::kLanesOfMask;
using detail::kThreadReturned;

/// What threads do at a meeting, as a call of include/warpfiber/detail/regions.hpp says.
enum class MeetingCall { none, block_barrier, block_vote, lane_barrier, shuffle, collect };

inline constexpr unsigned kMostThreads = 1024;
inline constexpr unsigned kWarp = 32;

/// Greater numbers are no regions.
inline constexpr unsigned kMostRegions = 250;

/// The function that `value` calls by name; empty for anything else.
llvm::StringRef called_name(const llvm::Value* value);
MeetingCall meeting_call(const llvm::Value* value);
/// How many calls of meetings a loop has.
unsigned meetings_in(const llvm::Loop& loop);

/// Whether the translator says here that a loop looks at volatile memory and works (warpfiber::cuda::looked).
bool is_look(const llvm::Value* value);

/// Whether shared memory of another block is asked for here, which only blocks of a cluster have: no such launch runs
/// as loops, and others end with a finding.
bool asks_other_block(const llvm::Value* value);

/// Whether the whole block ends here, and is run on fibers: no thread goes on.
bool leaves_to_fibers(const llvm::BasicBlock& block);

/// Declares what marks a meeting in a function whose meetings have been lowered: (lanes, collective, masks), where
/// lanes is 0 for the whole block, collective the number of a Collective, and masks that of an array of masks, or -1.
llvm::FunctionCallee meeting_marker(llvm::Module& module);
bool is_meeting(const llvm::Value* value);

/// The name of a variable of the running thread; in code of libraries its symbol says more (WARPFIBER_OF_THREAD).
llvm::StringRef name_in_thread(const llvm::GlobalVariable& variable);
/// The variable of that name. Where the module has none, it is declared as one of `type`.
llvm::GlobalVariable* variable_of_thread(llvm::Module& module, llvm::StringRef name, llvm::Type* type);

/// Declares the function that stands for threadIdx.x, .y or .z.
llvm::FunctionCallee thread_index(llvm::Module& module, unsigned dimension);
/// 0, 1, 2 for calls of these; else -1.
int index_dimension(const llvm::Value* value);

/// A function that can be called where threads run one after another: it neither waits nor reads built-in variables.
bool is_plain_call(const llvm::CallBase& call);

}  // namespace warpfiber::regions
