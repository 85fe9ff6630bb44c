// SPDX-License-Identifier: Apache-2.0
#include "memory/shared_arena.hpp"

#include <warpfiber/detail/shared_variable.hpp>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string_view>
#include <vector>

#include "memory/device_space.hpp"

namespace warpfiber::memory {
namespace {

// Wide enough for any vector access, and a cache line, so that two variables never share one.
constexpr std::size_t kAlignment = 128;

constexpr std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

struct LayoutUnderConstruction {
  std::mutex mutex;
  SharedLayout layout{0, 1};  // index 0 means: not registered yet
  struct Owned {
    std::string_view tag;
    std::size_t bytes;
  };
  std::vector<Owned> owned;
};

// Never destroyed: kernels may be asked about until the very end of the process.
LayoutUnderConstruction& under_construction() {
  static LayoutUnderConstruction& layout = *new LayoutUnderConstruction;
  return layout;
}

}  // namespace

void poison(void* memory, std::size_t bytes) {
  char* to = static_cast<char*>(memory);
  std::size_t done = 0;
  for (; done + sizeof kPoisonWord <= bytes; done += sizeof kPoisonWord)
    std::memcpy(to + done, &kPoisonWord, sizeof kPoisonWord);
  std::memcpy(to + done, &kPoisonWord, bytes - done);
}

SharedLayout shared_layout() {
  LayoutUnderConstruction& place = under_construction();
  const std::lock_guard lock(place.mutex);
  return place.layout;
}

std::size_t shared_bytes_tagged(std::string_view prefix) {
  LayoutUnderConstruction& place = under_construction();
  const std::lock_guard lock(place.mutex);
  std::size_t bytes = 0;
  for (const auto& variable : place.owned) bytes += variable.tag.starts_with(prefix) ? variable.bytes : 0;
  return bytes;
}

SharedArena::~SharedArena() {
  release();
}

void SharedArena::release() {
  if (base_ != nullptr) give_back(base_, taken_);
  base_ = nullptr;
  taken_ = 0;
}

bool SharedArena::reserve(std::size_t dynamic) {
  const SharedLayout layout = shared_layout();
  const std::size_t statics = round_up(layout.bytes, kAlignment);
  const std::size_t wanted = statics + dynamic;
  if (wanted > taken_ || base_ == nullptr) {
    release();
    base_ = take(wanted);
    if (base_ == nullptr) return false;
    taken_ = wanted;
    touched_.clear();
  }
  touched_.resize(layout.variables);
  dynamic_offset_ = statics;
  end_ = statics + dynamic;
  return true;
}

bool SharedArena::contains(const void* address) const {
  const char* place = static_cast<const char*>(address);
  return place >= base_ && place < base_ + end_;
}

}  // namespace warpfiber::memory

namespace warpfiber::detail {

SharedVariable register_shared(std::size_t bytes, std::size_t alignment, const char* description, const char* tag) {
  using namespace warpfiber::memory;
  LayoutUnderConstruction& place = under_construction();
  const std::lock_guard lock(place.mutex);
  SharedLayout& layout = place.layout;
  const std::size_t offset = round_up(layout.bytes, std::max(alignment, kAlignment));
  layout.bytes = offset + bytes;
  if (tag != nullptr) place.owned.push_back({tag, bytes});
  return SharedVariable{layout.variables++, offset, bytes, description};
}

}  // namespace warpfiber::detail
