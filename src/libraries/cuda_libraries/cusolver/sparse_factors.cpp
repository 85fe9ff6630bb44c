// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's factors of sparse matrices that are kept: L and U, Q and R, Cholesky's. A function of an info has the same
// steps for all three. What is analysed is the sizes of a matrix: elimination finds what fills in as it goes.
#include <warpfiber/cuda/cusolver/factors_api.h>

#include <iterator>
#include <utility>
#include <vector>

#include "cuda_libraries/cusolver/factors_info.hpp"
#include "cuda_libraries/cusparse/descriptors.hpp"
#include "cuda_libraries/library_object.hpp"
#include "record/reason.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using numerics::EntryRow;
using numerics::EntryVector;

template <class Factors>
SolverResult analyse(SparseSolverCall& operation, KeptFactors<Factors>* info, const CsrMatrix& pattern) {
  operation.not_null("info", info);
  operation.at_least("m", pattern.rows, pattern.columns);
  operation.reads(pattern);
  return operation.submit([&]() -> SolverReason {
    std::vector<EntryRow> rows;
    if (!pattern.read(rows)) return ReasonKind::solver_index_outside;
    info->rows = pattern.rows;
    info->columns = pattern.columns;
    info->factors.reset();
    return {};
  });
}

/// Checks that a matrix or a right side is as large as what was analysed.
template <class Factors>
void same_size(SparseSolverCall& operation, const KeptFactors<Factors>* info, std::int64_t rows, std::int64_t columns) {
  if (operation.failed() || (info->rows == rows && info->columns == columns)) return;
  operation.fail(CUSOLVER_STATUS_INVALID_VALUE, ReasonKind::solver_size_differs);
}

/// Reads the matrix, whose rows `use` is given.
template <class Factors, class Use>
SolverResult read_matrix(SparseSolverCall& operation, const KeptFactors<Factors>* info, const CsrMatrix& matrix,
                         Use use) {
  needs_analysis(operation, info);
  operation.reads(matrix);
  same_size(operation, info, matrix.rows, matrix.columns);
  return operation.submit([&]() -> SolverReason {
    std::vector<EntryRow> rows;
    if (!matrix.read(rows)) return ReasonKind::solver_index_outside;
    use(std::move(rows));
    return {};
  });
}

/// Computes the factors by `compute`, which is given the rows of the matrix.
template <class Factors, class Compute>
SolverResult factor(SparseSolverCall& operation, KeptFactors<Factors>* info, const CsrMatrix& matrix, Compute compute) {
  return read_matrix(operation, info, matrix,
                     [&](std::vector<EntryRow> rows) { info->factors.emplace(compute(std::move(rows))); });
}

/// Keeps the matrix less `shift` times the identity.
SolverResult set_up(SparseSolverCall& operation, KeptFactors<numerics::RotationFactors>* info, const CsrMatrix& matrix,
                    numerics::WideNumber shift) {
  return read_matrix(operation, info, matrix, [&](std::vector<EntryRow> rows) {
    info->matrix = shift != numerics::WideNumber(0) ? numerics::shifted(std::move(rows), shift) : std::move(rows);
  });
}

template <class Factors>
SolverResult solve(SparseSolverCall& operation, const KeptFactors<Factors>* info, std::int64_t m, std::int64_t n,
                   const NumberArray& b, const NumberArray& x) {
  needs_factors(operation, info);
  same_size(operation, info, m, n);
  operation.reads("b", b, m);
  operation.writes("x", x, n);
  return operation.submit([&]() -> SolverReason {
    x.write(info->factors->solve(b.read(m)));
    return {};
  });
}

/// Factors what was set up. `b` and `x` may both be null: then nothing is solved.
SolverResult factor_rotated(SparseSolverCall& operation, KeptFactors<numerics::RotationFactors>* info, std::int64_t m,
                            std::int64_t n, const NumberArray& b, const NumberArray& x) {
  needs_analysis(operation, info);
  same_size(operation, info, m, n);
  if (!operation.failed() && std::ssize(info->matrix) != m) {
    operation.fail(CUSOLVER_STATUS_INVALID_VALUE, {ReasonKind::solver_call_missing, "the setup"});
  }
  const bool solves = b.at != nullptr && x.at != nullptr;
  if (solves) {
    operation.reads("b", b, m);
    operation.writes("x", x, n);
  }
  return operation.submit([&]() -> SolverReason {
    info->factors.emplace(std::move(info->matrix), n);
    info->matrix.clear();
    if (solves) x.write(info->factors->solve(b.read(m)));
    return {};
  });
}

