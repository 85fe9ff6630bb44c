// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's refactorisation: a matrix is set up with its factors' pattern, gets new numbers, is factored again, and
// solves systems. Its operations are in the null stream, as there is no other. L has the unit diagonal here, whatever
// the program has chosen; factors that it asks for are as it has chosen.
#include <warpfiber/cuda/cusolver/refactorisation_api.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "cuda_libraries/cusolver/sparse_operation.hpp"
#include "cuda_libraries/library_object.hpp"
#include "device_memory/table.hpp"
#include "numerics/sparse/refactorisation.hpp"
#include "process/current_device.hpp"

namespace warpfiber::cuda_libraries {

using numerics::RealRow;
using numerics::Refactorisation;

/// Memory of a device that a handle has given the program.
struct FactorMemory {
  FactorMemory() = default;
  FactorMemory(FactorMemory&& other) noexcept : at(std::exchange(other.at, nullptr)) {}
  FactorMemory& operator=(FactorMemory&&) = delete;
  ~FactorMemory() { release(); }

  void release() {
    using device_memory::MemoryKind;
    if (at != nullptr) device_memory::release(std::exchange(at, nullptr), MemoryKind::device, MemoryKind::device);
  }

  void* at = nullptr;
};

}  // namespace warpfiber::cuda_libraries

struct cusolverRfCommon {
  cusolverRfMatrixFormat_t format = CUSOLVERRF_MATRIX_FORMAT_CSR;
  cusolverRfUnitDiagonal_t diagonal = CUSOLVERRF_UNIT_DIAGONAL_STORED_L;
  warpfiber::numerics::PivotLimits limits{};
  cusolverRfFactorization_t factor_algorithm = CUSOLVERRF_FACTORIZATION_ALG0;
  cusolverRfTriangularSolve_t solve_algorithm = CUSOLVERRF_TRIANGULAR_SOLVE_ALG1;
  cusolverRfResetValuesFastMode_t fast_mode = CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF;
  int n = 0;
  bool is_analysed = false;
  std::shared_ptr<warpfiber::numerics::Refactorisation> factors{};  // null: nothing is set up
  warpfiber::cuda_libraries::FactorMemory offsets{}, indices{}, values{};

  bool has_unit_upper() const {
    return diagonal == CUSOLVERRF_UNIT_DIAGONAL_STORED_U || diagonal == CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U;
  }
  bool stores_unit() const {
    return diagonal == CUSOLVERRF_UNIT_DIAGONAL_STORED_L || diagonal == CUSOLVERRF_UNIT_DIAGONAL_STORED_U;
  }
};

namespace warpfiber::cuda_libraries {
namespace {

/// A matrix as the program has it, by rows or by columns, whose indices begin with 0.
struct RealMatrix {
  const char* offsets_name;
  int entries;
  const int* offsets;
  const int* indices;
  const double* values;

  void check(SparseSolverCall& operation, int n) const {
    operation.at_least("n", n, 0);
    operation.at_least("nnz", entries, 0);
    if (operation.failed()) return;
    operation.reads(offsets_name, offsets, n + 1);
    operation.reads("column indices", indices, entries);
    operation.reads("values", number_array(values), entries);
  }
  /// False if an index is outside of the matrix.
  bool read(int n, cusolverRfMatrixFormat_t format, std::vector<RealRow>& rows) const {
    rows.resize(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      if (offsets[i] < 0 || offsets[i + 1] < offsets[i] || offsets[i + 1] > entries) return false;
      for (int at = offsets[i]; at < offsets[i + 1]; ++at) {
        if (indices[at] < 0 || indices[at] >= n) return false;
        const bool by_row = format == CUSOLVERRF_MATRIX_FORMAT_CSR;
        rows[by_row ? i : indices[at]].emplace_back(by_row ? indices[at] : i, values[at]);
      }
    }
    for (RealRow& row : rows) std::ranges::sort(row, {}, &RealRow::value_type::first);
    return true;
  }
};

/// The orders of rows and columns as the program has them.
struct GivenOrders {
  const int* rows;
  const int* columns;

