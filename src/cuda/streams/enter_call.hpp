// SPDX-License-Identifier: Apache-2.0
// What functions of CUDA's do first, and what they return of errors that this OS thread has met. Any thread may call.
#pragma once

#include <warpfiber/error.hpp>

namespace warpfiber::streams {

/// The first thing that every function of CUDA's does: notes that the calling OS thread uses CUDA, and returns what
/// keeps the call from going on: an error of the current device, Error::not_permitted inside a host function of a
/// stream, Error::cudart_unloading when the process is about to end.
Error enter_call();

/// cudaPeekAtLastError and cudaGetLastError: what calls of this OS thread have returned. They do not look at the
/// device, so a kernel that has failed meanwhile does not show before another call has met its error, and an error that
/// stays is returned once for each call that meets it (measured on an H200).
Error peek_error();
Error take_error();

}  // namespace warpfiber::streams