template <class Factors>
SolverResult put_zero_pivot(SparseSolverCall& operation, const KeptFactors<Factors>* info, double tolerance,
                            int* place) {
  needs_factors(operation, info);
  operation.not_null("position", place);
  return operation.submit([&]() -> SolverReason {
    *place = static_cast<int>(info->factors->zero_pivot(tolerance));
    return {};
  });
}

std::int64_t entries_of(const std::vector<EntryRow>& rows) {
  std::int64_t entries = 0;
  for (const EntryRow& row : rows) entries += std::ssize(row);
  return entries;
}

/// Where a program wants a matrix by rows.
struct CsrPlace {
  const cusparseMatDescr* descriptor;
  NumberArray values;
  int* offsets;
  int* indices;

  void check(SparseSolverCall& operation) const {
    operation.not_null("descr", descriptor);
    operation.not_null("csrVal", values.at);
    operation.not_null("csrRowPtr", offsets);
    operation.not_null("csrColInd", indices);
  }
  void write(const std::vector<EntryRow>& rows) const {
    const int base = descriptor->base == CUSPARSE_INDEX_BASE_ONE ? 1 : 0;
    EntryVector numbers;
    *offsets = base;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const auto& [column, value] : rows[i]) {
        indices[numbers.size()] = static_cast<int>(column) + base;
        numbers.push_back(value);
      }
      offsets[i + 1] = static_cast<int>(std::ssize(numbers)) + base;
    }
    values.write(numbers);
  }
};

SolverResult extract(SparseSolverCall& operation, const csrluInfoHost* info, int* row_order, int* column_order,
                     const CsrPlace& lower, const CsrPlace& upper) {
  needs_factors(operation, info);
  operation.not_null("P", row_order);
  operation.not_null("Q", column_order);
  lower.check(operation);
  upper.check(operation);
  return operation.submit([&]() -> SolverReason {
    for (std::int64_t i = 0; i < info->rows; ++i) {
      row_order[i] = static_cast<int>(info->factors->rows()[i]);
      column_order[i] = static_cast<int>(i);
    }
    lower.write(info->factors->lower());
    upper.write(info->factors->upper());
    return {};
  });
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;
using warpfiber::numerics::CholeskyFactors;
using warpfiber::numerics::LuFactors;

extern "C" {

#define WARPFIBER_INFO(Name, Info)                                                                           \
  cusolverStatus_t cusolverSpCreate##Name(Info##_t* info) {                                                  \
    return library_call<cusolverStatus_t>(__func__, [&] { return create_object<cusolverStatus_t>(info); });  \
  }                                                                                                          \
  cusolverStatus_t cusolverSpDestroy##Name(Info##_t info) {                                                  \
    return library_call<cusolverStatus_t>(__func__, [&] { return destroy_object<cusolverStatus_t>(info); }); \
  }
WARPFIBER_INFO(CsrluInfoHost, csrluInfoHost)
WARPFIBER_INFO(CsrqrInfoHost, csrqrInfoHost)
WARPFIBER_INFO(CsrcholInfoHost, csrcholInfoHost)
WARPFIBER_INFO(CsrcholInfo, csrcholInfo)

#define WARPFIBER_ANALYSIS(function, Info, home)                                                                      \
  cusolverStatus_t cusolverSpX##function(cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, \
                                         const int* csrRowPtrA, const int* csrColIndA, Info##_t info) {               \
    return sparse_solver_call(__func__, handle, ArrayHome::home, [=](SparseSolverCall& operation) {                   \
      return analyse(operation, info, {n, n, nnzA, descrA, csrRowPtrA, csrColIndA});                                  \
    });                                                                                                               \
  }
#define WARPFIBER_TALL_ANALYSIS(function, Info, home)                                               \
  cusolverStatus_t cusolverSpX##function(cusolverSpHandle_t handle, int m, int n, int nnzA,         \
                                         const cusparseMatDescr_t descrA, const int* csrRowPtrA,    \
                                         const int* csrColIndA, Info##_t info) {                    \
    return sparse_solver_call(__func__, handle, ArrayHome::home, [=](SparseSolverCall& operation) { \
      return analyse(operation, info, {m, n, nnzA, descrA, csrRowPtrA, csrColIndA});                \
    });                                                                                             \
  }
WARPFIBER_ANALYSIS(csrluAnalysisHost, csrluInfoHost, host)
WARPFIBER_ANALYSIS(csrcholAnalysisHost, csrcholInfoHost, host)
WARPFIBER_ANALYSIS(csrcholAnalysis, csrcholInfo, device)
WARPFIBER_TALL_ANALYSIS(csrqrAnalysisHost, csrqrInfoHost, host)
WARPFIBER_TALL_ANALYSIS(csrqrAnalysis, csrqrInfo, device)