  void check(SparseSolverCall& operation, int n) const {
    operation.reads("P", rows, n);
    operation.reads("Q", columns, n);
  }
  SolverReason read(int n, numerics::PivotOrders& orders) const {
    if (!is_order(rows, n)) return {ReasonKind::solver_order_incomplete, "P", n};
    if (!is_order(columns, n)) return {ReasonKind::solver_order_incomplete, "Q", n};
    orders = {{rows, rows + n}, {columns, columns + n}};
    return {};
  }
};

/// Calls `work`, which returns a SolverResult, if there is a handle.
cusolverStatus_t rf_call(const char* function, cusolverRfHandle_t handle, ArrayHome home,
                         const std::function<SolverResult(SparseSolverCall&)>& work,
                         const void* returns_to = __builtin_return_address(0)) {
  cusolverSpContext in_null_stream;
  return sparse_solver_call(function, handle == nullptr ? nullptr : &in_null_stream, home, work, returns_to);
}

SolverResult missing(const char* call) {
  return {CUSOLVER_STATUS_NOT_INITIALIZED, {ReasonKind::solver_call_missing, call}};
}

struct SetupArguments {
  int n;
  RealMatrix a, lower, upper;
  GivenOrders orders;
};

SolverResult set_up_factors(SparseSolverCall& operation, cusolverRfHandle_t handle, const SetupArguments& of) {
  for (const RealMatrix* matrix : {&of.a, &of.lower, &of.upper}) matrix->check(operation, of.n);
  if (!operation.failed()) of.orders.check(operation, of.n);
  return operation.submit([&]() -> SolverReason {
    std::vector<RealRow> a, lower, upper;
    numerics::PivotOrders orders;
    if (!of.a.read(of.n, handle->format, a) || !of.lower.read(of.n, handle->format, lower) ||
        !of.upper.read(of.n, handle->format, upper)) {
      return ReasonKind::solver_index_outside;
    }
    if (record::Reason why = of.orders.read(of.n, orders); !why.empty()) return why;
    handle->factors = std::make_shared<Refactorisation>(a, lower, upper, orders);
    handle->factors->reset(a, orders);
    handle->n = of.n;
    handle->is_analysed = false;
    return {};
  });
}

SolverResult reset_values(SparseSolverCall& operation, cusolverRfHandle_t handle, int n, const RealMatrix& a,
                          const GivenOrders& given) {
  if (handle->factors == nullptr) return missing("the setup");
  if (n != handle->n) operation.fail(CUSOLVER_STATUS_INVALID_VALUE, ReasonKind::solver_size_differs);
  a.check(operation, n);
  if (!operation.failed()) given.check(operation, n);
  return operation.submit([&]() -> SolverReason {
    std::vector<RealRow> rows;
    numerics::PivotOrders orders;
    if (!a.read(n, handle->format, rows)) return ReasonKind::solver_index_outside;
    if (record::Reason why = given.read(n, orders); !why.empty()) return why;
    if (!handle->factors->reset(rows, orders)) return ReasonKind::solver_index_outside;
    return {};
  });
}

SolverResult refactor(SparseSolverCall& operation, cusolverRfHandle_t handle) {
  if (handle->factors == nullptr) return missing("the setup");
  if (!handle->is_analysed) return missing("the analysis");
  std::int64_t without_pivot = -1;
  const SolverResult done = operation.submit([&]() -> SolverReason {
    without_pivot = handle->factors->refactor(handle->limits);
    return {};
  });
  if (done.failed() || without_pivot < 0) return done;
  return {CUSOLVER_STATUS_ZERO_PIVOT, {ReasonKind::solver_row_without_pivot, without_pivot}};
}

/// Solutions of `nrhs` systems, one in each column.
struct RightSides {
  int count;
  double* at;
  int leading;
};

SolverResult solve_with(SparseSolverCall& operation, cusolverRfHandle_t handle, const GivenOrders& given,
                        const RightSides& sides) {
  if (handle->factors == nullptr) return missing("the setup");
  const int n = handle->n;
  operation.at_least("nrhs", sides.count, 0);
  operation.at_least("ldxf", sides.leading, std::max(1, n));
  given.check(operation, n);
  const std::size_t bytes = sizeof(double) * static_cast<std::size_t>(n);
  for (const bool writes : {false, true}) {
    operation.device_memory_of("XF", writes, sides.at, bytes, sides.count, sizeof(double) * sides.leading);
  }
  return operation.submit([&]() -> SolverReason {
    numerics::PivotOrders orders;
    if (record::Reason why = given.read(n, orders); !why.empty()) return why;
    for (std::ptrdiff_t j = 0; j < sides.count; ++j) handle->factors->solve(sides.at + j * sides.leading, orders);
    return {};
  });
}

/// Rows of factors that are put together as arrays.
struct FactorRows {
  std::vector<int> offsets{0};
  std::vector<int> indices{};
  std::vector<double> values{};

