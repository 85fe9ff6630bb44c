// SPDX-License-Identifier: Apache-2.0
// Source: CUDA Runtime API, "API synchronization behavior": pageable memory is staged, and the call returns when that
// is done.
#include "device_memory/host/staging.hpp"

#include <cstring>

namespace warpfiber::device_memory {

StagedSource stage(const process::CopyPlace& from, const process::Box& box) {
  const auto staged = std::make_shared<std::vector<std::byte>>(box.width * box.height * box.depth);
  StagedSource made{staged, {reinterpret_cast<char*>(staged->data()), box.width, box.width * box.height}};
  box.for_each_row([&](std::size_t y, std::size_t z) { std::memcpy(made.place.row(y, z), from.row(y, z), box.width); });
  return made;
}

}  // namespace warpfiber::device_memory
