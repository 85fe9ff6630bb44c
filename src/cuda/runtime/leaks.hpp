// SPDX-License-Identifier: Apache-2.0
// Memory of devices, and pinned memory, that is allocated and never freed: one note for each call that allocated it.
// WARPFIBER_LEAK_CHECK asks for them. Looked for when a device is reset, and at the end of the process.
#pragma once

#include <optional>

#include "record/diagnosis.hpp"

namespace warpfiber::runtime {

/// Reports the allocations of a device, or of all devices, that nobody has freed. `end`: what takes the memory back.
/// Does nothing unless WARPFIBER_LEAK_CHECK asks for it. Not inside a kernel.
void report_leaks(record::Leak::End end, std::optional<int> device = std::nullopt);

/// The program frees `memory`. After the end of CUDA's runtime, in destructors of static objects, that is refused but
/// no leak.
void note_free(const void* memory);

}  // namespace warpfiber::runtime
