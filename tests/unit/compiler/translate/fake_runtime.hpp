// SPDX-License-Identifier: Apache-2.0
//
// What translated source calls, as small as it can be: the seam of include/warpfiber/translated/kernels.hpp. Samples of
// the tests include it before anything else, as nvcc includes cuda_runtime.h. A launch runs its threads one after
// another; the shared variables of a block are forgotten (filled with a pattern) before the next block starts.
#pragma once

#define __WARPFIBER__
#include "../../../../include/cuda/crt/host_defines.h"
#define __restrict__ __restrict

extern "C" int printf(const char*, ...);
extern "C" [[noreturn]] void abort();
extern "C" int strcmp(const char*, const char*);

/// Ends a sample as a failure; a sample that succeeds returns 0 from main.
#define EXPECT(condition) \
  ((condition) ? void() : (void)(printf("%s:%d: %s\n", __FILE__, __LINE__, #condition), abort()))

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned ax = 1, unsigned ay = 1, unsigned az = 1) : x(ax), y(ay), z(az) {}
};
struct uint3 {
  unsigned x, y, z;
};
using cudaStream_t = struct CUstream_st*;

inline uint3 threadIdx{};
inline uint3 blockIdx{};
inline dim3 blockDim;
inline dim3 gridDim;
inline void __syncthreads() {}

namespace warpfiber {

using Size = decltype(sizeof(int));
inline unsigned block_number = 0;  // counts the blocks of all launches
inline bool in_kernel = false;
alignas(128) inline char dynamic_memory[4096];

namespace detail {

struct SharedDeclaration {
  const char* name;
  const char* type;
  const char* file;
  unsigned line;
};

template <class T>
const char* type_text() {
  return __PRETTY_FUNCTION__;
}

/// Of the variable that was named last.
inline SharedDeclaration last_shared{};

inline int returns = 0;
inline int returned_at = 0;

inline void returning(int line = __builtin_LINE()) {
  ++returns;
  returned_at = line;
}

}  // namespace detail

template <class T, class Tag>
struct Slot {
  alignas(T) static inline unsigned char bytes[sizeof(T)];
  static inline unsigned owner = 0;
};

template <class T, class Tag>
T& shared() {
  using S = Slot<T, Tag>;
  EXPECT(in_kernel);
  detail::last_shared = Tag::declaration();
  if (S::owner != block_number) {
    for (unsigned char& byte : S::bytes) byte = 0xcd;
    S::owner = block_number;
  }
  return *reinterpret_cast<T*>(S::bytes);
}

template <class T>
T* dynamic_shared() {
  return reinterpret_cast<T*>(dynamic_memory);
}

namespace cuda {

struct Lines {
  const char* file = nullptr;
  unsigned first = 0;
  unsigned last = 0;
  bool ends_without_call = false;
};
struct Bounds {
  int threads = 0, blocks = 0, cluster_x = 0, cluster_y = 0, maximum_registers = 0;
  constexpr Bounds launch(int t, int b = 0, int = 0) const {
    return with([&](Bounds& o) { o.threads = t, o.blocks = b; });
  }
  constexpr Bounds cluster(int x, int y = 1, int = 1) const {
    return with([&](Bounds& o) { o.cluster_x = x, o.cluster_y = y; });
  }
  constexpr Bounds registers(int n) const {
    return with([&](Bounds& o) { o.maximum_registers = n; });
  }
  constexpr Bounds block_size(dim3 block, dim3 = {}) const {
    return with([&](Bounds& o) { o.threads = static_cast<int>(block.x); });
  }

 private:
  template <class Change>
  constexpr Bounds with(Change change) const {
    Bounds copy = *this;
    change(copy);
    return copy;
  }
};

template <class...>
inline constexpr bool kBuiltInOperators = true;

template <class T>
struct ReferredBy {
  using Type = T;
};
template <class T>
struct ReferredBy<T&> {
  using Type = T;
};
template <class T>
using Referred = typename ReferredBy<T>::Type;

template <class Call>
struct SignatureOfCall;
template <class C, class R, class... A>
struct SignatureOfCall<R (C::*)(A...) const> {
  using Type = R(A...);
};
template <class Body>
using SignatureOf = typename SignatureOfCall<decltype(&Body::operator())>::Type;

/// Of the last kernel that was launched.
struct Seen {
  const char* name = "";
  Bounds bounds;
  Size dynamic_bytes = 0;
  cudaStream_t stream = nullptr;
};
inline Seen last_kernel;

struct Pending {
  dim3 grid, block;
  Size bytes = 0;
  cudaStream_t stream = nullptr;
  bool there = false;
};
inline Pending pending;

// Names of the host's copies of what is the device's.
template <class T>
T* host_name(T* address) {
  return address;
}

inline void configure(dim3 grid, dim3 block, Size bytes = 0, cudaStream_t stream = nullptr) {
  pending = {grid, block, bytes, stream, true};
}

template <class About, class Body, class... A>
void enter_kernel(Body body, A... arguments) {
  static_assert(About::bounds().threads >= 0);
  EXPECT(About::address() != nullptr);
  EXPECT(pending.there);
  const Pending shape = pending;
  pending.there = false;
  last_kernel = {About::name(), About::bounds(), shape.bytes, shape.stream};
  const bool outer = in_kernel;
  in_kernel = true;
  blockDim = shape.block;
  gridDim = shape.grid;
  for (blockIdx.y = 0; blockIdx.y < shape.grid.y; ++blockIdx.y) {
    for (blockIdx.x = 0; blockIdx.x < shape.grid.x; ++blockIdx.x) {
      ++block_number;
      for (threadIdx.y = 0; threadIdx.y < shape.block.y; ++threadIdx.y) {
        for (threadIdx.x = 0; threadIdx.x < shape.block.x; ++threadIdx.x) body(arguments...);
      }
    }
  }
  in_kernel = outer;
}

enum class VariableKind { device, constant, managed };

/// The variables that were registered, and the instance of a second device for those of up to 64 bytes.
struct Variable {
  const void* address;
  const char* name;
  VariableKind kind;
  Size bytes;
  static inline const Variable* all[32];
  static inline int count = 0;

  template <class T>
  Variable(T& variable, const char* its_name, VariableKind its_kind)
      : address(const_cast<const void*>(static_cast<const volatile void*>(&variable))),
        name(its_name),
        kind(its_kind),
        bytes(sizeof(T)) {
    all[count++] = this;
  }
  static const Variable* find(const char* name) {
    for (int i = 0; i < count; ++i) {
      if (strcmp(all[i]->name, name) == 0) return all[i];
    }
    return nullptr;
  }
};

template <class T>
T& known(T& instance, const Variable&) {
  return instance;
}

template <class T>
inline constexpr Size kRedZone = 256;

/// What lies behind a variable.
struct RedZone {
  static inline int count = 0;

  RedZone(const char (&)[256], const char (&)[256], const char (&)[64]) { ++count; }
};

inline int device = 0;

template <class T>
struct Second {
  alignas(16) static inline unsigned char bytes[16][sizeof(T)];
  static inline const void* first[16];
};

/// The instance of device 0 is the variable itself.
template <class T>
T& here(T& variable) {
  if (device == 0) return variable;
  int i = 0;
  while (Second<T>::first[i] != nullptr && Second<T>::first[i] != &variable) ++i;
  Second<T>::first[i] = &variable;
  return reinterpret_cast<T&>(Second<T>::bytes[i]);
}

inline bool on_device() {
  return in_kernel;
}

namespace device_functions {

template <class... Arguments>
int printf(const char* format, Arguments... arguments) {
  return ::printf(format, arguments...);
}

}  // namespace device_functions

/// What statements have reported, in order: their lines, each followed by a blank, `a` for a pass of the first loop,
/// `A` for its end, `(` for the begin of a call, `[` for a kernel's.
inline char reported[256];

class Reports {
 public:
  explicit Reports(bool is_call) { add(is_call ? '(' : '['); }
  ~Reports() { add(')'); }
  void statement(unsigned line) {
    if (line > 9) add(static_cast<char>('0' + line / 10));
    add(static_cast<char>('0' + line % 10));
    add(' ');
  }
  void loop_pass(unsigned loop) { add(static_cast<char>('a' + loop - 1)); }
  void loop_end(unsigned loop) { add(static_cast<char>('A' + loop - 1)); }

 private:
  static void add(char c) {
    Size end = 0;
    while (reported[end] != '\0') ++end;
    reported[end] = c;
    reported[end + 1] = '\0';
  }
};

template <class Word>
Word& polled(Word& word) {
  return word;
}
inline bool waits(bool again) {
  return again;
}
inline bool waited(bool leaves) {
  return leaves;
}

}  // namespace cuda
}  // namespace warpfiber
