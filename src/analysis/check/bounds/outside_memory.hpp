// SPDX-License-Identifier: Apache-2.0
// Accesses outside of the device space: variables of device 0, which are the program's own, stacks, memory of the host.
// Belongs to one worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/bounds/object_bounds.hpp"
#include "check/cells/sites.hpp"
#include "check/objects/reachable_memory.hpp"
#include "check/running/violation_log.hpp"
#include "memory/objects.hpp"

namespace warpfiber::check {

/// Whose stack an address is on, as a thread's rank in its block; the checker asks the engine.
using StackOwner = std::function<std::optional<unsigned>(const void* address)>;
/// Where that is in a frame of the thread, which waits.
using AskStackFrame = std::function<record::StackFrame(const void* address)>;

/// Where that is in a stack that no resident thread has.
using AskLeftStack = std::function<std::optional<record::LeftStack>(const void* address)>;

/// Memory that is no object of a device, and who accesses it.
struct HostMemory {
  bool of_library = false;     // the library itself does, to what it keeps there; whatever the instruction accesses
  bool is_judged = false;      // no device reaches it; else the access is right, or nothing is known
  const char* base = nullptr;  // of the variable of the host that lies there; null where none is known
  std::size_t bytes = 0;
  std::string name{};
  std::string file{};
  unsigned line = 0;
};
/// What is at the address of an access by `instruction`; `in_program`: in data of the program or of a library. The
/// checker asks the layer above, which reads debug information.
using AskHostMemory = std::function<HostMemory(const void* address, bool in_program, const void* instruction)>;

/// What is to become of an access outside of the device space.
enum class OutsideJudgement {
  allowed,
  left_out,
  fails,  // is left out, and the launch has failed: no device reaches the memory
};

class OutsideMemory {
 public:
  /// A variable of the device outside of the device space.
  struct Variable {
    const char* begin = nullptr;
    const char* end = nullptr;
    bool is_constant = false;
  };

  /// Without `host_memory`, data of the program and of libraries is anybody's.
  OutsideMemory(RunningThread& running, ViolationLog& log, ObjectBounds& bounds, const ReachableMemory& reach,
                StackOwner stack_owner, AskStackFrame stack_frame, AskLeftStack left_stack, AskHostMemory host_memory);

  /// Null where there is none.
  const Variable* variable_at(const void* address);
  /// Whether a plain access to a word there is judged as one in the device space, of which not all is known.
  bool is_word_of_variable(const void* address, bool write) const {
    const Variable* known = known_variable(address);
    return known != nullptr && static_cast<const char*>(address) + kWordBytes <= known->end &&
           !(write && known->is_constant);
  }

  /// Whether no variable is there, but an argument of the launch.
  bool is_argument(const void* address) const {
    return reachable_.is_argument(address) && !shadow.covers_also(address);
  }

  /// The engine itself judges accesses there.
  void ignore(const char* from, std::size_t bytes) {
    ignored_ = from;
    ignored_end_ = from + bytes;
  }
  /// Whether an access at `address`, where no variable is, needs no further look.
  bool is_harmless(const void* address, std::size_t bytes) const;
  /// Whether the library itself makes the accesses of the site, as was found before.
  bool is_of_library(unsigned site) const { return site < of_library_.size() && of_library_[site]; }
  /// Judges an access of the running thread that is not harmless.
  OutsideJudgement check(const void* address, std::size_t bytes, const Use& use, const void* instruction,
                         unsigned site);
  /// The running thread is about to read this pointer to its own stack, which a thread has left there that has ended.
  void note_left_pointer(const void* pointer) {
    left_pointer_ = {running_.thread(), static_cast<const char*>(pointer)};
  }
  bool has_left_pointer() const { return left_pointer_.to != nullptr; }
  /// One look at each site is enough.
  bool is_first_look(unsigned site);

 private:
  struct LeftPointer {
    std::uint64_t thread = 0;  // that has read it
    const char* to = nullptr;
  };
  struct NoVariable {
    const void* address = nullptr;
    std::uint64_t generation = 0;
  };
  static constexpr unsigned kKnownVariables = 4;
  static constexpr unsigned kNoVariables = 32;

  const Variable* known_variable(const void* address) const {
    const auto* at = static_cast<const char*>(address);
    for (const Variable& known : variables_) {
      if (at >= known.begin && at < known.end) return &known;
    }
    return nullptr;
  }
  void check_own_stack(const void* address, std::size_t bytes, const Use& use, unsigned site);
  OutsideJudgement check_left_stack(const record::LeftStack& left, const void* address, std::size_t bytes,
                                    const Use& use, unsigned site);
  OutsideJudgement check_host_memory(const void* address, std::size_t bytes, const Use& use, const void* instruction,
                                     unsigned site);
  OutsideJudgement refuse_unmapped(const void* address, std::size_t bytes, const Use& use, unsigned site);

  RunningThread& running_;
  ViolationLog& log_;
  ObjectBounds& bounds_;
  const ReachableMemory& reachable_;
  StackOwner stack_owner_;
  AskStackFrame stack_frame_;
  AskLeftStack left_stack_;
  AskHostMemory host_memory_;
  // Variables that were looked up last, and addresses where none was found.
  Variable variables_[kKnownVariables];
  unsigned variable_ = 0;  // the last that was looked up
  NoVariable no_variables_[kNoVariables];
  std::vector<bool> looked_at_;   // sites that have touched a red zone, and calls that promise an alignment
  std::vector<bool> of_library_;  // by sites: what they access is the library's
  LeftPointer left_pointer_{};    // null once the thread has used its stack again
  // What was found to be right last: an object of the host and the device, constants.
  memory::AddressRange harmless_{};
  std::uint64_t harmless_since_ = 0;  // objects_generation() then
  const char* ignored_ = nullptr;
  const char* ignored_end_ = nullptr;
};

}  // namespace warpfiber::check
