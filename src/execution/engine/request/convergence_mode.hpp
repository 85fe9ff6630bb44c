// SPDX-License-Identifier: Apache-2.0
// The option `convergence` of a launch and of the environment.
#pragma once

namespace warpfiber::engine {

/// Which lanes find themselves together (docs/semantics.md, "Convergence"). random_masks: some of them for
/// __activemask() and coalesced_threads(), all of them for what has no mask.
enum class Convergence { full, random, random_masks, none };

}  // namespace warpfiber::engine
