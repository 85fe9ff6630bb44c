// SPDX-License-Identifier: Apache-2.0
//
// Every atomic function on every type and scope: one thread, all pairs of eleven edge values, in global and shared
// memory and through addresses whose kind the compiler cannot know. One record a case.
#pragma once

#include <cfloat>
#include <cmath>

#include "atomic_text.hpp"

struct alignas(16) Cell {
  unsigned char bytes[16];
};

enum Kind { kInteger, kFloat, kDouble, kPair };

/// One case: the memory before, two operands, what the call returned, the memory after.
struct Record {
  char label[48];
  int kind;
  int size;  // bytes of each value
  Cell before, a, b, returned, after;
};

struct Log {
  unsigned count;
  unsigned lost;
};
constexpr unsigned kRecords = 20000;

template <class T>
constexpr int kKindOf = kInteger;
template <>
constexpr int kKindOf<float> = kFloat;
template <>
constexpr int kKindOf<float2> = kFloat;
template <>
constexpr int kKindOf<float4> = kFloat;
template <>
constexpr int kKindOf<double> = kDouble;
template <>
constexpr int kKindOf<Pair> = kPair;

/// Where a part of the cases is run, and where its records go. The number of edge values comes at run time: nvcc would
/// unroll the sweeps over them, for minutes.
struct Bench {
  const char* space;
  int values;
  Cell* cell;
  Log* log;
  Record* records;
};

template <class T>
__device__ Cell cell_of(const T& value) {
  Cell cell = {};
  memcpy(cell.bytes, &value, sizeof value);
  return cell;
}

__device__ inline int append(char* to, int at, const char* text) {
  while (*text != 0) to[at++] = *text++;
  return at;
}

template <class T>
__device__ __attribute__((noinline)) void put(const Bench& bench, const char* name, const T& before, const T& a,
                                              const T& b, const T& returned, const T& after) {
  if (bench.log->count == kRecords) {
    ++bench.log->lost;
    return;
  }
  Record& record = bench.records[bench.log->count++];
  int end = append(record.label, 0, bench.space);
  end = append(record.label, append(record.label, end, " "), name);
  record.label[end] = 0;
  record.kind = kKindOf<T>;
  record.size = sizeof(T);
  record.before = cell_of(before);
  record.a = cell_of(a);
  record.b = cell_of(b);
  record.returned = cell_of(returned);
  record.after = cell_of(after);
}

// ---- edge values

constexpr int kValues = 11;

template <class T>
__device__ T edge(int i) {
  const u64 ones = ~0ULL;
  const u64 top = 1ULL << (8 * sizeof(T) - 1);
  const u64 values[kValues] = {0, 1, ones, 7, top, ~top, 0x5a5a5a5a5a5a5a5aULL, ones - 1, 8, 1ULL << 4 * sizeof(T), 6};
  return static_cast<T>(values[i]);
}
template <>
__device__ inline float edge<float>(int i) {
  const float values[kValues] = {0,         -0.0F,  1,       -1.5F,           FLT_MAX, INFINITY,
                                 -INFINITY, 1e-45F, FLT_MIN, -FLT_MIN * 1.5F, 16777216};
  return values[i];
}
template <>
__device__ inline double edge<double>(int i) {
  const double values[kValues] = {0,         -0.0,   1,       -1.5,           DBL_MAX,         INFINITY,
                                  -INFINITY, 5e-324, DBL_MIN, -DBL_MIN * 1.5, 9007199254740992};
  return values[i];
}
__device__ inline float neighbour(int i, int distance) {
  return edge<float>((i + distance) % kValues);
}
template <>
__device__ inline float2 edge<float2>(int i) {
  return make_float2(edge<float>(i), neighbour(i, 3));
}
template <>
__device__ inline float4 edge<float4>(int i) {
  return make_float4(edge<float>(i), neighbour(i, 3), neighbour(i, 5), neighbour(i, 8));
}
template <>
__device__ inline Pair edge<Pair>(int i) {
  return Pair{edge<u64>(i % 4), edge<u64>(i / 3)};
}

