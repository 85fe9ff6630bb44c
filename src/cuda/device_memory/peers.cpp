// SPDX-License-Identifier: Apache-2.0
//
// Checks both device numbers, then copies as any other copy does (copies.hpp, arrays.hpp).
#include "device_memory/peers.hpp"

#include "device_memory/arrays.hpp"
#include "process/current_device.hpp"
#include "process/explain.hpp"

namespace warpfiber::device_memory {

using record::ReasonKind;

Error copy_peer(const PeerAddress& to, const PeerAddress& from, std::size_t bytes, const Order& order) {
  if (!process::is_device(to.device)) return process::no_such_device(to.device);
  if (!process::is_device(from.device)) return process::no_such_device(from.device);
  return copy(line(to.at, bytes), line(from.at, bytes), process::Box{bytes}, cudaMemcpyDeviceToDevice, order);
}

Error copy_3d_peer(const cudaMemcpy3DPeerParms* parameters, const Order& order) {
  if (parameters == nullptr) return process::fail(Error::invalid_value, ReasonKind::parameters_null);
  if (!process::is_device(parameters->dstDevice)) return process::no_such_device(parameters->dstDevice);
  if (!process::is_device(parameters->srcDevice)) return process::no_such_device(parameters->srcDevice);
  const cudaMemcpy3DParms copy{parameters->srcArray, parameters->srcPos, parameters->srcPtr, parameters->dstArray,
                               parameters->dstPos,   parameters->dstPtr, parameters->extent, cudaMemcpyDeviceToDevice};
  return copy_3d(&copy, order);
}

}  // namespace warpfiber::device_memory
