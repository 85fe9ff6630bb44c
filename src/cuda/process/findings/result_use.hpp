// SPDX-License-Identifier: Apache-2.0
// Whether a statement of the user's source uses what a call returns. Read from the text, because no compiled program
// says so at every level of optimisation. Any thread may call.
#pragma once

#include <string>
#include <string_view>

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::process {

enum class ResultUse {
  unknown,    // the source cannot be read, or does not name the function at that line: a macro does
  used,       // tested, stored, returned or passed on
  discarded,  // the call is a statement by itself, also behind (void)
};

/// What the text around `at`, the index of the function's name in `source`, does with the result. Comments are blanks.
ResultUse result_use(std::string_view source, std::size_t at, std::string_view function);

/// The same for the call of `function` at a line of a file.
ResultUse result_use(std::string_view function, const record::Place& place, report::SourceText& sources);

}  // namespace warpfiber::process
