// SPDX-License-Identifier: Apache-2.0
// Handles of cuSOLVER, and what every function that computes does: it checks its arguments, collects which memory it
// reads and writes, and submits its work to the handle's stream.
#pragma once

#include <warpfiber/cuda/cusolver/dense_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <utility>

#include "cuda_libraries/cublas/operation.hpp"
#include "cuda_libraries/cusolver/statuses.hpp"
#include "dense/columns.hpp"
#include "dense/eigenvalues.hpp"
#include "record/reason.hpp"

/// A handle of the program. It is used by one thread at a time.
struct cusolverDnContext {
  cudaStream_t stream = nullptr;
  cusolverDeterministicMode_t mode = CUSOLVER_DETERMINISTIC_RESULTS;
};

namespace warpfiber::cuda_libraries {

/// What a program sets Jacobi's methods to, and what the last call did. Calls that have not run yet keep their outcome.
struct JacobiSettings {
  dense::JacobiLimits limits{};
  std::shared_ptr<dense::JacobiOutcome> outcome = std::make_shared<dense::JacobiOutcome>();
};

}  // namespace warpfiber::cuda_libraries

struct syevjInfo : warpfiber::cuda_libraries::JacobiSettings {};
struct gesvdjInfo : warpfiber::cuda_libraries::JacobiSettings {};

namespace warpfiber::cuda_libraries {

using dense::Columns;
using dense::MatrixSize;
using dense::Real;

/// Memory that a function of cuSOLVER may overwrite, of `size` elements.
template <class T>
struct Workspace {
  T* at;
  std::int64_t size;
};

/// How many elements of memory a function asks for that works on m by n matrices. None is needed here.
constexpr std::int64_t workspace_size(std::int64_t m, std::int64_t n) {
  constexpr std::int64_t kBlock = 32;
  return kBlock * std::max<std::int64_t>({1, m, n});
}

/// An argument of a function, and its position, counted from 1 without the handle; 0: not one that devInfo names.
struct Argument {
  const char* name;
  int position = 0;
};

/// A number of rows or columns, or how far columns lie apart.
struct NamedSize {
  const char* name;
  std::int64_t value;
};

class SolverOperation {
 public:
  explicit SolverOperation(cusolverDnHandle_t handle) : handle_(handle) {
    if (handle == nullptr) fail(CUSOLVER_STATUS_NOT_INITIALIZED, ReasonKind::solver_handle_null);
  }

  bool failed() const { return result_.failed(); }
  const SolverResult& result() const { return result_; }
  void fail(cusolverStatus_t status, const record::Reason& why) {
    if (!failed()) result_ = {status, why};
  }
  void at_least(const Argument& argument, std::int64_t value, std::int64_t least) {
    if (value < least) refuse(argument, {ReasonKind::blas_value_too_small, argument.name, value, least});
  }
  void choose(const Argument& argument, int value, int first, int last) {
    if (value < first || value > last) refuse(argument, {ReasonKind::blas_choice_unknown, argument.name, value});
  }
  void fill_mode(cublasFillMode_t part, int position) {
    choose({"fill mode", position}, part, CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER);
  }
  void not_null(const char* name, const void* pointer) {
    if (pointer == nullptr) fail(CUSOLVER_STATUS_INVALID_VALUE, {ReasonKind::end_null, name});
  }
  /// Checks a number of rows and the distance of columns.
  void rows(const Argument& argument, std::int64_t count, const Argument& leading, std::int64_t distance) {
    at_least(argument, count, 0);
    at_least(leading, distance, std::max<std::int64_t>(1, count));
  }
  /// Refuses a call with right arguments that LAPACK computes, where it is not there or takes no such sizes.
  void needs_lapack(std::initializer_list<NamedSize> sizes, std::int64_t most = std::numeric_limits<int>::max());
  void refuse(const Argument& argument, const record::Reason& why) {
    if (failed()) return;
    fail(CUSOLVER_STATUS_INVALID_VALUE, why);
    wrong_ = argument.position;
  }

