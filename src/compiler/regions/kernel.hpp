// SPDX-License-Identifier: Apache-2.0
// A kernel on its way from what one thread does to what all threads of a block do. The passes over it run in the order
// of this file. Those that return a bool may refuse the kernel, which then runs on fibers only.
#pragma once

#include <warpfiber/detail/operations.hpp>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IR/ValueHandle.h>

namespace warpfiber::regions {

class Uniformity;

/// What the library computes at a meeting of what threads bring: an element each of `brought`, and their results, an
/// element each of `results`. Of a block's vote there is one result.
struct Collective {
  detail::Operation operation{};
  unsigned words = 1;  // of an element
  unsigned lanes = 0;  // 0: of the block

  detail::Formula formula() const { return detail::row_of(operation).formula; }
  llvm::AllocaInst* brought = nullptr;
  llvm::AllocaInst* results = nullptr;
};

/// Whether the library may look at a block at the head of a region: at all it has, or only at that a count ends the
/// loops around.
enum class RegionLook { none, counts, compares };

/// Code between meetings: from the one it is named after, or the kernel's start (number 0), to whatever is next.
struct KernelRegion {
  unsigned id = 0;
  unsigned lanes = 0;   // that meet in front of it: 0 is the block
  int collective = -1;  // what they compute there
  int masks = -1;       // the masks that they name there
  llvm::BasicBlock* first = nullptr;
  llvm::SetVector<llvm::BasicBlock*> blocks;
  std::set<unsigned> exits;     // numbers of regions, kThreadReturned
  bool uniform_exit = true;     // whether all threads that run it are known to go on with the same region
  bool may_be_skipped = false;  // whether some threads of the block may not run it
  RegionLook look = RegionLook::none;
  std::set<const llvm::Instruction*> idle;  // values of the loop that decide nothing in it
};

/// How a value that is live from one region to another gets there.
enum class Carried {
  recomputed,  // of what all regions know
  once,        // it is the same for all threads
  each,        // in an array with an element for each thread
};

struct CarriedValue {
  Carried how = Carried::each;
  llvm::Type* type = nullptr;
  llvm::AllocaInst* local = nullptr;    // where the kernel's code keeps it
  llvm::AllocaInst* storage = nullptr;  // between regions
  std::set<unsigned> live_into;         // numbers of regions
  std::set<unsigned> idle_in;           // the same, of those in whose loop it decides nothing
};

struct Kernel {
  explicit Kernel(llvm::Function& of, llvm::FunctionAnalysisManager& its_analyses);
  ~Kernel();

  /// False, always; the first reason is kept.
  bool refuse(const llvm::Twine& why);
  llvm::Instruction* end_of_entry() const { return entry->getTerminator(); }

  llvm::Function& function;
  llvm::FunctionAnalysisManager& analyses;
  llvm::LLVMContext& context;
  llvm::Module& module;
  std::string refusal;
  std::string name;  // std::type_info's
  llvm::Value* name_text = nullptr;
  llvm::Value* unit = nullptr;
  llvm::BasicBlock* entry = nullptr;  // runs once for the block
  llvm::BasicBlock* body = nullptr;   // what each thread does first
  llvm::Value* extent[3] = {};        // blockDim
  llvm::Value* threads = nullptr;
  std::set<const llvm::GlobalVariable*> constants;  // of __constant__ memory, which no thread writes
  std::vector<llvm::AllocaInst*> arrays;            // of each thread
  std::vector<llvm::AllocaInst*> masks;             // that threads name where they are no constants
  std::vector<Collective> collectives;
  std::vector<KernelRegion> regions;
  std::map<llvm::BasicBlock*, unsigned> region_behind;  // by the block that is a meeting
  bool may_return_early = false;                        // some threads, while others go on
  bool lanes_diverge = false;                           // warps or tiles may be at different meetings
  std::unique_ptr<Uniformity> uniformity;
  std::vector<CarriedValue> carried;
  std::vector<llvm::WeakVH> loop_headers;  // of the loops over threads
  std::vector<llvm::Function*> parts;      // that the function calls: loops over the threads of regions
  std::uint64_t thread_bytes = 0;          // of arrays with an element for each thread
  std::uint64_t stack_bytes = 0;
  bool needs_whole_rows = false;  // a row of threads is to be made of whole warps
};

/// Inlines all calls, reads built-in variables and arguments once, and refuses what cannot run as loops.
bool prepare(Kernel& kernel);
/// Makes markers of the meetings: what is exchanged there goes through arrays with an element for each thread.
bool lower_meetings(Kernel& kernel);
/// Makes plain accesses of atomics that no other OS thread can see, and marks them: threads meet at one word there.
void simplify_shared_atomics(Kernel& kernel);
inline constexpr const char* kAtomicMetadata = "warpfiber.atomic";
bool find_regions(Kernel& kernel);
void place_values(Kernel& kernel);
bool make_loops(Kernel& kernel);
/// Makes `parts` where there are many regions.
void outline_regions(Kernel& kernel);
/// What does not stay in registers lies on the stack as well, each value as a vector. How much that is, LLVM decides
/// last: `stack_bytes` gets a guess, and a long function first asks whether its frame fits.
void ask_for_stack(Kernel& kernel);

/// Where the library is to look, and what may be left out there. Before values are placed.
void find_looks(Kernel& kernel);

/// What a look has to find in the block's frame.
struct LookedAt {
  llvm::AllocaInst* next = nullptr;  // null where threads stay together
  const std::map<llvm::AllocaInst*, llvm::AllocaInst*>& arrays;
};

/// A look at the head of `region`, where `build` stands, if the count `now` has come to what is at `ask_from`. Behind
/// it `build` goes on.
void make_look(Kernel& kernel, const KernelRegion& region, llvm::IRBuilder<>& build, llvm::Value* now,
               llvm::Value* ask_from, const LookedAt& frame);

/// An array with an element for each thread.
llvm::AllocaInst* array_of_threads(Kernel& kernel, llvm::Type* element, const llvm::Twine& name);
llvm::AllocaInst* one_for_all(Kernel& kernel, llvm::Type* type, const llvm::Twine& name);

/// Why such a kernel runs on fibers.
inline constexpr const char* kWaitingLoop = "a loop may wait for what another thread does";

/// Whether a loop without a meeting ends when other threads have done something: those of the block could not do it.
/// The kernel is refused then.
bool waits_in_loop(Kernel& kernel);

}  // namespace warpfiber::regions
