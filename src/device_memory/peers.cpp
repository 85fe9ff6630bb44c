// SPDX-License-Identifier: Apache-2.0
//
// Checks both device numbers, then copies as any other copy does (copies.hpp, arrays.hpp).
#include "device_memory/peers.hpp"

#include "device_memory/arrays.hpp"
#include "process/current_device.hpp"
#include "process/explain.hpp"

namespace warpfiber::runtime {

Error copy_peer(const PeerAddress& to, const PeerAddress& from, std::size_t bytes, const Order& order) {
  if (!is_device(to.device)) return no_such_device(to.device);
  if (!is_device(from.device)) return no_such_device(from.device);
  return copy(line(to.at, bytes), line(from.at, bytes), Box{bytes}, cudaMemcpyDeviceToDevice, order);
}

Error copy_3d_peer(const cudaMemcpy3DPeerParms* parameters, const Order& order) {
  if (parameters == nullptr) return fail(Error::invalid_value, ReasonKind::parameters_null);
  if (!is_device(parameters->dstDevice)) return no_such_device(parameters->dstDevice);
  if (!is_device(parameters->srcDevice)) return no_such_device(parameters->srcDevice);
  const cudaMemcpy3DParms copy{parameters->srcArray, parameters->srcPos, parameters->srcPtr, parameters->dstArray,
                               parameters->dstPos,   parameters->dstPtr, parameters->extent, cudaMemcpyDeviceToDevice};
  return copy_3d(&copy, order);
}

}  // namespace warpfiber::runtime
