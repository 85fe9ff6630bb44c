// SPDX-License-Identifier: Apache-2.0
// Where memory operations meet streams: every copy and fill is a piece of work that is done in the order of a stream.
// Called by this folder.
#pragma once

#include <warpfiber/cuda/api/handles.h>
#include <warpfiber/error.hpp>

#include "streams/operation.hpp"

namespace warpfiber::device_memory {

/// When the caller goes on.
enum class Wait {
  no,
  yes,         // when the work is done, and the program may rely on it
  unpromised,  // when the work is done, of which CUDA promises nothing, so it orders nothing
};

/// Carries out `operation`, one on memory, after what `stream` has to do already. An error if there is no such stream,
/// or one of earlier work.
Error in_stream(cudaStream_t stream, streams::OperationData operation, Wait wait);

/// Waits until the current device has nothing left to do.
Error wait_for_device();

/// The error that a kernel left behind and that stays until the current device is reset.
Error device_failure();

}  // namespace warpfiber::device_memory
