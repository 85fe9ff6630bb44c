// SPDX-License-Identifier: Apache-2.0
// The sentence or clause of a reason, and the driver's names of errors. Any thread may call. The texts are a table
// (templates.cpp); where the program sees one, in the message of an error, a finding or a line on standard error, it
// comes from here.
#pragma once

#include <warpfiber/error.hpp>

#include <string>
#include <string_view>

#include "record/reason.hpp"
#include "record/reason_kind.hpp"

namespace warpfiber::report {

/// Empty for no reason.
std::string reason_text(const record::Reason& reason);

/// The text of a reason without arguments. It lives for ever, and asking for it allocates nothing.
const char* fixed_text(record::ReasonKind kind);

/// The template of such a sentence or clause, for reasons.cpp and its tests: with {} in the place of each argument;
/// ends with a zero.
std::string_view template_of(record::ReasonKind kind);

/// What CUDA's driver interface calls an error: CUDA_ERROR_INVALID_VALUE. Null where the driver has no such error.
const char* driver_error_name(Error error);

/// What `function` calls the error that it returns: the driver's name where the function is the driver's.
const char* name_of_returned(std::string_view function, Error error);

}  // namespace warpfiber::report