  void add(std::int64_t column, double value) {
    indices.push_back(static_cast<int>(column));
    values.push_back(value);
  }
  void end_row() { offsets.push_back(static_cast<int>(std::ssize(indices))); }
};

struct SplitFactors {
  FactorRows lower, upper, bundled;
};

/// The factors as the program has chosen: a unit diagonal of U divides its rows by their diagonal.
SplitFactors split(const cusolverRfCommon& of) {
  SplitFactors split;
  const std::vector<RealRow>& rows = of.factors->factors();
  std::vector<double> diagonal;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    diagonal.push_back(std::ranges::find(rows[i], static_cast<std::int64_t>(i), &RealRow::value_type::first)->second);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [column, value] : rows[i]) {
      const auto row = static_cast<std::int64_t>(i);
      const bool unit_upper = of.has_unit_upper();
      const double number = !unit_upper || column == row ? value
                            : column < row               ? value * diagonal[column]
                                                         : value / diagonal[i];
      split.bundled.add(column, number);
      const bool is_pivot = column == row;
      if (column < row || (is_pivot && unit_upper)) split.lower.add(column, number);
      if (column > row || (is_pivot && !unit_upper)) split.upper.add(column, number);
      if (is_pivot && of.stores_unit()) (unit_upper ? split.upper : split.lower).add(column, 1);
    }
    split.bundled.end_row();
    split.lower.end_row();
    split.upper.end_row();
  }
  return split;
}

/// Memory that the program frees.
template <class T>
void give(const std::vector<T>& from, T** place) {
  *place = static_cast<T*>(std::malloc(std::max<std::size_t>(1, from.size() * sizeof(T))));
  if (*place == nullptr) throw std::bad_alloc();
  std::ranges::copy(from, *place);
}

void give(const FactorRows& arrays, int* entries, int** offsets, int** indices, double** values) {
  *entries = static_cast<int>(std::ssize(arrays.indices));
  give(arrays.offsets, offsets);
  give(arrays.indices, indices);
  give(arrays.values, values);
}

template <class T>
SolverResult give_on_device(SparseSolverCall operation, const std::vector<T>& from, FactorMemory& memory, T** place) {
  memory.release();
  const std::size_t bytes = std::max<std::size_t>(1, from.size()) * sizeof(T);
  const Error error =
      device_memory::allocate(device_memory::MemoryKind::device, process::current_device(), bytes, 0, &memory.at);
  if (error != Error::success) return library_result(error, CUSOLVER_STATUS_ALLOC_FAILED);
  *place = static_cast<T*>(memory.at);
  operation.device_memory_of("factors", true, *place, from.size() * sizeof(T));
  return operation.submit([&]() -> SolverReason {
    std::ranges::copy(from, *place);
    return {};
  });
}

template <class Value>
cusolverStatus_t put_setting(const char* function, cusolverRfHandle_t handle, Value* place,
                             Value cusolverRfCommon::*member, const void* returns_to = __builtin_return_address(0)) {
  return rf_call(
      function, handle, ArrayHome::host,
      [=](SparseSolverCall&) { return put_result<cusolverStatus_t>(place, handle->*member); }, returns_to);
}

