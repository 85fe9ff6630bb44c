// SPDX-License-Identifier: Apache-2.0
// Where the wait for an asynchronous copy belongs, and why one that is there does not wait for it.
#pragma once

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// Sets `why` and `fix` of an access before a copy was complete, where the lines show what is wrong.
void explain_copy_wait(record::Finding& finding, SourceText& sources);

}  // namespace warpfiber::report
