// SPDX-License-Identifier: Apache-2.0
//
// Findings as a JUnit report, which CI servers show: the program is a test case that fails when it does not end with 0,
// and so is every finding; only errors fail.
#pragma once

#include <string>

#include "tools/check/documents/merged.hpp"

namespace warpfiber::tools::check {

/// The XML document, ending in a newline. `program` names the test suite.
std::string render_junit(const Merged& merged, const std::string& program);

}  // namespace warpfiber::tools::check
