// SPDX-License-Identifier: Apache-2.0
// Handles of cuBLAS, and what every function that computes does: it checks its arguments, collects which memory it
// reads and writes, and submits its work to the handle's stream.
#pragma once

#include <warpfiber/cuda/cublas/host_api.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "cuda_libraries/arguments.hpp"
#include "cuda_libraries/library_call.hpp"
#include "dense/matrix.hpp"
#include "device_memory/copies.hpp"
#include "record/reason.hpp"

/// A handle of the program. It is used by one thread at a time, as cuBLAS's guide asks.
struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
  bool takes_host_memory = false;  // of cuBLASXt, which waits for its results
};

namespace warpfiber::cuda_libraries {

using CublasResult = LibraryResult<cublasStatus_t>;

struct CublasStatuses {
  static constexpr cublasStatus_t in_kernel = CUBLAS_STATUS_INTERNAL_ERROR;
  static constexpr cublasStatus_t in_forked_child = CUBLAS_STATUS_NOT_INITIALIZED;
  static constexpr cublasStatus_t no_memory = CUBLAS_STATUS_ALLOC_FAILED;
  static constexpr cublasStatus_t not_supported = CUBLAS_STATUS_NOT_SUPPORTED;
  static constexpr cublasStatus_t invalid_value = CUBLAS_STATUS_INVALID_VALUE;
  static constexpr const char* page = "docs/cublas.md";
  static const char* name(cublasStatus_t status) { return cublasGetStatusName(status); }
};

/// The type that computes what CUDA's type stands for.
template <class T>
struct NumberOf {
  using type = T;
};
template <>
struct NumberOf<float2> {
  using type = std::complex<float>;
};
template <>
struct NumberOf<double2> {
  using type = std::complex<double>;
};
template <class T>
using Number = typename NumberOf<T>::type;

template <class T>
Number<T>* numbers(T* at) {
  return reinterpret_cast<Number<T>*>(at);
}
template <class T>
const Number<T>* numbers(const T* at) {
  return reinterpret_cast<const Number<T>*>(at);
}

/// `n` elements, `increment` apart. A negative increment goes through the same memory backwards.
template <class T>
struct Vector {
  T* at;
  std::ptrdiff_t n;
  std::ptrdiff_t increment;

  T* first() const { return increment < 0 ? at - (n - 1) * increment : at; }
  dense::MatrixView<T> column() const { return {first(), increment, n * increment}; }
};

/// A factor that the program gives by value, or that device memory holds when the operation's turn comes.
template <class T>
class Factor {
 public:
  Factor(const T* at, bool on_device) : on_device_(on_device ? at : nullptr), value_(on_device ? T{} : *at) {}

  T value() const { return on_device_ != nullptr ? *on_device_ : value_; }
  /// Whether it may be anything but zero.
  bool counts() const { return on_device_ != nullptr || value_ != T{}; }

 private:
  const T* on_device_;
  T value_;
};

class CublasOperation {
 public:
  CublasOperation() = default;  // collects accesses only
  explicit CublasOperation(cublasHandle_t handle, ReasonKind no_handle = ReasonKind::blas_handle_null)
      : handle_(handle) {
    if (handle == nullptr) fail(CUBLAS_STATUS_NOT_INITIALIZED, no_handle);
  }

