// SPDX-License-Identifier: Apache-2.0
// What has gone wrong on each of the simulated devices. An error of a kernel stays with its device until
// cudaDeviceReset: every later call returns it. Any thread may call.
#pragma once

#include <warpfiber/error.hpp>

namespace warpfiber::runtime {

inline constexpr int kMostDevices = 64;

/// What every call concerning `device` returns until it is reset; success while nothing has gone wrong.
Error device_error(int device);

/// Whether the device stays unusable after `error`, which a kernel has left: every later call returns it.
bool stays(Error error);

/// A kernel or a transfer of `device` ended with `error`. Those that leave a real device unusable stay; others are told
/// by the next synchronisation.
void report_device_error(int device, Error error);

/// An error that did not stay, once.
Error take_passing_error(int device);

/// The first thing that every function of CUDA's does: notes that the calling OS thread uses CUDA, and returns what
/// keeps the call from going on: an error of the current device, Error::not_permitted inside a host function of a
/// stream, Error::cudart_unloading when the process is about to end.
Error enter_call();

/// Of a device that is reset.
void forget_device_errors(int device);

/// cudaPeekAtLastError and cudaGetLastError: what calls of this OS thread have returned. They do not look at the
/// device, so a kernel that has failed meanwhile does not show before another call has met its error, and an error that
/// stays is told once for each call that meets it (measured on an H200).
Error peek_error();
Error take_error();

}  // namespace warpfiber::runtime
