// SPDX-License-Identifier: Apache-2.0
// Copies and fills of memory in checked programs. Neither compiler calls a hook for memcpy, memmove and memset: in a
// checked translation unit these names are those of functions that do. g++ never calls them where the size is constant
// and small, but copies in place after it has put hooks at accesses; so there a function stands before each call.
#pragma once

#ifdef WARPFIBER_CHECKED

#ifdef __clang__
// It calls these functions for structures, too, and is its own assembler, which no text comes to.
__asm__(".set memcpy, __tsan_memcpy\n\t.set memmove, __tsan_memmove\n\t.set memset, __tsan_memset");
#else
#include <warpfiber/detail/assembly_request.hpp>
WARPFIBER_ASSEMBLY_REQUEST(warpfiber_option_B_is_missing_for_copies);
#endif

#if defined(__GNUC__) && !defined(__clang__)
// With it the C library has functions of its own in front, which end the program where a hook would report.
#undef _FORTIFY_SOURCE
#include <cstddef>
#include <cstring>

#if !defined(__USE_FORTIFY_LEVEL) || __USE_FORTIFY_LEVEL == 0
// The names are the compilers'.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) noexcept;
void* __tsan_memmove(void* to, const void* from, std::size_t bytes) noexcept;
void* __tsan_memset(void* to, int value, std::size_t bytes) noexcept;

// As the C library does it with _FORTIFY_SOURCE: inlined into whoever calls by name or by std::, while a pointer to the
// function is one to the real name.
#define WARPFIBER_IN_FRONT extern inline __attribute__((always_inline, gnu_inline, artificial))
/// A copy of so many bytes is one load and one store for g++, with their hooks.
#define WARPFIBER_IS_ONE_ACCESS(bytes) \
  (__builtin_constant_p(bytes) && ((bytes) == 1 || (bytes) == 2 || (bytes) == 4 || (bytes) == 8))

WARPFIBER_IN_FRONT void* memcpy(void* to, const void* from, std::size_t bytes) noexcept {
  if (WARPFIBER_IS_ONE_ACCESS(bytes)) return __builtin_memcpy(to, from, bytes);
  return __tsan_memcpy(to, from, bytes);
}

WARPFIBER_IN_FRONT void* memmove(void* to, const void* from, std::size_t bytes) noexcept {
  if (WARPFIBER_IS_ONE_ACCESS(bytes)) return __builtin_memmove(to, from, bytes);
  return __tsan_memmove(to, from, bytes);
}

WARPFIBER_IN_FRONT void* memset(void* to, int value, std::size_t bytes) noexcept {
  return __tsan_memset(to, value, bytes);
}

#undef WARPFIBER_IS_ONE_ACCESS
#undef WARPFIBER_IN_FRONT
}

// By the names of the compiler's functions g++ stores a constant number of bytes in place, too. With parameters these
// are no macros for __has_builtin().
#define __builtin_memcpy(...) ::memcpy(__VA_ARGS__)
#define __builtin_memmove(...) ::memmove(__VA_ARGS__)
#define __builtin_memset(...) ::memset(__VA_ARGS__)
// NOLINTEND(bugprone-reserved-identifier)
#endif
#endif
#endif
