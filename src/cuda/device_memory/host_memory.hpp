// SPDX-License-Identifier: Apache-2.0
// What memory the host has: how much it can still give, since simulated devices may have more than the machine, and
// where there is some; and the host program's own objects in it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "record/reason.hpp"

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

// Objects of the host program's own, which copies go to and come from: allocations of malloc() and new, static
// variables, local variables of the calling function. As far as a checked program and its debug information say.

struct HostObject {
  const char* base = nullptr;
  std::size_t bytes = 0;
  record::Reason what{};  // "the host's allocation of 128 bytes", "h, a variable of 128 bytes"
};

/// The object that `at` is in, where `bytes` from there are not all in it; none where that is not known. Slow the first
/// time, where it is no allocation; not inside a kernel.
std::optional<HostObject> exceeded_host_object(const void* at, std::size_t bytes);

}  // namespace warpfiber::device_memory
