// SPDX-License-Identifier: Apache-2.0
// Which values are the same for all threads of a block wherever they are at one place together (LLVM calls the others
// divergent). A value counts as the same only where that is certain.
#pragma once

#include <set>

#include <llvm/Analysis/PostDominators.h>

#include "regions/kernel.hpp"

namespace warpfiber::regions {

class Uniformity {
 public:
  /// The threads of a block, or of each warp: its lanes agree on the results of their votes and reductions. Where rows
  /// of threads are made of whole warps, its lanes have all but the five lowest bits of threadIdx.x in common.
  enum class UniformIn { block, warp, warp_of_row };

  explicit Uniformity(Kernel& kernel, UniformIn scope = UniformIn::block);

  bool differs(const llvm::Value* value) const { return differing_.count(value) != 0; }
  /// Whether threads that are here together may go different ways.
  bool parts_threads(const llvm::BasicBlock& block) const;

 private:
  bool is_source(const llvm::Instruction& at) const;
  bool is_result_of_warp(const llvm::Instruction& at) const;
  bool is_number_of_warp(const llvm::Instruction& at) const;
  bool is_uniform_load(const llvm::LoadInst& load) const;
  static bool has_ways(const llvm::BasicBlock& block);
  void add(const llvm::Value& value);
  void add_joins(const llvm::BasicBlock& branch);
  void spread();

  Kernel& kernel_;
  UniformIn scope_;
  llvm::PostDominatorTree& ends_;
  std::set<const llvm::Value*> differing_;
  std::set<const llvm::BasicBlock*> divides_;
  llvm::SmallVector<const llvm::Value*, 64> work_;
};

}  // namespace warpfiber::regions
