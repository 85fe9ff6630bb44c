// SPDX-License-Identifier: Apache-2.0
// A launch between the two halves of it: what the device has said of it is known, and it may wait in a stream, with
// copies of its arguments.
#pragma once

#include <warpfiber/error.hpp>
#include <warpfiber/occupancy.hpp>

#include <cstddef>
#include <new>

#include "engine/request/grid_request.hpp"
#include "record/reason.hpp"

namespace warpfiber::process {
struct RunRecord;
}  // namespace warpfiber::process

namespace warpfiber::launches {

/// A launch that the device accepts, or why it does not.
struct PreparedLaunch {
  Error error = Error::success;
  record::Reason reason{};  // empty where the launch is accepted

  engine::GridRequest request;
  const DeviceModel* model = nullptr;
  KernelAttributes attributes;
  const void* address = nullptr;
  process::RunRecord* recording = nullptr;  // of a determinism check of the launching OS thread
  bool is_empty = false;                    // nothing is to be run or kept: it is over when its turn comes

  bool ok() const { return error == Error::success; }
};

/// The call of a kernel with copies of its arguments. Threads only read it, so several launches may share one.
class KernelClosure {
 public:
  /// `construct(memory)` makes the closure in memory of that size and alignment.
  template <class Construct>
  KernelClosure(std::size_t bytes, std::size_t alignment, void (*destroy)(void*), Construct construct)
      : alignment_(std::align_val_t{alignment}),
        destroy_(destroy),
        memory_(::operator new (bytes, std::align_val_t{alignment})) {
    construct(memory_);
  }
  ~KernelClosure() {
    destroy_(memory_);
    ::operator delete(memory_, alignment_);
  }
  KernelClosure(const KernelClosure&) = delete;
  KernelClosure& operator=(const KernelClosure&) = delete;

  const void* get() const { return memory_; }

 private:
  std::align_val_t alignment_;
  void (*destroy_)(void*);
  void* memory_;
};

}  // namespace warpfiber::launches
