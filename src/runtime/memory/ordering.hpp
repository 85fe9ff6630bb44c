// SPDX-License-Identifier: Apache-2.0
// Where memory operations meet streams: every copy and fill is a piece of work that is done in the order of a stream.
// Called by this folder.
#pragma once

#include <warpfiber/cuda/api/handles.h>
#include <warpfiber/error.hpp>

#include <functional>

namespace warpfiber::runtime {

/// Whether the caller goes on when the work is done, or when it has been handed over.
enum class Wait { no, yes };

/// Does `work` after what `stream` has to do already. An error if there is no such stream, or one of earlier work.
Error in_stream(cudaStream_t stream, std::function<void()> work, Wait wait);

/// Waits until the current device has nothing left to do.
Error wait_for_device();

/// The error that a kernel left behind and that stays until the current device is reset.
Error device_failure();

}  // namespace warpfiber::runtime