SolverResult unknown_choice(const char* choice, int value) {
  return {CUSOLVER_STATUS_INVALID_VALUE, {ReasonKind::blas_choice_unknown, choice, value}};
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cusolverStatus_t cusolverRfCreate(cusolverRfHandle_t* handle) {
  return library_call<cusolverStatus_t>(__func__, [&] { return create_object<cusolverStatus_t>(handle); });
}
cusolverStatus_t cusolverRfDestroy(cusolverRfHandle_t handle) {
  return rf_call(__func__, handle, ArrayHome::host,
                 [=](SparseSolverCall&) { return destroy_object<cusolverStatus_t>(handle); });
}
cusolverStatus_t cusolverRfGetMatrixFormat(cusolverRfHandle_t handle, cusolverRfMatrixFormat_t* format,
                                           cusolverRfUnitDiagonal_t* diag) {
  return rf_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall&) {
    const SolverResult put = put_result<cusolverStatus_t>(format, handle->format);
    return put.failed() ? put : put_result<cusolverStatus_t>(diag, handle->diagonal);
  });
}
cusolverStatus_t cusolverRfSetMatrixFormat(cusolverRfHandle_t handle, cusolverRfMatrixFormat_t format,
                                           cusolverRfUnitDiagonal_t diag) {
  return rf_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall&) -> SolverResult {
    if (format < 0 || format > CUSOLVERRF_MATRIX_FORMAT_CSC) return unknown_choice("format", format);
    if (diag < 0 || diag > CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U) return unknown_choice("diagonal", diag);
    handle->format = format;
    handle->diagonal = diag;
    return {};
  });
}
cusolverStatus_t cusolverRfSetNumericProperties(cusolverRfHandle_t handle, double zero, double boost) {
  return rf_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall&) -> SolverResult {
    handle->limits = {zero, boost};
    return {};
  });
}
cusolverStatus_t cusolverRfGetNumericProperties(cusolverRfHandle_t handle, double* zero, double* boost) {
  return rf_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall&) {
    const SolverResult put = put_result<cusolverStatus_t>(zero, handle->limits.zero);
    return put.failed() ? put : put_result<cusolverStatus_t>(boost, handle->limits.boost);
  });
}
cusolverStatus_t cusolverRfGetNumericBoostReport(cusolverRfHandle_t handle, cusolverRfNumericBoostReport_t* report) {
  return rf_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall&) {
    const bool boosted = handle->factors != nullptr && handle->factors->was_boosted();
    return put_result<cusolverStatus_t>(report,
                                        boosted ? CUSOLVERRF_NUMERIC_BOOST_USED : CUSOLVERRF_NUMERIC_BOOST_NOT_USED);
  });
}
cusolverStatus_t cusolverRfSetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t factAlg,
                                   cusolverRfTriangularSolve_t solveAlg) {
  return rf_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall&) -> SolverResult {
    if (factAlg < 0 || factAlg > CUSOLVERRF_FACTORIZATION_ALG2) return unknown_choice("algorithm", factAlg);
    if (solveAlg < CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 || solveAlg > CUSOLVERRF_TRIANGULAR_SOLVE_ALG3) {
      return unknown_choice("algorithm", solveAlg);
    }
    handle->factor_algorithm = factAlg;
    handle->solve_algorithm = solveAlg;
    return {};
  });
}
cusolverStatus_t cusolverRfGetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t* factAlg,
                                   cusolverRfTriangularSolve_t* solveAlg) {
  return rf_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall&) {
    const SolverResult put = put_result<cusolverStatus_t>(factAlg, handle->factor_algorithm);
    return put.failed() ? put : put_result<cusolverStatus_t>(solveAlg, handle->solve_algorithm);
  });
}
cusolverStatus_t cusolverRfGetResetValuesFastMode(cusolverRfHandle_t handle,
                                                  cusolverRfResetValuesFastMode_t* fastMode) {
  return put_setting(__func__, handle, fastMode, &cusolverRfCommon::fast_mode);
}
cusolverStatus_t cusolverRfSetResetValuesFastMode(cusolverRfHandle_t handle, cusolverRfResetValuesFastMode_t fastMode) {
  return rf_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall&) -> SolverResult {
    if (fastMode < 0 || fastMode > CUSOLVERRF_RESET_VALUES_FAST_MODE_ON) return unknown_choice("mode", fastMode);
    handle->fast_mode = fastMode;
    return {};
  });
}

