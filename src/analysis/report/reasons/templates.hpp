// SPDX-License-Identifier: Apache-2.0
//
// Templates of the sentences and clauses that are made of reasons. Used by reasons.cpp alone, and by its tests.
#pragma once

#include <string_view>

#include "record/reason_kind.hpp"

namespace warpfiber::report {

/// With {} in the place of each argument; ends with a zero.
std::string_view template_of(record::ReasonKind kind);

}  // namespace warpfiber::report
