// SPDX-License-Identifier: Apache-2.0
// Cuts a kernel at its meetings, and finds out where all threads are known to go on together.
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "regions/kernel.hpp"
#include "regions/names.hpp"
#include "regions/uniformity.hpp"

namespace warpfiber::regions {

using namespace llvm;

namespace {

/// Instead of a number of lanes that meet.
constexpr unsigned kOneLane = 1;

bool is_reducible(Function& function) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  const ReversePostOrderTraversal<const Function*> order(&function);
  return !containsIrreducibleCFG<const BasicBlock*>(order, loops);
}

SmallVector<Instruction*, 16> meetings_of(Kernel& kernel) {
  SmallVector<Instruction*, 16> meetings;
  for (Instruction& at : instructions(kernel.function)) {
    if (is_meeting(&at)) meetings.push_back(&at);
  }
  return meetings;
}

int operand(const Instruction& meeting, unsigned number) {
  return static_cast<int>(cast<ConstantInt>(meeting.getOperand(number))->getSExtValue());
}

/// Whether some ways from `block` to `join` have a meeting, and others have none.
bool is_skipped(const BasicBlock& block, const BasicBlock* join, const std::set<const BasicBlock*>& meeting) {
  std::set<const BasicBlock*> seen;
  SmallVector<const BasicBlock*, 16> work(succ_begin(&block), succ_end(&block));
  bool meets = false;
  bool skips = false;
  while (!work.empty()) {
    const BasicBlock* at = work.pop_back_val();
    skips |= at == join;
    if (at == join || !seen.insert(at).second) continue;
    const bool has_meeting = meeting.count(at) != 0;
    meets |= has_meeting;
    if (!has_meeting) work.append(succ_begin(at), succ_end(at));
  }
  return meets && skips;
}

/// A region has a copy of all code up to the next meetings. Where each of many barriers may be left out, that is most
/// of the kernel, once for each of them. There it is cut at some places where ways join again, so that no copy goes
/// further than to the next of these. A thread that comes to such a place waits for no other thread.
void cut_at_joins(Kernel& kernel) {
  constexpr std::size_t kManyJoins = 24;
  constexpr std::size_t kJoinsInRegion = 20;  // each more is another loop over threads when a kernel runs
  const SmallVector<Instruction*, 16> meetings = meetings_of(kernel);
  const bool meets_lanes = any_of(meetings, [](Instruction* at) { return operand(*at, 0) != 0; });
  if (meetings.size() <= kManyJoins || meetings.size() >= kMostRegions || meets_lanes) return;
  std::set<const BasicBlock*> meeting;
  for (Instruction* at : meetings) meeting.insert(at->getParent());
  const PostDominatorTree ends(kernel.function);
  SetVector<BasicBlock*> joins;
  for (BasicBlock& block : kernel.function) {
    auto* node = ends.getNode(&block);
    BasicBlock* join = node == nullptr || node->getIDom() == nullptr ? nullptr : node->getIDom()->getBlock();
    if (join != nullptr && succ_size(&block) > 1 && is_skipped(block, join, meeting)) joins.insert(join);
  }
  if (joins.size() <= kManyJoins) return;
  // No more than there are numbers for.
  const std::size_t step = std::max(kJoinsInRegion, 1 + joins.size() / (kMostRegions - meetings.size()));
  for (std::size_t i = step - 1; i < joins.size(); i += step) {
    IRBuilder<> build(&*joins[i]->getFirstInsertionPt());
    build.CreateCall(meeting_marker(kernel.module),
                     {build.getInt32(kOneLane), build.getInt32(~0U), build.getInt32(~0U)});
  }
}

bool cut_at_meetings(Kernel& kernel) {
  const SmallVector<Instruction*, 16> meetings = meetings_of(kernel);
  if (meetings.size() > kMostRegions) return kernel.refuse("it has too many barriers");
  kernel.regions.resize(1);
  kernel.regions[0].first = kernel.body;
  for (Instruction* meeting : meetings) {
    BasicBlock* at = SplitBlock(meeting->getParent(), meeting);
    KernelRegion region;
    region.id = static_cast<unsigned>(kernel.regions.size());
    region.lanes = static_cast<unsigned>(operand(*meeting, 0));
    region.collective = operand(*meeting, 1);
    region.masks = operand(*meeting, 2);
    region.first = SplitBlock(at, meeting->getNextNode());
    kernel.region_behind[at] = region.id;
    kernel.regions.push_back(region);
  }
  return true;
}

void collect_blocks(Kernel& kernel, KernelRegion& region) {
  SmallVector<BasicBlock*, 16> work{region.first};
  while (!work.empty()) {
    BasicBlock* block = work.pop_back_val();
    if (auto found = kernel.region_behind.find(block); found != kernel.region_behind.end()) {
      region.exits.insert(found->second);
      continue;
    }
    if (!region.blocks.insert(block)) continue;
    if (isa<ReturnInst>(block->getTerminator()) && !leaves_to_fibers(*block)) region.exits.insert(kThreadReturned);
    work.append(succ_begin(block), succ_end(block));
  }
}

/// The regions that ways from `block` lead to, without those through `without`.
std::set<unsigned> exits_from(const Kernel& kernel, const BasicBlock* block, const BasicBlock* without) {
  std::set<unsigned> exits;
  std::set<const BasicBlock*> seen;
  SmallVector<const BasicBlock*, 16> work(succ_begin(block), succ_end(block));
  while (!work.empty()) {
    const BasicBlock* at = work.pop_back_val();
    if (at == without || !seen.insert(at).second) continue;
    auto found = kernel.region_behind.find(const_cast<BasicBlock*>(at));
    if (found != kernel.region_behind.end()) {
      exits.insert(found->second);
      continue;
    }
    if (isa<ReturnInst>(at->getTerminator()) && !leaves_to_fibers(*at)) exits.insert(kThreadReturned);
    work.append(succ_begin(at), succ_end(at));
  }
  return exits;
}

/// Whether threads that part at `block` are together again before the region ends.
bool join_within(const Kernel& kernel, const KernelRegion& region, BasicBlock* block) {
  if (exits_from(kernel, block, nullptr).size() <= 1) return true;
  for (BasicBlock* join : region.blocks) {
    if (join != block && exits_from(kernel, block, join).empty()) return true;
  }
  return false;
}

/// What is called at the meeting in front of a region, and by how many lanes. A mask may name the whole warp.
std::pair<detail::Operation, unsigned> call_before(const Kernel& kernel, const KernelRegion& region) {
  const bool computes = region.collective >= 0;
  const auto operation = computes ? kernel.collectives[static_cast<unsigned>(region.collective)].operation
                                  : detail::Operation::block_barrier;
  return {operation, region.lanes == kLanesOfMask ? kWarp : region.lanes};
}

/// Meetings of lanes that a thread may come to which goes on with region `from`, before it meets its block.
std::set<unsigned> lane_meetings_from(const Kernel& kernel, unsigned from) {
  std::set<unsigned> found;
  SmallVector<unsigned, 8> work{from};
  while (!work.empty()) {
    const unsigned at = work.pop_back_val();
    if (at == kThreadReturned || kernel.regions[at].lanes == 0 || !found.insert(at).second) continue;
    work.append(kernel.regions[at].exits.begin(), kernel.regions[at].exits.end());
  }
  return found;
}

/// Whether threads that go on with one of these regions may come to a call at another place than those of the other.
bool have_one_call(const Kernel& kernel, unsigned one, unsigned other) {
  const std::set<unsigned> there = lane_meetings_from(kernel, other);
  const auto meets = [&](unsigned at) { return kernel.regions[at].lanes != kOneLane; };
  for (unsigned here : lane_meetings_from(kernel, one)) {
    const auto call = call_before(kernel, kernel.regions[here]);
    for (unsigned at : there) {
      if (at != here && meets(at) && call_before(kernel, kernel.regions[at]) == call) return true;
    }
  }
  return false;
}

/// Whether lanes of one warp may come to one call at two places. They meet there on a device, and on fibers, which look
/// at what is called and not where.
bool lanes_part(const Kernel& kernel, const KernelRegion& region, const Uniformity& in_warps) {
  const bool parts = any_of(region.blocks, [&](BasicBlock* block) {
    return in_warps.parts_threads(*block) && !join_within(kernel, region, block);
  });
  if (!parts) return false;
  for (unsigned one : region.exits) {
    for (unsigned other : region.exits) {
      if (one < other && other != kThreadReturned && have_one_call(kernel, one, other)) return true;
    }
  }
  return false;
}

/// Refuses kernels whose lanes may meet at two places, or notes what a launch has to look like for them not to.
bool check_lanes(Kernel& kernel) {
  const Uniformity in_warps(kernel, Uniformity::UniformIn::warp);
  const Uniformity in_rows(kernel, Uniformity::UniformIn::warp_of_row);
  for (const KernelRegion& region : kernel.regions) {
    if (!lanes_part(kernel, region, in_warps)) continue;
    if (lanes_part(kernel, region, in_rows)) return kernel.refuse("lanes of a warp may meet at two places");
    kernel.needs_whole_rows = true;
  }
  return true;
}

/// Behind a region from which threads go different ways, others may be elsewhere.
void find_guards(Kernel& kernel) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const KernelRegion& region : kernel.regions) {
      if (region.uniform_exit && !region.may_be_skipped) continue;
      for (unsigned to : region.exits) {
        if (to == kThreadReturned || kernel.regions[to].may_be_skipped) continue;
        kernel.regions[to].may_be_skipped = changed = true;
      }
    }
  }
}

}  // namespace

