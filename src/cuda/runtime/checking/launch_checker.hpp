// SPDX-License-Identifier: Apache-2.0
// The checker as the engine's observer of launches (record/observer.hpp), with what it has to ask of debug information.
#pragma once

#include "record/observer.hpp"

namespace warpfiber::runtime {

/// Makes a checker for each worker of launches that are checked. Any thread may call.
record::ObserverFactory& launch_checkers();

}  // namespace warpfiber::runtime
