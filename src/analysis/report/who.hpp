// SPDX-License-Identifier: Apache-2.0
//
// Names for the members of a finding, as a CUDA programmer says them: "block (0,0,0) … (131,0,0), thread 0 of each",
// "lanes 16-31 of warp 2". Pure functions. The engine uses them for the sentences of a finding.
#pragma once

#include <string>

#include "record/finding.hpp"

namespace warpfiber::report {

/// "28 blocks", "33,660 threads", "1 thread", "the host"; one thread each of many blocks counts as these blocks.
std::string count_text(const record::Members& members);

/// Which ones. The block is left out where the launch has only one. Empty if the members do not say.
std::string who_text(const record::Members& members, const record::LaunchFacts& launch);

}  // namespace warpfiber::report
