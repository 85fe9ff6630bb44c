// SPDX-License-Identifier: Apache-2.0
// Copies and fills, as CUDA's runtime has them: a box of `width` bytes by `height` rows by `depth` slices. What a copy
// says about its direction is held against what its addresses are, as far as hardware does: of an address that shall
// be a device's only pageable memory of the host is refused, of one that shall be the host's only an array. A copy that
// would leave an allocation is refused.
// Called by abi and by the other files of this folder.
#pragma once

#include <warpfiber/cuda/api/types.h>
#include <warpfiber/error.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "device_memory/ordering.hpp"
#include "process/box.hpp"

namespace warpfiber::device_memory {

/// When a copy is done and when its caller goes on.
struct Order {
  cudaStream_t stream = nullptr;
  bool asynchronous = false;
};
inline constexpr Order kNow{};
constexpr Order later(cudaStream_t stream) {
  return {stream, true};
}

/// `bytes` in a row.
process::CopyPlace line(const void* at, std::size_t bytes);
/// `height` rows to a slice, which are `pitch` bytes apart.
process::CopyPlace rows(const void* at, std::size_t pitch, std::size_t height);

Error copy(const process::CopyPlace& to, const process::CopyPlace& from, const process::Box& box, cudaMemcpyKind kind,
           const Order& order);

/// The same where rows may not be longer than they are apart: invalid_pitch_value, and for a single row invalid_value.
Error copy_rows(const process::CopyPlace& to, const process::CopyPlace& from, const process::Box& box,
                cudaMemcpyKind kind, const Order& order);

using Pattern = streams::FillPattern;

/// Fills the rows of the box, whose width is a multiple of the pattern's.
Error fill(const process::CopyPlace& to, const process::Box& box, const Pattern& pattern, const Order& order);
/// Sets every byte of the box to `value`'s lowest.
Error fill(const process::CopyPlace& to, const process::Box& box, int value, const Order& order);

using streams::LibraryAccess;
using streams::LibraryAccesses;
using LibraryWork = std::function<void()>;

struct LibraryCall {
  Wait wait = Wait::no;
  /// What is accessed besides, where that is known only when the operation's turn comes; null: nothing.
  std::function<LibraryAccesses()> further{};
};

/// Does `work`, which reads and writes `accesses`, after what the stream has to do already. Each of them has to be a
/// device's memory. Reads come before writes in the list where a function does both to one memory.
Error in_stream_with(cudaStream_t stream, LibraryAccesses accesses, LibraryWork work, const LibraryCall& call = {});

/// Writes `bytes`, which a library has computed, after what the stream has to do already. The caller goes on.
Error write(const void* to, std::shared_ptr<const std::vector<std::byte>> bytes, cudaStream_t stream);

/// What a function of a library is about to read or write, looked at before its other accesses are known. success: it
/// is memory of a device, as far as it goes.
Error check(const LibraryAccess& access);

}  // namespace warpfiber::device_memory
