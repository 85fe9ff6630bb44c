// SPDX-License-Identifier: Apache-2.0
// What CUDA says of a device: properties and attributes, made of the model's numbers. What the model does not know is
// what every device of its compute capability says under Linux, or, where it concerns the machine (PCI ids, UUIDs),
// made up from the device's number. Called by abi.
#pragma once

#include <warpfiber/cuda/api/types.h>
#include <warpfiber/error.hpp>

namespace warpfiber::process {

/// cudaGetDeviceProperties.
Error device_properties(cudaDeviceProp* properties, int device);

/// cudaDeviceGetAttribute.
Error device_attribute(int* value, cudaDeviceAttr attribute, int device);

/// cudaChooseDevice: all devices are the same, so the first one that is there.
Error choose_device(int* device, const cudaDeviceProp* wanted);

}  // namespace warpfiber::process
