// SPDX-License-Identifier: Apache-2.0
// Through which calls a thread has come to where it stands. Two lanes at one line are not together when a function was
// called from both sides of a branch; lanes whose code the compiler has copied (an unrolled loop, the claiming loop)
// are. Addresses cannot distinguish these, debug information can, so it is asked when addresses differ; where
// there is none, lanes at one line count as together.
// Belongs to one worker.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fiber/trails.hpp"
#include "record/stack_depot.hpp"

namespace warpfiber::engine {

/// A call in the source.
struct SourceCall {
  std::string file{};
  unsigned line = 0;
  unsigned column = 0;

  friend bool operator==(const SourceCall&, const SourceCall&) = default;
};

struct CallPath {
  record::StackId stack;                                   // the return addresses
  mutable std::optional<std::vector<SourceCall>> calls{};  // outermost first, from the kernel on; empty: not known
};

class CallPaths {
 public:
  /// The path of the caller of the function whose frame address `frame` is, on a stack that ends at `high`. The same
  /// object for the same return addresses, for as long as this lives.
  const CallPath* path_to(const char* frame, const char* high) {
    // Lanes come by the same calls one after the other.
    if (latest_ != nullptr && latest_->trail.leads_from(frame, static_cast<std::size_t>(high - frame)))
      return latest_->path;
    return way_to(frame, high).path;
  }
  /// The same, and how to know it again; until the next question.
  struct Way {
    const CallPath* path;
    const fiber::Trail* trail;
  };
  Way way_to(const char* frame, const char* high);

  /// Whether both may be the same calls.
  bool same(const CallPath& a, const CallPath& b);
  /// Whether debug information has both.
  bool are_known(const CallPath& a, const CallPath& b);
  /// Of known paths: whether `a` leads to an earlier place of the source file in which the paths part.
  bool precedes(const CallPath& a, const CallPath& b);

 private:
  struct Known {
    fiber::Trail trail{};
    const CallPath* path = nullptr;
  };
  // Paths that differ only further up than their last call share a set.
  static constexpr std::size_t kSets = 64;  // a power of two
  static constexpr std::size_t kTrailsOfSet = 8;
  struct Set {
    std::array<Known, kTrailsOfSet> known;
    std::size_t next = 0;  // to be replaced
  };

  const std::vector<SourceCall>& calls_of(const CallPath& path);

  const Known* latest_ = nullptr;  // looked up
  std::map<record::StackId, CallPath> paths_;
  std::array<Set, kSets> sets_;
};

}  // namespace warpfiber::engine
