// SPDX-License-Identifier: Apache-2.0
// Resets: of a device, which ends all that the program has there, and of all that the runtime keeps for the process;
// and leaks: memory of devices, and pinned memory, that is allocated and never freed, one note for each call that
// allocated it. WARPFIBER_LEAK_CHECK asks for them. Looked for when a device is reset, and at the end of the process.
#pragma once

#include <warpfiber/error.hpp>

#include <optional>

#include "record/diagnosis.hpp"

namespace warpfiber::runtime {

/// cudaDeviceReset: waits for the work of the current device, ends its streams, frees its memory, forgets its error and
/// what was set, and gives its variables the values they began with.
Error reset_device();

/// Frees everything that `device` has: memory, pinned memory, arrays, pools and what kernels have allocated.
void release_all(int device);

/// Brings the runtime to the state that main() finds: resets all devices, forgets what the calling thread has left and
/// what was reported, and reads the environment again at the next use. For tests: no other thread of the program uses
/// CUDA, and no object of the interface outlives the call. What stays: threads of the engine and their signal handlers,
/// checking once it has begun, numbers of operations, how often the program has asked for errors, and the handlers that
/// run when the process ends.
void reset_process();

/// Reports the allocations of a device, or of all devices, that were not freed. `end`: what takes the memory back.
/// Does nothing unless WARPFIBER_LEAK_CHECK asks for it. Not inside a kernel.
void report_leaks(record::Leak::End end, std::optional<int> device = std::nullopt);

/// The program frees `memory`. After the end of CUDA's runtime, in destructors of static objects, that is refused but
/// no leak.
void note_free(const void* memory);

}  // namespace warpfiber::runtime
