// SPDX-License-Identifier: Apache-2.0
//
// The sentence or clause of a reason. The texts are a table (templates.cpp); where the program sees one, in the message
// of an error, a finding or a line on standard error, it comes from here.
#pragma once

#include <string>

#include "record/reason.hpp"

namespace warpfiber::report {

/// Empty for no reason.
std::string reason_text(const record::Reason& reason);

/// The text of a reason without arguments. It lives for ever, and asking for it allocates nothing.
const char* fixed_text(record::ReasonKind kind);

}  // namespace warpfiber::report
