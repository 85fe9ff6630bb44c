// SPDX-License-Identifier: Apache-2.0
// Which devices of the machine a program sees, by CUDA_VISIBLE_DEVICES. A device has a number in the machine, which its
// place and its UUID are made of, and another in the program. Pure functions.
// Source: CUDA C++ Programming Guide, "CUDA Environment Variables", and the answers of a machine with two H200s (driver
// 580.159) where the guide leaves a question open.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace warpfiber::process {

struct VisibleDevices {
  std::vector<int> numbers;  // in the machine, in the program's order
  bool named_twice = false;  // the list names a device more than once: then none is visible
};

using DeviceUuid = std::array<unsigned char, 16>;

/// Of the device with this number in the machine.
DeviceUuid uuid_of(int number);
/// "GPU-77617270-6669-6265-7200-000000000000", as nvidia-smi prints it.
std::string uuid_text(const DeviceUuid& uuid);

/// What a program sees that says nothing.
VisibleDevices all_devices(unsigned count);

/// `text` lists numbers of devices, or UUIDs, which may be abbreviated as long as they are unique; the first entry
/// decides which. A number is read as by strtoul(), and its low 32 bits count. The list ends where it names no device.
/// `count`: of the machine.
VisibleDevices visible_devices(std::string_view text, unsigned count);

}  // namespace warpfiber::process
