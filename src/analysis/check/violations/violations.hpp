// SPDX-License-Identifier: Apache-2.0
// What the checker has seen go wrong in a launch, folded: the first instance of each kind at each pair of instructions,
// and how many more there were. Findings are made of it when the launch is over, because names and lines take more
// stack than a thread has. Belongs to one worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "check/cells/word.hpp"
#include "check/order/hand_overs.hpp"
#include "record/stack_frame.hpp"

namespace warpfiber::check {

struct BegunLaunch;

enum class ViolationKind : unsigned char {
#define WARPFIBER_VIOLATION(name, ...) name,
#define WARPFIBER_VIOLATION_IN_CONTEXT(name) name,
#include "check/violations/kinds.inc"
};

/// The space of the memory concerned.
enum class Space : unsigned char { global, shared, peer_shared, local, host, none };

struct Side {
  std::uint64_t thread = 0;  // its block's rank times the threads of a block, and its rank there
  std::uint32_t time = 0;    // logical, of the thread
  unsigned launch = 0;       // as cells name it
  unsigned site = 0;
  bool write = false;
  bool strong = false;
  Scope scope = Scope::device;
  std::uint64_t around = 0;  // the access's surroundings (values.hpp) with what it wrote or read
  bool has_value = false;    // `around` is known
};

/// The memory as it was called when the violation was seen.
struct MemoryPlace {
  Space space = Space::none;
  std::string name{};
  std::string type{};
  const void* type_pointer = nullptr;  // by which debug information is asked of the type
  std::string file{};
  unsigned line = 0;
  const void* made_by = nullptr;
  const void* freed_by = nullptr;
  std::uint64_t offset = 0;
  std::uint64_t extent = 0;
  bool constant = false;  // __constant__
  bool dynamic = false;   // dynamic shared memory
};

struct Violation {
  ViolationKind kind{};
  Side earlier{};
  Side now{};
  std::shared_ptr<const BegunLaunch> earlier_launch{};  // of the earlier side, where it may be over for long
  bool two_sides = false;
  const void* address = nullptr;
  const void* highest = nullptr;  // of the addresses that are folded into the violation, outside of an object
  unsigned size = 0;
  MemoryPlace place{};
  std::uint64_t value = 0;  // of a collective: the lane that it takes from, the mask of the
                            // earlier side, or the line where lanes asked who is active; of the
                            // local variable of an ended thread: the kernel
  std::uint64_t mask = 0;   // of a collective
  std::string detail{};     // of a conversion: what is converted to what; of a rank: which, and of how many
  std::uint64_t repeats = 0;
  bool fails = false;          // no device does the access, which was left out: the launch has failed
  bool is_explained = false;   // by what the processor's fault says
  bool to_global = false;      // moved to there, not only to shared memory
  bool by_copies = true;       // and only by functions that load and store, as memcpy()
  bool begins_inside = false;  // outside of an object: the access begins in it and runs over its end
  // Of a race:
  std::optional<HandOverFound> hand_over{};
  MemoryPlace hand_over_place{};                  // of its word
  std::optional<std::uint64_t> pointers_apart{};  // bytes between two arguments of the kernel that reach the object
  std::vector<record::StackFrame> frames{};       // that another thread's local variable may be in
  std::vector<MemoryPlace> shared{};              // outside of every object: the objects of the block's shared memory
  unsigned index_site = 0;  // of an index outside its array that a side had shortly before; 0: none
};

/// For a violation of a new kind, and for one that becomes another: debuggers may stop.
void announce_violation(ViolationKind kind);

class Violations {
 public:
  static constexpr std::size_t kMost = 512;                // kinds that are kept
  static constexpr std::size_t kMostCounted = 16 * kMost;  // and that are distinguished when they are only counted
  static constexpr unsigned kMostWays = 8;  // of calls that lead to one pair of instructions, distinguished

  /// A place for a violation that is new; null where it was counted, or there are too many.
  Violation* add(ViolationKind kind, unsigned earlier_site, unsigned site);
  /// The violation of this kind becomes one of another; null where there is none.
  Violation* turn(ViolationKind kind, unsigned earlier_site, unsigned site, ViolationKind into);
  /// What add() or turn() was last asked for; null before that.
  const Violation* last() const { return last_ < violations_.size() ? &violations_[last_] : nullptr; }
  Violation* last() { return last_ < violations_.size() ? &violations_[last_] : nullptr; }
  const std::vector<Violation>& all() const { return violations_; }
  std::vector<Violation>& all() { return violations_; }
  /// How many kinds there were beyond kMost.
  std::uint64_t dropped() const { return dropped_; }
  void clear();

 private:
  static std::uint64_t key(ViolationKind kind, unsigned earlier_site, unsigned site) {
    return static_cast<std::uint64_t>(kind) << 2 * kSiteBits | std::uint64_t{earlier_site} << kSiteBits | site;
  }

  struct SiteGroup {  // at two instructions, whatever led there
    std::size_t first = 0;
    unsigned ways = 0;
  };

  std::size_t place_in_group(std::uint64_t kind);

  std::unordered_map<std::uint64_t, std::size_t> places_;
  std::unordered_map<std::uint64_t, SiteGroup> groups_;
  std::vector<Violation> violations_;
  std::uint64_t dropped_ = 0;
  std::size_t last_ = ~std::size_t{0};  // place of the last violation that was added or counted
};

}  // namespace warpfiber::check
