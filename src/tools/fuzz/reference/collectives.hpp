// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/fuzz/reference/party.hpp"

namespace warpfiber::tools::fuzz::reference {

/// What a function of one thread computes.
std::uint64_t computed(Arithmetic how, std::uint64_t a, std::uint64_t b);

/// Shuffles, votes, matches, reductions and scans.
ThreadResults collected(const ReferenceGroup& party, const Node& node);

}  // namespace warpfiber::tools::fuzz::reference
