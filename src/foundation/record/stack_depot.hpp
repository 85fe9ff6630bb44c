// SPDX-License-Identifier: Apache-2.0
// The stacks that findings and shadow cells name: each sequence of return addresses is kept once for the process, and
// who needs one keeps its number. Never forgotten, because cells and findings outlive launches; programs have few ways
// to come to a place. Any thread may call, but none on a path that accesses take every time: it locks and may allocate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "base/process/service.hpp"

namespace warpfiber::record {

/// The number of a stack. Equal numbers, equal addresses, and the other way round.
enum class StackId : std::uint32_t { none = 0 };

class StackDepot {
 public:
  using Addresses = std::span<const std::uintptr_t>;

  static StackDepot& of_process();

  /// `returns`: return addresses, innermost first. StackId::none where there are none.
  StackId add(Addresses returns);

  /// The addresses, which stay where they are for ever.
  Addresses at(StackId id) const;

 private:
  struct Same {
    using is_transparent = void;
    bool operator()(Addresses one, Addresses other) const;
    std::size_t operator()(Addresses returns) const;  // a hash
  };

  static base::Service<StackDepot> the_process_;

  mutable base::Mutex mutex_;
  std::unordered_map<std::vector<std::uintptr_t>, StackId, Same, Same> ids_ WARPFIBER_GUARDED_BY(mutex_);
  std::vector<Addresses> stacks_ WARPFIBER_GUARDED_BY(mutex_){Addresses()};  // by number
};

inline StackDepot& StackDepot::of_process() {
  return the_process_.get();
}

}  // namespace warpfiber::record