cusolverStatus_t cusolverRfSetupHost(int n, int nnzA, int* h_csrRowPtrA, int* h_csrColIndA, double* h_csrValA, int nnzL,
                                     int* h_csrRowPtrL, int* h_csrColIndL, double* h_csrValL, int nnzU,
                                     int* h_csrRowPtrU, int* h_csrColIndU, double* h_csrValU, int* h_P, int* h_Q,
                                     cusolverRfHandle_t handle) {
  return rf_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall& operation) {
    return set_up_factors(operation, handle,
                          {n,
                           {"csrRowPtrA", nnzA, h_csrRowPtrA, h_csrColIndA, h_csrValA},
                           {"csrRowPtrL", nnzL, h_csrRowPtrL, h_csrColIndL, h_csrValL},
                           {"csrRowPtrU", nnzU, h_csrRowPtrU, h_csrColIndU, h_csrValU},
                           {h_P, h_Q}});
  });
}
cusolverStatus_t cusolverRfSetupDevice(int n, int nnzA, int* csrRowPtrA, int* csrColIndA, double* csrValA, int nnzL,
                                       int* csrRowPtrL, int* csrColIndL, double* csrValL, int nnzU, int* csrRowPtrU,
                                       int* csrColIndU, double* csrValU, int* P, int* Q, cusolverRfHandle_t handle) {
  return rf_call(__func__, handle, ArrayHome::device, [=](SparseSolverCall& operation) {
    return set_up_factors(operation, handle,
                          {n,
                           {"csrRowPtrA", nnzA, csrRowPtrA, csrColIndA, csrValA},
                           {"csrRowPtrL", nnzL, csrRowPtrL, csrColIndL, csrValL},
                           {"csrRowPtrU", nnzU, csrRowPtrU, csrColIndU, csrValU},
                           {P, Q}});
  });
}
cusolverStatus_t cusolverRfResetValues(int n, int nnzA, int* csrRowPtrA, int* csrColIndA, double* csrValA, int* P,
                                       int* Q, cusolverRfHandle_t handle) {
  return rf_call(__func__, handle, ArrayHome::device, [=](SparseSolverCall& operation) {
    return reset_values(operation, handle, n, {"csrRowPtrA", nnzA, csrRowPtrA, csrColIndA, csrValA}, {P, Q});
  });
}
cusolverStatus_t cusolverRfAnalyze(cusolverRfHandle_t handle) {
  return rf_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall&) -> SolverResult {
    if (handle->factors == nullptr) return missing("the setup");
    handle->is_analysed = true;
    return {};
  });
}
cusolverStatus_t cusolverRfRefactor(cusolverRfHandle_t handle) {
  return rf_call(__func__, handle, ArrayHome::device,
                 [=](SparseSolverCall& operation) { return refactor(operation, handle); });
}
cusolverStatus_t cusolverRfSolve(cusolverRfHandle_t handle, int* P, int* Q, int nrhs, double*, int, double* XF,
                                 int ldxf) {
  return rf_call(__func__, handle, ArrayHome::device, [=](SparseSolverCall& operation) {
    return solve_with(operation, handle, {P, Q}, {nrhs, XF, ldxf});
  });
}
cusolverStatus_t cusolverRfAccessBundledFactorsDevice(cusolverRfHandle_t handle, int* nnzM, int** Mp, int** Mi,
                                                      double** Mx) {
  return rf_call(__func__, handle, ArrayHome::device, [=](SparseSolverCall& operation) -> SolverResult {
    if (handle->factors == nullptr) return missing("the setup");
    for (const void* place : {static_cast<const void*>(nnzM), static_cast<const void*>(Mp),
                              static_cast<const void*>(Mi), static_cast<const void*>(Mx)}) {
      operation.not_null("result", place);
    }
    if (operation.failed()) return operation.result();
    const FactorRows arrays = split(*handle).bundled;
    *nnzM = static_cast<int>(std::ssize(arrays.indices));
    SolverResult given = give_on_device(operation, arrays.offsets, handle->offsets, Mp);
    if (!given.failed()) given = give_on_device(operation, arrays.indices, handle->indices, Mi);
    return given.failed() ? given : give_on_device(operation, arrays.values, handle->values, Mx);
  });
}
cusolverStatus_t cusolverRfExtractBundledFactorsHost(cusolverRfHandle_t handle, int* h_nnzM, int** h_Mp, int** h_Mi,
                                                     double** h_Mx) {
  return rf_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall& operation) -> SolverResult {
    if (handle->factors == nullptr) return missing("the setup");
    return operation.submit([=]() -> SolverReason {
      give(split(*handle).bundled, h_nnzM, h_Mp, h_Mi, h_Mx);
      return {};
    });
  });
}
cusolverStatus_t cusolverRfExtractSplitFactorsHost(cusolverRfHandle_t handle, int* h_nnzL, int** h_csrRowPtrL,
                                                   int** h_csrColIndL, double** h_csrValL, int* h_nnzU,
                                                   int** h_csrRowPtrU, int** h_csrColIndU, double** h_csrValU) {
  return rf_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall& operation) -> SolverResult {
    if (handle->factors == nullptr) return missing("the setup");
    return operation.submit([=]() -> SolverReason {
      const SplitFactors factors = split(*handle);
      give(factors.lower, h_nnzL, h_csrRowPtrL, h_csrColIndL, h_csrValL);
      give(factors.upper, h_nnzU, h_csrRowPtrU, h_csrColIndU, h_csrValU);
      return {};
    });
  });
}

}  // extern "C"
