// SPDX-License-Identifier: Apache-2.0
// Errors of CUDA's calls: the last one of each OS thread, those that stay with a device until it is reset, and what
// calls return in a child that fork() has made. Any thread may call.
#pragma once

#include <warpfiber/error.hpp>

#include <atomic>

namespace warpfiber::process {

// The last error of each OS thread's calls, which cudaGetLastError returns and forgets.

/// Keeps `error` unless it is success, and returns it.
Error remember(Error error);

/// cudaPeekAtLastError and cudaGetLastError, as far as they concern the calling OS thread.
Error peek_last_error();
Error take_last_error();

/// Puts back what peek_last_error() has returned: functions of the driver leave no error.
void restore_last_error(Error error);

// What has gone wrong on each of the simulated devices. An error of a kernel stays with its device until
// cudaDeviceReset: every later call returns it.

inline constexpr int kMostDevices = 64;

/// What is kept for one device.
struct DeviceErrorState {
  std::atomic<Error> staying{Error::success};  // until a reset
  std::atomic<Error> passing{Error::success};  // until the next synchronisation
};

/// What every call concerning `device` returns until it is reset; success while nothing has gone wrong.
Error device_error(int device);

/// Whether the device stays unusable after `error`, which a kernel has left: every later call returns it.
bool stays(Error error);

/// A kernel or a transfer of `device` ended with `error`. Those that leave a real device unusable stay; others are
/// returned by the next synchronisation.
void report_device_error(int device, Error error);

/// An error that did not stay, once.
Error take_passing_error(int device);

/// Of a device that is reset.
void forget_device_errors(int device);

/// Calls of CUDA in a child that fork() has made of a process that used CUDA: as with CUDA, all fail. Returns
/// Error::initialization_error, which is also the thread's last error. The first call says on standard error that it is
/// `function` which fails, and why.
Error refuse_in_forked_child(const char* function);

}  // namespace warpfiber::process
