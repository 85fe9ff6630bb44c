// SPDX-License-Identifier: Apache-2.0
// The list of the process. A launch reads it without a lock, because it does not change while launches run.
#include "runtime/observing/observers.hpp"

#include <vector>

#include "runtime/state/runtime_state.hpp"

namespace warpfiber::runtime {
namespace {

std::vector<record::ObserverFactory*>& observers() {
  return RuntimeState::of_process().launch_observers.get();
}

}  // namespace

void add_launch_observer(record::ObserverFactory& observer) {
  observers().push_back(&observer);
}

void remove_launch_observer(record::ObserverFactory& observer) {
  std::erase(observers(), &observer);
}

std::span<record::ObserverFactory* const> launch_observers() {
  return observers();
}

}  // namespace warpfiber::runtime