  template <class T>
  void reads(const char* name, Columns<T> a, MatrixSize size) {
    memory_.matrix(name, false, a.at, sizeof(T), size, a.leading);
  }
  template <class T>
  void writes(const char* name, Columns<T> a, MatrixSize size) {
    memory_.matrix(name, true, a.at, sizeof(T), size, a.leading);
  }
  template <class T>
  void changes(const char* name, Columns<T> a, MatrixSize size) {
    reads(name, a, size);
    writes(name, a, size);
  }
  template <class T>
  void reads_triangle(const char* name, Columns<T> a, std::int64_t n, bool upper) {
    memory_.triangle(name, false, a.at, n, a.leading, {upper, false});
  }
  template <class T>
  void changes_triangle(const char* name, Columns<T> a, std::int64_t n, bool upper) {
    for (const bool writes : {false, true}) memory_.triangle(name, writes, a.at, n, a.leading, {upper, false});
  }
  template <class T>
  void reads(const char* name, const T* at, std::int64_t n) {
    memory_.vector(name, false, Vector<const T>{at, n, 1});
  }
  template <class T>
  void writes(const char* name, T* at, std::int64_t n) {
    memory_.vector(name, true, Vector<T>{at, n, 1});
  }
  /// As many elements of the workspace as a function asks for count as written. As on a device, a smaller one is not
  /// refused.
  template <class T>
  void uses(const Workspace<T>& work, std::int64_t needed) {
    writes("Workspace", work.at, std::clamp<std::int64_t>(work.size, 0, needed));
  }

  /// Submits `work`, which returns what goes to devInfo.
  template <class Work>
  SolverResult submit(int* info, Work work, device_memory::Wait wait = device_memory::Wait::no) {
    not_null("devInfo", info);
    if (failed()) return refused(info);
    writes("devInfo", info, 1);
    return submit_work([=] { *info = static_cast<int>(work()); }, {wait, {}});
  }
  /// The result of a call whose arguments are wrong: devInfo gets the position of the first, below zero.
  SolverResult refused(int* info) {
    if (info == nullptr || wrong_ == 0) return result_;
    const device_memory::LibraryAccess access{device_memory::line(info, sizeof *info), {sizeof *info}, true, "devInfo"};
    device_memory::in_stream_with(handle_->stream, {access}, [info, wrong = wrong_] { *info = -wrong; });
    return result_;
  }
  SolverResult submit_work(device_memory::LibraryWork work, const device_memory::LibraryCall& call = {}) {
    if (failed()) return result_;
    if (const Error failure = device_memory::device_failure(); failure != Error::success) {
      return {CUSOLVER_STATUS_EXECUTION_FAILED, record::stated(error_name(failure))};
    }
    const Error error = device_memory::in_stream_with(handle_->stream, memory_.take_accesses(), std::move(work), call);
    return library_result(error, CUSOLVER_STATUS_EXECUTION_FAILED);
  }

  /// The result of a function that says how much memory another one needs.
  template <class Count>
  SolverResult needs(Count* count, std::int64_t elements) {
    not_null("Lwork", count);
    if (!failed()) *count = static_cast<Count>(elements);
    return result_;
  }

 private:
  cusolverDnHandle_t handle_;
  SolverResult result_{};
  int wrong_ = 0;
  CublasOperation memory_{};
};

template <class T>
Columns<Number<T>> columns(T* at, std::int64_t leading) {
  return {numbers(at), leading};
}
template <class T>
Columns<const Number<T>> columns(const T* at, std::int64_t leading) {
  return {numbers(at), leading};
}
template <class T>
Workspace<Number<T>> workspace(T* at, std::int64_t size) {
  return {numbers(at), size};
}

inline bool is_upper(cublasFillMode_t part) {
  return part == CUBLAS_FILL_MODE_UPPER;
}

/// What `work`, called with a SolverOperation, returns.
template <class Work>
cusolverStatus_t solver_operation(const char* function, cusolverDnHandle_t handle, Work&& work,
                                  const void* returns_to = __builtin_return_address(0)) {
  return library_call<cusolverStatus_t>(
      function,
      [&] {
        SolverOperation operation(handle);
        return SolverResult(work(operation));
      },
      returns_to);
}

}  // namespace warpfiber::cuda_libraries