bool find_regions(Kernel& kernel) {
  // LCSSA makes phis of what leaves a loop, by which uniformity is found, of loops with one entry only.
  if (!is_reducible(kernel.function)) return kernel.refuse("a jump into the middle of a loop");
  cut_at_joins(kernel);
  if (!cut_at_meetings(kernel)) return false;
  kernel.analyses.invalidate(kernel.function, PreservedAnalyses::none());
  kernel.uniformity = std::make_unique<Uniformity>(kernel);
  bool lanes_meet = false;
  for (KernelRegion& region : kernel.regions) {
    collect_blocks(kernel, region);
    lanes_meet |= region.lanes != 0;
    for (BasicBlock* block : region.blocks) {
      if (kernel.uniformity->parts_threads(*block) && !join_within(kernel, region, block)) region.uniform_exit = false;
    }
    // What threads name has to be looked at, even where all of them come.
    for (unsigned to : region.exits) region.uniform_exit &= to == kThreadReturned || kernel.regions[to].masks < 0;
    kernel.may_return_early |= !region.uniform_exit;
  }
  kernel.lanes_diverge = kernel.may_return_early && lanes_meet;
  if (!check_lanes(kernel)) return false;
  find_guards(kernel);
  return true;
}

}  // namespace warpfiber::regions
