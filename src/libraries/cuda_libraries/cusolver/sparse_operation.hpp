// SPDX-License-Identifier: Apache-2.0
// Handles of cuSOLVER for sparse matrices, and what every function that computes does: it checks its arguments, and
// does its work at once where arrays are the host's, and in the handle's stream where they are a device's.
#pragma once

#include <warpfiber/cuda/cusolver/sparse_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "cuda_libraries/cublas/operation.hpp"
#include "cuda_libraries/cusolver/statuses.hpp"
#include "numerics/sparse/elimination.hpp"
#include "numerics/sparse/values.hpp"
#include "record/reason.hpp"

struct cusolverSpContext {
  cudaStream_t stream = nullptr;
};

namespace warpfiber::cuda_libraries {

/// Why a call has failed; empty where it has not.
using SolverReason = record::Reason;

/// Whose memory the arrays of a function are in.
enum class ArrayHome { host, device };

/// The kind of a type of CUDA's.
template <class T>
inline constexpr auto kKindOf = numerics::NumberKind::float64;
template <>
inline constexpr auto kKindOf<float> = numerics::NumberKind::float32;
template <>
inline constexpr auto kKindOf<float2> = numerics::NumberKind::complex32;
template <>
inline constexpr auto kKindOf<double2> = numerics::NumberKind::complex64;

/// Numbers that the program has or gets.
struct NumberArray {
  numerics::NumberKind kind;
  const void* at;

  [[nodiscard]] numerics::EntryVector read(std::int64_t n) const;
  void write(const numerics::EntryVector& numbers) const;
};

template <class T>
NumberArray number_array(const T* at) {
  return {kKindOf<T>, at};
}

/// A matrix by rows as the program has it.
struct CsrMatrix {
  std::int64_t rows, columns, entries;
  const cusparseMatDescr* descriptor;
  const int* offsets;
  const int* indices;
  NumberArray values{numerics::NumberKind::float64, nullptr};  // null: the pattern alone, read as zeros

  /// The entries of each row in order; false if an index is outside of the matrix.
  [[nodiscard]] bool read(std::vector<numerics::EntryRow>& into) const;
  [[nodiscard]] int base() const;
};

class SparseSolverCall {
 public:
  SparseSolverCall(cusolverSpHandle_t handle, ArrayHome home);

  bool failed() const { return result_.failed(); }
  const SolverResult& result() const { return result_; }
  void fail(cusolverStatus_t status, const record::Reason& why) {
    if (!failed()) result_ = {status, why};
  }
  void at_least(const char* name, std::int64_t value, std::int64_t least);
  void not_null(const char* name, const void* pointer);
  /// Refuses an order of the argument `name` that does not have each number below `n` once.
  void whole_order(const char* name, const int* order, std::int64_t n);

  /// Checks the matrix, which is read.
  void reads(const CsrMatrix& matrix);
  /// `n` elements of an array.
  void reads(const char* name, const NumberArray& array, std::int64_t n);
  void writes(const char* name, const NumberArray& array, std::int64_t n);
  void reads(const char* name, const int* array, std::int64_t n);
  /// Bytes of memory that is a device's, in `columns` that are `distance` bytes apart.
  void device_memory_of(const char* name, bool writes, const void* at, std::size_t bytes, std::int64_t columns = 1,
                        std::size_t distance = 0);

  /// Does `work` and waits for it. It returns why it has failed, and nothing where it has not.
  SolverResult submit(const std::function<record::Reason()>& work);

 private:
  cudaStream_t stream_ = nullptr;
  ArrayHome home_;
  SolverResult result_{};
  CublasOperation memory_{};
};

/// Whether each number below `n` is in the order once.
bool is_order(const int* order, std::int64_t n);

/// What `work` returns.
cusolverStatus_t sparse_solver_call(const char* function, cusolverSpHandle_t handle, ArrayHome home,
                                    const std::function<SolverResult(SparseSolverCall&)>& work,
                                    const void* returns_to = __builtin_return_address(0));

}  // namespace warpfiber::cuda_libraries
