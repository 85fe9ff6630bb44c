// SPDX-License-Identifier: Apache-2.0
// What memory the host has: how much it can still give, since simulated devices may have more than the machine, and
// where there is some.
#pragma once

#include <cstddef>
#include <string>

namespace warpfiber::device_memory {

/// Bytes that can be used without pressing other memory out: what Linux calls MemAvailable, within the limit of the
/// control group. The largest number where the system does not say.
std::size_t available_host_bytes();

/// MemAvailable of a text like /proc/meminfo, in bytes; the largest number where it is missing.
std::size_t available_in_meminfo(const std::string& text);

/// Of `bytes` from an address, those in pages that nobody has touched yet; 0 where the system does not say.
std::size_t absent_bytes(const void* memory, std::size_t bytes);

/// Whether the process has memory at each of these addresses; such as nobody may read or write counts.
bool is_mapped(const void* memory, std::size_t bytes);

}  // namespace warpfiber::device_memory