cusolverStatus_t cusolverSpXcsrluNnzHost(cusolverSpHandle_t handle, int* nnzLRef, int* nnzURef, csrluInfoHost_t info) {
  return sparse_solver_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall& operation) {
    needs_factors(operation, info);
    operation.not_null("nnzLRef", nnzLRef);
    operation.not_null("nnzURef", nnzURef);
    return operation.submit([=]() -> SolverReason {
      *nnzLRef = static_cast<int>(entries_of(info->factors->lower()));
      *nnzURef = static_cast<int>(entries_of(info->factors->upper()));
      return {};
    });
  });
}

// clang-format off
#define WARPFIBER_SQUARE(t, T, R, kind, Info, Host, home)                                                              \
  cusolverStatus_t cusolverSp##t##kind##BufferInfo##Host(                                                              \
      cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA,                   \
      const int* csrRowPtrA, const int* csrColIndA, Info##_t info, size_t* internalDataInBytes,                        \
      size_t* workspaceInBytes) {                                                                                      \
    return sparse_solver_call(__func__, handle, ArrayHome::home, [=](SparseSolverCall& operation) {                       \
      return put_factor_sizes(operation, info, {n, n, nnzA, descrA, csrRowPtrA, csrColIndA, number_array(csrValA)}, \
                              internalDataInBytes, workspaceInBytes);                                                  \
    });                                                                                                                \
  }                                                                                                                    \
  cusolverStatus_t cusolverSp##t##kind##Solve##Host(cusolverSpHandle_t handle, int n, const T* b, T* x, Info##_t info, \
                                                    void*) {                                                           \
    return sparse_solver_call(__func__, handle, ArrayHome::home, [=](SparseSolverCall& operation) {                       \
      return solve(operation, info, n, n, number_array(b), number_array(x));                                     \
    });                                                                                                                \
  }                                                                                                                    \
  WARPFIBER_ZERO_PIVOT(t, R, kind, Info, Host)
#define WARPFIBER_ZERO_PIVOT(t, R, kind, Info, Host)                                                                   \
  cusolverStatus_t cusolverSp##t##kind##ZeroPivot##Host(cusolverSpHandle_t handle, Info##_t info, R tol,               \
                                                        int* position) {                                               \
    return sparse_solver_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall& operation) {                       \
      return put_zero_pivot(operation, info, tol, position);                                                           \
    });                                                                                                                \
  }
#define WARPFIBER_CHOLESKY(t, T, R, Host, home)                                                                        \
  WARPFIBER_SQUARE(t, T, R, csrchol, csrcholInfo##Host, Host, home)                                                    \
  cusolverStatus_t cusolverSp##t##csrcholFactor##Host(                                                                 \
      cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA,                   \
      const int* csrRowPtrA, const int* csrColIndA, csrcholInfo##Host##_t info, void*) {                               \
    return sparse_solver_call(__func__, handle, ArrayHome::home, [=](SparseSolverCall& operation) {                       \
      return factor(operation, info, {n, n, nnzA, descrA, csrRowPtrA, csrColIndA, number_array(csrValA)},           \
                    [](const std::vector<warpfiber::numerics::EntryRow>& rows) { return CholeskyFactors(rows); });     \
    });                                                                                                                \
  }
