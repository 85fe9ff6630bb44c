// SPDX-License-Identifier: Apache-2.0
// Factors of sparse matrices that programs keep in cuSOLVER's infos, and what the functions of all kinds of factors do:
// they want the pattern to be analysed, say how much memory they need, and solve once the factors are computed.
#pragma once

#include <warpfiber/cuda/cusolver/factors_api.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "cuda_libraries/cusolver/sparse_operation.hpp"
#include "numerics/sparse/elimination.hpp"

namespace warpfiber::cuda_libraries {

/// What a program keeps. `pattern` has the sizes of the matrix that was analysed, -1: none was.
template <class Factors>
struct KeptFactors {
  std::int64_t rows = -1;
  std::int64_t columns = -1;
  std::vector<numerics::EntryRow> matrix{};  // that setup has read
  std::optional<Factors> factors{};
};

}  // namespace warpfiber::cuda_libraries

struct csrluInfoHost : warpfiber::cuda_libraries::KeptFactors<warpfiber::numerics::LuFactors> {};
struct csrqrInfoHost : warpfiber::cuda_libraries::KeptFactors<warpfiber::numerics::RotationFactors> {};
struct csrqrInfo : warpfiber::cuda_libraries::KeptFactors<warpfiber::numerics::RotationFactors> {};
struct csrcholInfoHost : warpfiber::cuda_libraries::KeptFactors<warpfiber::numerics::CholeskyFactors> {};
struct csrcholInfo : warpfiber::cuda_libraries::KeptFactors<warpfiber::numerics::CholeskyFactors> {};

namespace warpfiber::cuda_libraries {

/// Refuses a call whose info has no pattern.
template <class Factors>
void needs_analysis(SparseSolverCall& operation, const KeptFactors<Factors>* info) {
  operation.not_null("info", info);
  if (info != nullptr && info->rows < 0)
    operation.fail(CUSOLVER_STATUS_INVALID_VALUE, {ReasonKind::solver_call_missing, "the analysis"});
}

/// Refuses a call whose info has no factors.
template <class Factors>
void needs_factors(SparseSolverCall& operation, const KeptFactors<Factors>* info) {
  needs_analysis(operation, info);
  if (info != nullptr && !info->factors.has_value()) {
    operation.fail(CUSOLVER_STATUS_INVALID_VALUE, {ReasonKind::solver_call_missing, "the factorisation"});
  }
}

/// What a device would keep, and the memory that the program has to bring. Nothing is kept in it here: it is as large
/// as the matrix.
template <class Factors>
SolverResult put_factor_sizes(SparseSolverCall& operation, const KeptFactors<Factors>* info, const CsrMatrix& matrix,
                              std::size_t* internal, std::size_t* workspace) {
  needs_analysis(operation, info);
  operation.not_null("internalDataInBytes", internal);
  operation.not_null("workspaceInBytes", workspace);
  operation.reads(matrix);
  if (operation.failed()) return operation.result();
  const std::size_t bytes = numerics::bytes_of(matrix.values.kind) + sizeof(int);
  *internal = *workspace = bytes * static_cast<std::size_t>(matrix.entries + matrix.rows + 1);
  return {};
}

}  // namespace warpfiber::cuda_libraries
