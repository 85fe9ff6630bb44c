// SPDX-License-Identifier: Apache-2.0
// Threads of two roles, such as producers and consumers, that hand memory to each other by barriers in memory: one role
// arrives when it is done, the other waits for that. A race between them has to do with that barrier, and not with one
// of the whole block, which they do not come to together.
#pragma once

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// Sets `why` and `fix` of a race between such roles; false if the source shows none.
bool explain_roles(record::Finding& finding, SourceText& sources);

/// Whether a thread that waits at `line` waits for a barrier by which the roles of the race hand over.
bool is_wait_of_roles(const record::Finding& race, unsigned line, SourceText& sources);

}  // namespace warpfiber::report