// ---- sweeps over pairs of them: of one operand, of two (compare and swap)

template <class T, class Call>
__device__ void sweep_one(const Bench& bench, const char* name, Call call) {
  T* place = reinterpret_cast<T*>(bench.cell);
  for (int i = 0; i < bench.values; ++i) {
    for (int j = 0; j < bench.values; ++j) {
      const T before = edge<T>(i);
      const T value = edge<T>(j);
      *place = before;
      const T returned = call(place, value);
      put<T>(bench, name, before, value, value, returned, *place);
    }
  }
}

template <class T, class Call>
__device__ void sweep_two(const Bench& bench, const char* name, Call call) {
  T* place = reinterpret_cast<T*>(bench.cell);
  for (int i = 0; i < bench.values; ++i) {
    for (int j = 0; j < bench.values; ++j) {
      const T before = edge<T>(i);
      const T compare = edge<T>(j);
      const T value = edge<T>((i * 5 + j + 1) % kValues);
      *place = before;
      const T returned = call(place, compare, value);
      put<T>(bench, name, before, compare, value, returned, *place);
    }
  }
}

// ---- the functions

#define ONE(T, name, call) sweep_one<T>(bench, name " " #T, [](T* p, T v) { return call; });
#define TWO(T, name, call) sweep_two<T>(bench, name " " #T, [](T* p, T c, T v) { return call; });
#define SCOPES(name, T)                      \
  ONE(T, #name, name(p, v))                  \
  ONE(T, #name "_block", name##_block(p, v)) \
  ONE(T, #name "_system", name##_system(p, v))
#define SCOPES_32(name) SCOPES(name, int) SCOPES(name, unsigned)
#define SCOPES_32_64(name) SCOPES_32(name) SCOPES(name, i64) SCOPES(name, u64)
#define CAS_SCOPES(T)                                 \
  TWO(T, "atomicCAS", atomicCAS(p, c, v))             \
  TWO(T, "atomicCAS_block", atomicCAS_block(p, c, v)) \
  TWO(T, "atomicCAS_system", atomicCAS_system(p, c, v))

// clang-format off
__device__ inline void integers(const Bench& bench) {
  SCOPES_32(atomicAdd) SCOPES(atomicAdd, u64)
  SCOPES_32(atomicSub)
  SCOPES_32(atomicExch) SCOPES(atomicExch, u64)
  SCOPES_32_64(atomicMin) SCOPES_32_64(atomicMax)
  SCOPES(atomicInc, unsigned) SCOPES(atomicDec, unsigned)
}

__device__ inline void bits(const Bench& bench) {
  SCOPES_32_64(atomicAnd) SCOPES_32_64(atomicOr) SCOPES_32_64(atomicXor)
}

__device__ inline void swaps(const Bench& bench) {
  CAS_SCOPES(int) CAS_SCOPES(unsigned) CAS_SCOPES(u64) CAS_SCOPES(Pair)
  TWO(unsigned short, "atomicCAS", atomicCAS(p, c, v))
  SCOPES(atomicExch, Pair)
}

__device__ inline void floats(const Bench& bench) {
  SCOPES(atomicAdd, float) SCOPES(atomicAdd, double) SCOPES(atomicExch, float)
}

__device__ inline void vectors(const Bench& bench) {
  SCOPES(atomicAdd, float2) SCOPES(atomicAdd, float4)
}
// clang-format on

// The form without a result returns the value before, which is on its left.
#define ORDERED(name, T)                                                                                        \
  ONE(T, "nv_" #name " relaxed", __nv_atomic_fetch_##name(p, v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK))  \
  ONE(T, "nv_" #name " acq_rel", __nv_atomic_fetch_##name(p, v, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE)) \
  sweep_one<T>(bench, "nv_" #name " seq_cst " #T, [](T* p, T v) {                                               \
    const T before = *p;                                                                                        \
    __nv_atomic_##name(p, v, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);                                    \
    return before;                                                                                              \
  });

// clang-format off
__device__ inline void ordered(const Bench& bench) {
  ORDERED(add, int) ORDERED(add, unsigned) ORDERED(add, u64) ORDERED(add, float) ORDERED(add, double)
  ORDERED(sub, int) ORDERED(sub, unsigned) ORDERED(sub, u64) ORDERED(sub, float) ORDERED(sub, double)
  ORDERED(min, int) ORDERED(min, unsigned) ORDERED(min, i64) ORDERED(min, u64)
  ORDERED(max, int) ORDERED(max, unsigned) ORDERED(max, i64) ORDERED(max, u64)
  ORDERED(and, int) ORDERED(and, u64) ORDERED(or, unsigned) ORDERED(or, i64) ORDERED(xor, int) ORDERED(xor, u64)
}
// clang-format on

template <class T>
__device__ T exchanged(T* p, T v) {
  T result;
  __nv_atomic_exchange(p, &v, &result, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
  return result;
}
template <class T>
__device__ T loaded_then_stored(T* p, T v) {
  T result;
  __nv_atomic_load(p, &result, __NV_ATOMIC_ACQUIRE);
  __nv_atomic_store(p, &v, __NV_ATOMIC_RELEASE);
  return result;
}
template <class T>
__device__ T loaded_then_stored_n(T* p, T v) {
  const T result = __nv_atomic_load_n(p, __NV_ATOMIC_SEQ_CST);
  __nv_atomic_store_n(p, v, __NV_ATOMIC_SEQ_CST);
  return result;
}
template <class T>
__device__ T compared(T* p, T c, T v) {
  const bool stored = __nv_atomic_compare_exchange(p, &c, &v, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED);
  return stored ? v : c;
}
template <class T>
__device__ T compared_n(T* p, T c, T v) {
  const bool stored = __nv_atomic_compare_exchange_n(p, &c, v, true, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED,
                                                     __NV_THREAD_SCOPE_CLUSTER);
  return stored ? v : c;
}

#define LOAD_STORE(T) ONE(T, "nv_store_load", loaded_then_stored(p, v))
#define LOAD_STORE_N(T) ONE(T, "nv_store_load_n", loaded_then_stored_n(p, v))
#define EXCHANGE(T) ONE(T, "nv_exchange", exchanged(p, v))
#define COMPARE(T) TWO(T, "nv_cas", compared(p, c, v))
#define COMPARE_N(T) TWO(T, "nv_cas_n", compared_n(p, c, v))

// clang-format off
__device__ inline void moved(const Bench& bench) {
  LOAD_STORE(unsigned char) LOAD_STORE(short) LOAD_STORE(int) LOAD_STORE(double) LOAD_STORE(Pair)
  LOAD_STORE_N(unsigned char) LOAD_STORE_N(u64)
  EXCHANGE(int) EXCHANGE(float) EXCHANGE(float2) EXCHANGE(Pair)
  COMPARE(short) COMPARE(float) COMPARE(float2) COMPARE(Pair)
  COMPARE_N(unsigned short) COMPARE_N(int) COMPARE_N(i64)
}
// clang-format on

constexpr int kParts = 7;

/// Runs one part of the cases; `log` counts from 0.
__global__ void edges(Cell* global, Log* log, Record* records, int values, int part) {
  WARPFIBER_SHARED(Cell, shared);
  const Bench in_global{"global", values, global, log, records};
  const Bench in_shared{"shared", values, &shared, log, records};
  // Addresses whose kind the compiler cannot know.
  Cell* volatile unknown[2] = {global, &shared};
  const Bench somewhere_global{"generic-global", values, unknown[0], log, records};
  const Bench somewhere_shared{"generic-shared", values, unknown[1], log, records};
  switch (part) {
    case 0: integers(in_global), integers(in_shared); break;
    case 1: bits(in_global), bits(in_shared); break;
    case 2: swaps(in_global), swaps(in_shared); break;
    case 3: floats(in_global), floats(in_shared), vectors(in_global); break;
    case 4: ordered(in_global), ordered(in_shared); break;
    case 5: moved(in_global), moved(in_shared); break;
    default:
      for (const Bench& bench : {somewhere_global, somewhere_shared}) {
        SCOPES(atomicAdd, float)
      }
  }
}
