// SPDX-License-Identifier: Apache-2.0
// Frames are noted when an instruction is met that was not met by such calls before, so there are few.
#include "check/calls/frames.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "base/locks/annotated_mutex.hpp"
#include "check/cells/check_state.hpp"

namespace warpfiber::check {

struct FrameRegister {
  /// Where a frame begins, in bytes below the top, and code of its function.
  using KernelFrames = std::vector<std::pair<std::uint64_t, std::uintptr_t>>;

  base::Mutex mutex;
  std::map<const void*, KernelFrames> of_kernels WARPFIBER_GUARDED_BY(mutex);
  std::map<const void*, const void*> kernels WARPFIBER_GUARDED_BY(mutex);
};

namespace {

constexpr std::size_t kMostOfKernel = 4096;
constexpr std::size_t kMostAround = 64;

FrameRegister& frames() {
  return CheckState::of_process().frames.get();
}

}  // namespace

void note_kernel(const void* runs_threads, const void* kernel) {
  const base::Lock lock(frames().mutex);
  frames().kernels.try_emplace(runs_threads, kernel);
}

const void* kernel_run_by(const void* runs_threads) {
  const base::Lock lock(frames().mutex);
  const auto found = frames().kernels.find(runs_threads);
  return found == frames().kernels.end() ? nullptr : found->second;
}

void note_frames(const void* runs_threads, const char* high, const fiber::Returns& found, bool whole) {
  const base::Lock lock(frames().mutex);
  FrameRegister::KernelFrames& known = frames().of_kernels[runs_threads];
  const std::size_t count = found.addresses.size();
  for (std::size_t i = 0; i < count && known.size() < kMostOfKernel; ++i) {
    if (i + 1 == count && !whole) break;
    // The caller's stack pointer is above the return address to it; that of the outermost function is the top.
    const char* begin = i + 1 < count ? found.places[i + 1] + sizeof(void*) : high;
    const std::pair frame(static_cast<std::uint64_t>(high - begin), found.addresses[i] - 1);
    if (std::ranges::find(known, frame) == known.end()) known.push_back(frame);
  }
}

std::vector<record::StackFrame> frames_around(const void* runs_threads, std::uint64_t depth) {
  const base::Lock lock(frames().mutex);
  FrameRegister::KernelFrames around;
  for (const auto& frame : frames().of_kernels[runs_threads]) {
    if (frame.first + sizeof(void*) < depth) around.push_back(frame);
  }
  std::ranges::stable_sort(around, [](const auto& one, const auto& other) { return one.first > other.first; });
  std::vector<record::StackFrame> made;
  for (const auto& [begin, code] : around) {
    if (made.size() == kMostAround) break;
    made.push_back({.code = code, .offset = static_cast<std::int64_t>(begin) - static_cast<std::int64_t>(depth)});
  }
  return made;
}

}  // namespace warpfiber::check
