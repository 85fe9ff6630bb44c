// SPDX-License-Identifier: Apache-2.0
// Whether a statement of the user's source uses what a call returns. Read from the text, because no compiled program
// says so at every level of optimisation. And whether a program looks at the errors of its kernels. Any thread may
// call.
#pragma once

#include <warpfiber/error.hpp>

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

// Whether a program that is not checked looks at the errors of its kernels. One that does not ends with the exit code
// of a program with findings (docs/checking.md, "Exit code"). Any thread may call, never inside a kernel.

/// A kernel of a CUDA source failed.
void note_kernel_failure();

/// The call of CUDA's runtime in progress returns `error`. If a kernel has caused it, the source at the call decides
/// whether the program looks at it.
void note_returned_error(const char* function, Error error);

/// Whether a kernel failed, and since then the program has asked for no error and discarded what its calls returned.
bool kernel_failure_is_ignored();

}  // namespace warpfiber::process
