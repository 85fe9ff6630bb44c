// SPDX-License-Identifier: Apache-2.0
//
// The source of profiled kernels, with how often each line was executed at its left.
#pragma once

#include <string>

#include "tools/profile/table.hpp"

namespace warpfiber::tools::profile {

/// A listing a kernel and file. Reads the files, relative to the working directory; says so where one cannot be read.
std::string to_source(const ProfileDocument& document);

}  // namespace warpfiber::tools::profile
