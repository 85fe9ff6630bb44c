// SPDX-License-Identifier: Apache-2.0
// Values that shuffles bring from lanes outside their masks, from the call to the store or index that uses them; the
// values themselves are followed by UndefinedValues. Belongs to one worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>

#include "check/values/undefined.hpp"
#include "check/violations/violations.hpp"

namespace warpfiber::check {

class LaneValues {
 public:
  explicit LaneValues(Violations& violations) : violations_(violations) {}

  /// Whether no such value has been given.
  bool none() const { return undefined_.none(); }

  /// A shuffle at `now.site` takes from lane `source`, outside of `mask`, which it names itself or comes to by
  /// counting.
  void foreign_lane(const ShuffleCaller& caller, std::uint64_t mask, unsigned source, bool named, const Side& now);
  /// The bits that the caller of the shuffle at `site` gets.
  std::uint64_t give(const ShuffleCaller& caller, unsigned site, const Operand& operand) {
    return undefined_.give(caller, site, operand);
  }
  void offer(const ShuffleCaller& caller, const Operand& operand) { undefined_.offer(caller, operand); }
  void receive(const ShuffleCaller& caller, const Operand& operand, std::uint64_t value) {
    undefined_.receive(caller, operand, value);
  }

  /// Memory holds now what the thread's store is about to replace.
  void begin_store(std::uint64_t thread, const void* address, std::size_t bytes);
  /// The last store is done: is its value made of such a one?
  void end_store();
  /// Whether the thread has come to `address` because it took such a value for an index from where `is_object` says
  /// that something is. Then that is the defect.
  bool lead_to(std::uint64_t thread, const char* address, const std::function<bool(const char*)>& is_object);
  /// These threads have ended.
  void forget(std::uint64_t first, std::uint64_t last) { undefined_.forget(first, last); }

 private:
  struct Store {
    std::uint64_t thread = 0;
    const void* address = nullptr;  // null: none
    std::size_t bytes = 0;
    std::uint64_t before = 0;  // what was there
  };
  struct NamedLane {
    std::uint64_t thread = 0;
    unsigned source = 0;
  };

  bool is_meant(const ShuffleCaller& caller, unsigned source, unsigned site);

  Violations& violations_;
  UndefinedValues undefined_;
  Store store_;                                               // the last, while there are such values
  std::unordered_map<std::uint64_t, NamedLane> named_lanes_;  // outside of masks, by warp and site, the last
};

}  // namespace warpfiber::check
