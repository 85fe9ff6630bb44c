// SPDX-License-Identifier: Apache-2.0
// One inaccessible range of the process stands for all blocks that do not exist.
#include "engine/state/missing_block.hpp"

#include <sys/mman.h>

#include <cstddef>
#include <utility>

namespace warpfiber::engine {
namespace {

constexpr std::size_t kNowhereBytes = std::size_t{1} << 20;  // as far as any shared memory reaches

char* nowhere() {
  static char* const memory =
      static_cast<char*>(::mmap(nullptr, kNowhereBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  return memory;
}

}  // namespace

char* MissingBlock::memory_for(record::Finding finding, record::Observer& observer) {
  finding_ = std::move(finding);
  observer.ignore(nowhere(), kNowhereBytes);
  return nowhere();
}

const record::Finding* MissingBlock::at(const void* address) const {
  if (!finding_.has_value()) return nullptr;
  const auto* at = static_cast<const char*>(address);
  return at >= nowhere() && at < nowhere() + kNowhereBytes ? &*finding_ : nullptr;
}

}  // namespace warpfiber::engine
