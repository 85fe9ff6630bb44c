// SPDX-License-Identifier: Apache-2.0
// What the value of a condition in a loop comes from, through registers and through memory that the loop writes.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <string>
#include <vector>

#include "regions/kernel.hpp"

namespace warpfiber::regions {

/// Of one loop.
class Dependences {
 public:
  Dependences(const Kernel& kernel, const llvm::Loop& loop, const llvm::PostDominatorTree& ends);

  /// Whether `condition` changes only when somebody writes memory that no code of the loop writes: it depends on such
  /// memory, and on nothing that is another value from pass to pass.
  bool is_decided_outside(llvm::Value* condition);

  using Set = llvm::SetVector<llvm::Instruction*>;

  /// Adds what decides by which way a phi has been reached.
  void add_conditions(llvm::PHINode& phi, Set& found) const;

 private:
  void note_writers();
  std::string object_of(const llvm::Value* address, unsigned depth) const;
  std::vector<std::string> objects_of(const llvm::Value* address) const;
  bool is_outside(llvm::Instruction& load) const;
  void add(llvm::Value* value, Set& found) const;
  void add_controls(llvm::BasicBlock& block, Set& found) const;
  void add_sources(llvm::Instruction& at, Set& found) const;
  /// All that `from` comes from, itself left out unless it comes from itself.
  Set sources_of(const Set& from) const;
  bool comes_from_itself(llvm::Instruction& at) const;
  bool may_stay(const llvm::PHINode& state) const;

  const Kernel& kernel_;
  const llvm::Loop& loop_;
  const llvm::PostDominatorTree& ends_;
  std::map<std::string, std::vector<llvm::Instruction*>> writers_;  // of the loop, by object
};

}  // namespace warpfiber::regions
