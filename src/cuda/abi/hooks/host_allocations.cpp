// SPDX-License-Identifier: Apache-2.0
// malloc() and its kin of checked programs: the C library's, with a note of each allocation that lives, so that copies
// past its end are found before they are done. They are weak: a program that brings an allocator of its own keeps it,
// and nothing is noted then. Sources: glibc manual, "Replacing malloc"; malloc_usable_size(3).
#include <features.h>

// Valgrind and the address sanitizer have allocators of their own.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

#include <malloc.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "memory/host/host_blocks.hpp"

#define WARPFIBER_ALLOCATOR extern "C" __attribute__((weak, visibility("default")))

// NOLINTBEGIN(bugprone-reserved-identifier): the C library's names of its own allocator.
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {

using warpfiber::memory::kNoteBytes;

constexpr std::size_t kMost = std::numeric_limits<std::ptrdiff_t>::max() - kNoteBytes;

void* refuse() {
  errno = ENOMEM;
  return nullptr;
}

void* noted(void* memory, std::size_t bytes) {
  if (memory != nullptr) warpfiber::memory::note_host_block(memory, bytes, malloc_usable_size(memory));
  return memory;
}

void* aligned(std::size_t alignment, std::size_t bytes) {
  return bytes > kMost ? refuse() : noted(__libc_memalign(alignment, bytes + kNoteBytes), bytes);
}

bool is_power_of_two(std::size_t number) {
  return number != 0 && (number & (number - 1)) == 0;
}

}  // namespace

WARPFIBER_ALLOCATOR void* malloc(std::size_t bytes) {
  return bytes > kMost ? refuse() : noted(__libc_malloc(bytes + kNoteBytes), bytes);
}

WARPFIBER_ALLOCATOR void* calloc(std::size_t count, std::size_t bytes) {
  if (bytes != 0 && count > kMost / bytes) return refuse();
  return noted(__libc_calloc(1, count * bytes + kNoteBytes), count * bytes);
}

WARPFIBER_ALLOCATOR void free(void* memory) {
  if (memory != nullptr) warpfiber::memory::forget_host_block(memory);
  __libc_free(memory);
}

WARPFIBER_ALLOCATOR void* realloc(void* memory, std::size_t bytes) {
  if (memory == nullptr) return malloc(bytes);
  if (bytes == 0) {
    free(memory);
    return nullptr;
  }
  if (bytes > kMost) return refuse();
  const auto before = warpfiber::memory::size_of_host_block(memory, malloc_usable_size(memory));
  // Another allocation may get the address as soon as it is free.
  warpfiber::memory::forget_host_block(memory);
  void* const made = __libc_realloc(memory, bytes + kNoteBytes);
  if (made == nullptr && before.has_value()) noted(memory, *before);
  return noted(made, bytes);
}

WARPFIBER_ALLOCATOR void* memalign(std::size_t alignment, std::size_t bytes) {
  return aligned(alignment, bytes);
}

WARPFIBER_ALLOCATOR void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return aligned(alignment, bytes);
}

WARPFIBER_ALLOCATOR int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  const int before = errno;
  void* const made = aligned(alignment, bytes);
  errno = before;
  if (made == nullptr) return ENOMEM;
  *memory = made;
  return 0;
}

#endif
