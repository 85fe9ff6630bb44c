// SPDX-License-Identifier: Apache-2.0
// Attributes of streams. All but the priority say something about hardware that is not simulated, caches or a host
// thread that waits, so they are checked, kept and returned. Any thread may call.
#pragma once

#include <warpfiber/cuda/api/types.h>
#include <warpfiber/error.hpp>

#include "streams/scheduler.hpp"

namespace warpfiber::streams {

Error stream_attribute(Stream* handle, cudaLaunchAttributeID attribute, cudaLaunchAttributeValue* value);
Error set_stream_attribute(Stream* handle, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue* value);
/// Both streams belong to one device.
Error copy_stream_attributes(Stream* to, Stream* from);

}  // namespace warpfiber::streams
