// SPDX-License-Identifier: Apache-2.0
// Where debuggers stop a program whose launch fails.
#pragma once

#include "record/verdict.hpp"

namespace warpfiber::step {

/// A finding ends a launch, and no other has before: debuggers may stop.
void announce_failure(record::Verdict verdict);

}  // namespace warpfiber::step
