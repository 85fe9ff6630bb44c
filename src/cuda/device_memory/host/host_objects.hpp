// SPDX-License-Identifier: Apache-2.0
// Objects of the host program's own, which copies go to and come from: allocations of malloc() and new, static
// variables, local variables of the calling function. As far as a checked program and its debug information say.
#pragma once

#include <cstddef>
#include <optional>

#include "record/reason.hpp"

namespace warpfiber::device_memory {

struct HostObject {
  const char* base = nullptr;
  std::size_t bytes = 0;
  record::Reason what{};  // "the host's allocation of 128 bytes", "h, a variable of 128 bytes"
};

/// The object that `at` is in, where `bytes` from there are not all in it; none where that is not known. Slow the first
/// time, where it is no allocation; not inside a kernel.
std::optional<HostObject> exceeded_host_object(const void* at, std::size_t bytes);

}  // namespace warpfiber::device_memory
