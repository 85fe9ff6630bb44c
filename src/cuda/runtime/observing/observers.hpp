// SPDX-License-Identifier: Apache-2.0
// Who observes the launches of the process, apart from the checker.
#pragma once

#include <span>

#include "record/observer.hpp"

namespace warpfiber::runtime {

/// Launches that are asked for from now on are observed, until the observer is removed. Not while launches run.
void add_launch_observer(record::ObserverFactory& observer);
void remove_launch_observer(record::ObserverFactory& observer);

/// Valid until one is added or removed.
std::span<record::ObserverFactory* const> launch_observers();

}  // namespace warpfiber::runtime