  bool failed() const { return result_.failed(); }
  const CublasResult& result() const { return result_; }
  void fail(cublasStatus_t status, const record::Reason& why, const record::Reason& fix = {}) {
    if (!result_.failed()) result_ = {status, why, fix};
  }
  /// A pointer to a factor, or to a result on the device, which the pointer mode is about. In the host's mode the
  /// library copies results to wherever they are to be.
  void scalar(const char* name, const void* at) {
    static constexpr PointerModeNames kModes{"CUBLAS_POINTER_MODE_HOST", "CUBLAS_POINTER_MODE_DEVICE"};
    const WrongPlace wrong = wrong_place(name, at, is_on_device(), kModes);
    if (!wrong.why.empty()) fail(CUBLAS_STATUS_EXECUTION_FAILED, wrong.why, wrong.fix);
  }
  void at_least(const char* name, long long value, long long least) {
    if (value < least) fail(CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::blas_value_too_small, name, value, least});
    at_most(name, value, kMostBytes);
  }
  void at_most(const char* name, long long value, long long most) {
    if (value > most) fail(CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::blas_value_too_large, name, value, most});
  }
  /// `last`: the last value of the choice.
  void choose(const char* choice, int value, int last) {
    if (value < 0 || value > last) {
      fail(CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::blas_choice_unknown, choice, value});
    }
  }
  void not_null(const char* name, const void* at) {
    if (at == nullptr) fail(CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::end_null, name});
  }
  void not_zero(const char* name, std::int64_t increment) {
    if (increment == 0) at_least(name, 0, 1);
  }

  template <class T>
  Factor<T> factor(const char* name, const T* at) {
    static const T kNone{};
    not_null(name, at);
    if (!failed()) scalar(name, at);
    if (failed()) return {&kNone, false};
    if (is_on_device()) add(name, false, device_memory::line(at, sizeof(T)), {sizeof(T)});
    return {at, is_on_device()};
  }

  template <class T>
  void vector(const char* name, bool writes, const Vector<T>& vector) {
    if (!has_room(name, vector.n, std::abs(vector.increment), sizeof(T))) return;
    const std::size_t step = sizeof(T) * static_cast<std::size_t>(std::abs(vector.increment));
    const auto n = static_cast<std::size_t>(vector.n);
    if (step == sizeof(T)) return add(name, writes, device_memory::line(vector.at, n * step), {n * step});
    add(name, writes, device_memory::rows(vector.at, step, n), {sizeof(T), n});
  }

  void matrix(const char* name, bool writes, const void* at, std::size_t element, dense::MatrixSize size,
              std::ptrdiff_t leading) {
    const auto columns = static_cast<std::size_t>(size.columns);
    if (!has_room(name, size.columns, leading, element)) return;
    add(name, writes, device_memory::rows(at, element * static_cast<std::size_t>(leading), columns),
        {element * static_cast<std::size_t>(size.rows), columns});
  }

  template <class T>
  void triangle(const char* name, bool writes, const T* at, std::ptrdiff_t n, std::ptrdiff_t leading,
                dense::Triangle part) {
    if (!has_room(name, n, leading, sizeof(T))) return;
    const std::ptrdiff_t left_out = part.unit ? 1 : 0;
    for (std::ptrdiff_t j = 0; j < n && !failed(); ++j) {
      const std::ptrdiff_t first = part.upper ? 0 : j + left_out;
      const std::ptrdiff_t count = (part.upper ? j + 1 : n - j) - left_out;
      const auto bytes = static_cast<std::size_t>(count) * sizeof(T);
      add(name, writes, device_memory::line(at + j * leading + first, bytes), {bytes});
    }
  }

  void add(const char* name, bool writes, const process::CopyPlace& place, const process::Box& box) {
    if (handle_ != nullptr && handle_->takes_host_memory && is_ordinary_memory(place.at)) return;
    accesses_.push_back({place, box, writes, name});
    if (failed() || handle_ == nullptr || (accesses_.size() & kChecked) != 0) return;
    if (device_memory::check(accesses_.back()) == Error::success) return;
    for (const device_memory::LibraryAccess& access : accesses_) {
      const Error error = device_memory::check(access);
      if (error == Error::success) continue;
      result_ = library_result(error, CUBLAS_STATUS_EXECUTION_FAILED);
      return;
    }
  }

  device_memory::LibraryAccesses take_accesses() { return std::move(accesses_); }

  CublasResult submit(device_memory::LibraryWork work, const device_memory::LibraryCall& call = {}) {
    if (failed()) return result_;
    if (const Error failure = device_memory::device_failure(); failure != Error::success) {
      return {CUBLAS_STATUS_EXECUTION_FAILED, record::stated(error_name(failure))};
    }
    device_memory::LibraryCall submitted = call;
    if (handle_->takes_host_memory) submitted.wait = device_memory::Wait::yes;
    const Error error =
        device_memory::in_stream_with(handle_->stream, std::move(accesses_), std::move(work), submitted);
    return library_result(error, CUBLAS_STATUS_EXECUTION_FAILED);
  }

  /// Submits `compute`, which returns a result that goes where the program wants it.
  template <class R, class Compute>
  CublasResult submit_result(R* result, Compute compute) {
    if (result == nullptr) fail(CUBLAS_STATUS_MAPPING_ERROR, ReasonKind::result_pointer_null);
    if (!failed() && is_on_device()) scalar("result", result);
    if (failed()) return result_;
    if (is_on_device()) {
      add("result", true, device_memory::line(result, sizeof(R)), {sizeof(R)});
      return submit([=] { *result = compute(); });
    }
    return submit([=] { *result = compute(); }, {device_memory::Wait::yes, {}});
  }

  /// Whether factors and results are in device memory.
  bool is_on_device() const { return handle_ != nullptr && handle_->pointer_mode == CUBLAS_POINTER_MODE_DEVICE; }

 private:
  /// So often one is checked at once: there are no more of them than there is memory for.
  static constexpr std::size_t kChecked = (1U << 12) - 1;
  /// No process has more memory, and sizes of bytes below it are computed without overflow.
  static constexpr long long kMostBytes = 1LL << 47;

  bool has_room(const char* name, std::ptrdiff_t count, std::ptrdiff_t distance, std::size_t element) {
    const auto most = kMostBytes / static_cast<std::ptrdiff_t>(element);
    at_most(name, distance, most);
    if (!failed()) at_most(name, count, most / std::max<std::ptrdiff_t>(1, distance));
    return !failed();
  }

  cublasHandle_t handle_ = nullptr;
  CublasResult result_{};
  device_memory::LibraryAccesses accesses_{};
};

/// The matrix that an operation makes of one that is stored by columns.
template <class T>
dense::MatrixView<T> operand(T* at, std::ptrdiff_t leading, cublasOperation_t operation) {
  const dense::MatrixView<T> stored{at, 1, leading};
  switch (operation) {
    case CUBLAS_OP_T: return stored.transposed();
    case CUBLAS_OP_C: return stored.transposed().conjugate_of();
    case CUBLAS_OP_CONJG: return stored.conjugate_of();
    default: return stored;
  }
}

inline bool transposes(cublasOperation_t operation) {
  return operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}

/// The size in memory of the matrix that an operation makes a rows by columns one of.
inline dense::MatrixSize stored_size(std::ptrdiff_t rows, std::ptrdiff_t columns, cublasOperation_t operation) {
  return transposes(operation) ? dense::MatrixSize{columns, rows} : dense::MatrixSize{rows, columns};
}

/// What `work`, called with an CublasOperation, returns.
template <class Work>
cublasStatus_t cublas_operation(const char* function, cublasHandle_t handle, Work&& work,
                                const void* returns_to = __builtin_return_address(0)) {
  return library_call<cublasStatus_t>(
      function,
      [&] {
        CublasOperation operation(handle);
        return CublasResult(work(operation));
      },
      returns_to);
}

}  // namespace warpfiber::cuda_libraries

/// Found by the type of its argument.
warpfiber::cuda_libraries::CublasStatuses library_statuses(cublasStatus_t status);
