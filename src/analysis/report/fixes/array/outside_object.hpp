// SPDX-License-Identifier: Apache-2.0
// For which object the index of an access is that lies outside of every object: what the line calls it, and not what
// happens to be next to the address.
#pragma once

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// Has the finding be about the object that the line indexes. Where that cannot be read from the source, and nothing is
/// near the address, it is about no object. Called once places have lines, and before explain().
void name_outside_object(record::Finding& finding, SourceText& sources);

}  // namespace warpfiber::report
