// SPDX-License-Identifier: Apache-2.0
// What has gone wrong on each of the simulated devices. An error of a kernel stays with its device until
// cudaDeviceReset: every later call returns it. Any thread may call.
#pragma once

#include <warpfiber/error.hpp>

#include <atomic>

namespace warpfiber::process {

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

}  // namespace warpfiber::process
