// SPDX-License-Identifier: Apache-2.0
//
// The entry points that -fsanitize=thread makes g++ and clang++ call, defined here instead of by libtsan: a program
// built with `warpfiber nvcc -fcheck` links this library. Accesses are told by address and size before they happen;
// atomic operations are not told but asked for, so each does what it says. Invariants: compiled without
// -fsanitize=thread, or the hooks would call themselves. Signatures are those of compiler-rt's tsan_interface.h and
// tsan_interface_atomic.h.
#include <cstddef>
#include <cstring>

// The names are the compilers'.
#define WARPFIBER_HOOK extern "C" __attribute__((visibility("default")))

// NOLINTBEGIN(bugprone-reserved-identifier)

#define WARPFIBER_ACCESS(bytes)                             \
  WARPFIBER_HOOK void __tsan_read##bytes(void*) {}          \
  WARPFIBER_HOOK void __tsan_write##bytes(void*) {}         \
  WARPFIBER_HOOK void __tsan_read_write##bytes(void*) {}    \
  WARPFIBER_HOOK void __tsan_volatile_read##bytes(void*) {} \
  WARPFIBER_HOOK void __tsan_volatile_write##bytes(void*) {}

#define WARPFIBER_UNALIGNED_ACCESS(bytes)                             \
  WARPFIBER_HOOK void __tsan_unaligned_read##bytes(void*) {}          \
  WARPFIBER_HOOK void __tsan_unaligned_write##bytes(void*) {}         \
  WARPFIBER_HOOK void __tsan_unaligned_read_write##bytes(void*) {}    \
  WARPFIBER_HOOK void __tsan_unaligned_volatile_read##bytes(void*) {} \
  WARPFIBER_HOOK void __tsan_unaligned_volatile_write##bytes(void*) {}

WARPFIBER_ACCESS(1)
WARPFIBER_ACCESS(2)
WARPFIBER_ACCESS(4)
WARPFIBER_ACCESS(8)
WARPFIBER_ACCESS(16)
WARPFIBER_UNALIGNED_ACCESS(2)
WARPFIBER_UNALIGNED_ACCESS(4)
WARPFIBER_UNALIGNED_ACCESS(8)
WARPFIBER_UNALIGNED_ACCESS(16)

WARPFIBER_HOOK void __tsan_init() {}
WARPFIBER_HOOK void __tsan_read_range(void*, std::size_t) {}
WARPFIBER_HOOK void __tsan_write_range(void*, std::size_t) {}
WARPFIBER_HOOK void __tsan_func_entry(void*) {}
WARPFIBER_HOOK void __tsan_func_exit() {}
WARPFIBER_HOOK void __tsan_vptr_update(void**, void*) {}
WARPFIBER_HOOK void __tsan_vptr_read(void**) {}

WARPFIBER_HOOK void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  return std::memcpy(to, from, bytes);
}

WARPFIBER_HOOK void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  return std::memmove(to, from, bytes);
}

WARPFIBER_HOOK void* __tsan_memset(void* to, int value, std::size_t bytes) {
  return std::memset(to, value, bytes);
}

// The host is stronger than any order that is asked for.
#define WARPFIBER_UPDATE(bits, type, operation)                                              \
  WARPFIBER_HOOK type __tsan_atomic##bits##_fetch_##operation(type* at, type operand, int) { \
    return __atomic_fetch_##operation(at, operand, __ATOMIC_SEQ_CST);                        \
  }

#define WARPFIBER_ATOMICS(bits, type)                                                                                \
  WARPFIBER_HOOK type __tsan_atomic##bits##_load(const type* at, int) {                                              \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                                    \
  }                                                                                                                  \
  WARPFIBER_HOOK void __tsan_atomic##bits##_store(type* at, type value, int) {                                       \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                                   \
  }                                                                                                                  \
  WARPFIBER_HOOK type __tsan_atomic##bits##_exchange(type* at, type value, int) {                                    \
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                                         \
  }                                                                                                                  \
  WARPFIBER_HOOK int __tsan_atomic##bits##_compare_exchange_strong(type* at, type* expected, type value, int, int) { \
    return __atomic_compare_exchange_n(at, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);              \
  }                                                                                                                  \
  WARPFIBER_HOOK int __tsan_atomic##bits##_compare_exchange_weak(type* at, type* expected, type value, int, int) {   \
    return __atomic_compare_exchange_n(at, expected, value, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);               \
  }                                                                                                                  \
  WARPFIBER_HOOK type __tsan_atomic##bits##_compare_exchange_val(type* at, type expected, type value, int, int) {    \
    __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                    \
    return expected;                                                                                                 \
  }                                                                                                                  \
  WARPFIBER_UPDATE(bits, type, add)                                                                                  \
  WARPFIBER_UPDATE(bits, type, sub)                                                                                  \
  WARPFIBER_UPDATE(bits, type, and)                                                                                  \
  WARPFIBER_UPDATE(bits, type, or)                                                                                   \
  WARPFIBER_UPDATE(bits, type, xor)                                                                                  \
  WARPFIBER_UPDATE(bits, type, nand)

WARPFIBER_ATOMICS(8, unsigned char)
WARPFIBER_ATOMICS(16, unsigned short)
WARPFIBER_ATOMICS(32, unsigned)
WARPFIBER_ATOMICS(64, unsigned long)

WARPFIBER_HOOK void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

WARPFIBER_HOOK void __tsan_atomic_signal_fence(int) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// NOLINTEND(bugprone-reserved-identifier)