#define WARPFIBER_ROTATIONS(t, T, R, Host, home)                                                                       \
  WARPFIBER_ZERO_PIVOT(t, R, csrqr, csrqrInfo##Host, Host)                                                             \
  cusolverStatus_t cusolverSp##t##csrqrBufferInfo##Host(                                                               \
      cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA,            \
      const int* csrRowPtrA, const int* csrColIndA, csrqrInfo##Host##_t info, size_t* internalDataInBytes,             \
      size_t* workspaceInBytes) {                                                                                      \
    return sparse_solver_call(__func__, handle, ArrayHome::home, [=](SparseSolverCall& operation) {                       \
      return put_factor_sizes(operation, info, {m, n, nnzA, descrA, csrRowPtrA, csrColIndA, number_array(csrValA)}, \
                              internalDataInBytes, workspaceInBytes);                                                  \
    });                                                                                                                \
  }                                                                                                                    \
  cusolverStatus_t cusolverSp##t##csrqrSetup##Host(                                                                    \
      cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA,            \
      const int* csrRowPtrA, const int* csrColIndA, T mu, csrqrInfo##Host##_t info) {                                  \
    return sparse_solver_call(__func__, handle, ArrayHome::home, [=](SparseSolverCall& operation) {                       \
      return set_up(operation, info, {m, n, nnzA, descrA, csrRowPtrA, csrColIndA, number_array(csrValA)},           \
                    number_array(&mu).read(1).front());                                                             \
    });                                                                                                                \
  }                                                                                                                    \
  cusolverStatus_t cusolverSp##t##csrqrFactor##Host(cusolverSpHandle_t handle, int m, int n, int nnzA, T* b, T* x,     \
                                                    csrqrInfo##Host##_t info, void*) {                                 \
    return sparse_solver_call(__func__, handle, ArrayHome::home, [=](SparseSolverCall& operation) {                       \
      operation.at_least("nnzA", nnzA, 0);                                                                             \
      return factor_rotated(operation, info, m, n, number_array(b), number_array(x));                            \
    });                                                                                                                \
  }                                                                                                                    \
  cusolverStatus_t cusolverSp##t##csrqrSolve##Host(cusolverSpHandle_t handle, int m, int n, T* b, T* x,                \
                                                   csrqrInfo##Host##_t info, void*) {                                  \
    return sparse_solver_call(__func__, handle, ArrayHome::home, [=](SparseSolverCall& operation) {                       \
      return solve(operation, info, m, n, number_array(b), number_array(x));                                     \
    });                                                                                                                \
  }
#define WARPFIBER_LU(t, T, R)                                                                                          \
  WARPFIBER_SQUARE(t, T, R, csrlu, csrluInfoHost, Host, host)                                                          \
  cusolverStatus_t cusolverSp##t##csrluFactorHost(                                                                     \
      cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA,                   \
      const int* csrRowPtrA, const int* csrColIndA, csrluInfoHost_t info, R pivot_threshold, void*) {                  \
    return sparse_solver_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall& operation) {                       \
      return factor(operation, info, {n, n, nnzA, descrA, csrRowPtrA, csrColIndA, number_array(csrValA)},           \
                    [=](const std::vector<warpfiber::numerics::EntryRow>& rows) {                                      \
                      return LuFactors(rows, pivot_threshold);                                                         \
                    });                                                                                                \
    });                                                                                                                \
  }                                                                                                                    \
  cusolverStatus_t cusolverSp##t##csrluExtractHost(                                                                    \
      cusolverSpHandle_t handle, int* P, int* Q, const cusparseMatDescr_t descrL, T* csrValL, int* csrRowPtrL,         \
      int* csrColIndL, const cusparseMatDescr_t descrU, T* csrValU, int* csrRowPtrU, int* csrColIndU,                  \
      csrluInfoHost_t info, void*) {                                                                                   \
    return sparse_solver_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall& operation) {                       \
      return extract(operation, info, P, Q, {descrL, number_array(csrValL), csrRowPtrL, csrColIndL},                \
                     {descrU, number_array(csrValU), csrRowPtrU, csrColIndU});                                      \
    });                                                                                                                \
  }
#define WARPFIBER_FACTORS(t, T, R)                                                                                     \
  WARPFIBER_LU(t, T, R)                                                                                                \
  WARPFIBER_ROTATIONS(t, T, R, Host, host)                                                                             \
  WARPFIBER_ROTATIONS(t, T, R, , device)                                                                               \
  WARPFIBER_CHOLESKY(t, T, R, Host, host)                                                                              \
  WARPFIBER_CHOLESKY(t, T, R, , device)                                                                                \
  cusolverStatus_t cusolverSp##t##csrcholDiag(cusolverSpHandle_t handle, csrcholInfo_t info, R* diag) {                \
    return sparse_solver_call(__func__, handle, ArrayHome::device, [=](SparseSolverCall& operation) {                     \
      needs_factors(operation, info);                                                                                  \
      if (!operation.failed()) operation.writes("diag", number_array(diag), info->rows);                            \
      return operation.submit([=]() -> SolverReason {                                                                        \
        const std::vector<double> roots = info->factors->diagonal();                                                   \
        number_array(diag).write({roots.begin(), roots.end()});                                                     \
        return {};                                                                                                     \
      });                                                                                                              \
    });                                                                                                                \
  }
// clang-format on

WARPFIBER_FACTORS(S, float, float)
WARPFIBER_FACTORS(D, double, double)
WARPFIBER_FACTORS(C, float2, float)
WARPFIBER_FACTORS(Z, double2, double)

}  // extern "C"
