// SPDX-License-Identifier: Apache-2.0
// Copies of pageable sources: CUDA has read such a source when an asynchronous copy of it returns.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "process/box.hpp"

namespace warpfiber::device_memory {

/// A larger copy is done when the call returns; recorded on an H200 (CUDA 13.0) for 1 MiB, which is staged, and 4 MiB.
inline constexpr std::size_t kMostStaged = std::size_t{1} << 20;

/// The box as it is now, row behind row, for as long as `bytes` live.
struct StagedSource {
  std::shared_ptr<const std::vector<std::byte>> bytes{};
  process::CopyPlace place{};
};
StagedSource stage(const process::CopyPlace& from, const process::Box& box);

}  // namespace warpfiber::device_memory
