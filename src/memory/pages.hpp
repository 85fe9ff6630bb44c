// SPDX-License-Identifier: Apache-2.0
// Memory in pages of its own, with a page behind it that nobody can touch: whoever runs past the end faults there and
// does not reach anybody else's memory. Any thread may call.
#pragma once

#include <cstddef>

namespace warpfiber::memory {

struct Pages {
  char* base = nullptr;   // null: the host has none
  std::size_t bytes = 0;  // all of the mapping
};

/// `bytes` whose last one is the last before the untouchable page, and at least `before` more ahead of them. `base` is
/// the start of the mapping.
Pages map_pages(std::size_t bytes, std::size_t before);
void unmap_pages(const Pages& pages);
/// Where the untouchable page starts.
char* end_of(const Pages& pages);

}  // namespace warpfiber::memory
