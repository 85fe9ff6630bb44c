// SPDX-License-Identifier: Apache-2.0
// How much memory the host can still give: simulated devices may have more than the machine.
#pragma once

#include <cstddef>
#include <string>

namespace warpfiber::runtime {

/// Bytes that can be used without pressing other memory out: what Linux calls MemAvailable, within the limit of the
/// control group. The largest number where the system does not tell.
std::size_t available_host_bytes();

/// MemAvailable of a text like /proc/meminfo, in bytes; the largest number where it is missing.
std::size_t available_in_meminfo(const std::string& text);

}  // namespace warpfiber::runtime
