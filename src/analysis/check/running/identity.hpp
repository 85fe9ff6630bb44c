// SPDX-License-Identifier: Apache-2.0
// Which launch cells name, and which others nothing orders before it. Belongs to one launch.
#pragma once

#include "check/running/launches.hpp"
#include "check/running/numbering.hpp"
#include "record/launch_order.hpp"

namespace warpfiber::check {

class LaunchIdentity {
 public:
  LaunchIdentity(const ThreadNumbering& numbering, const record::LaunchOrder& order);

  /// As cells name it.
  unsigned number() const { return number_; }
  /// The launch among the program's operations.
  const record::LaunchOrder& order() const { return order_; }
  /// Whether all operations that were asked for before it are ordered before it.
  bool follows_all() const { return follows_all_; }
  /// Whether no concurrent launch can have touched what it touches.
  bool is_alone() const { return follows_all_ && !overtaken_ && launches_begun() == begun_; }
  /// Whether nothing orders that launch, which has begun, before this one.
  bool is_concurrent(unsigned launch);
  /// It goes on with another number.
  void renew();

 private:
  void take_number();

  const ThreadNumbering& numbering_;
  record::LaunchOrder order_;
  unsigned number_ = 0;
  bool follows_all_;
  bool overtaken_ = false;   // launches that were asked for later had begun before it
  std::uint64_t begun_ = 0;  // how many launches had, when this one had
  LaunchSet concurrent_;     // of the `known_` first
  std::uint64_t known_ = 0;
};

}  // namespace warpfiber::check
