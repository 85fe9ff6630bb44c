// SPDX-License-Identifier: Apache-2.0
// A file that is read as a whole: an endless one, such as /dev/zero, is refused at a limit.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.hpp"

namespace warpfiber::base {

/// What is in a file of at most so many MiB. The failure says why it cannot be read, without
/// its name: "No such file or directory", "File too large".
Result<std::string> read_input(const std::string& path, std::size_t most_mib);

}  // namespace warpfiber::base
