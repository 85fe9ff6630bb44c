// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's orders of the rows of a sparse matrix, and matrices whose rows and columns are put in another order. All
// of it is about patterns in the host's memory.
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "cuda_libraries/cusolver/sparse_operation.hpp"
#include "cuda_libraries/cusparse/descriptors.hpp"
#include "numerics/sparse/orderings.hpp"
#include "record/reason.hpp"

namespace warpfiber::cuda_libraries {

namespace {

using numerics::EntryRow;
using numerics::RowOrder;

/// A function of orderings.hpp.
using FindOrder = RowOrder (*)(const numerics::RowNeighbours&);

SolverResult put_order(SparseSolverCall& operation, const CsrMatrix& pattern, int* place, FindOrder find) {
  operation.reads(pattern);
  operation.not_null("p", place);
  return operation.submit([&]() -> SolverReason {
    std::vector<EntryRow> rows;
    if (!pattern.read(rows)) return ReasonKind::solver_index_outside;
    std::ranges::copy(find(numerics::neighbours_of(rows)), place);
    return {};
  });
}

SolverResult put_symmetry(SparseSolverCall& operation, const CsrMatrix& pattern, const int* ends, int* place) {
  operation.reads(pattern);
  operation.not_null("csrEndPtrA", ends);
  operation.not_null("issym", place);
  return operation.submit([&]() -> SolverReason {
    std::set<std::pair<std::int64_t, std::int64_t>> entries;
    const int base = pattern.base();
    for (std::int64_t i = 0; i < pattern.rows; ++i) {
      if (pattern.offsets[i] < base || ends[i] < pattern.offsets[i] || ends[i] - base > pattern.entries) {
        return ReasonKind::solver_index_outside;
      }
      for (std::int64_t at = pattern.offsets[i] - base; at < ends[i] - base; ++at) {
        entries.emplace(i, pattern.indices[at] - base);
      }
    }
    *place = std::ranges::all_of(entries, [&](const auto& entry) {
      return entries.contains({entry.second, entry.first});
    });
    return {};
  });
}

/// The orders of a matrix' rows and columns: entry (i, j) of the result is entry (rows[i], columns[j]).
struct MatrixOrders {
  const int* rows;
  const int* columns;
};

void check_orders(SparseSolverCall& operation, const CsrMatrix& pattern, const MatrixOrders& orders) {
  operation.reads(pattern);
  operation.not_null("p", orders.rows);
  operation.not_null("q", orders.columns);
  if (operation.failed()) return;
  operation.whole_order("p", orders.rows, pattern.rows);
  operation.whole_order("q", orders.columns, pattern.columns);
}

SolverResult permute(SparseSolverCall& operation, const CsrMatrix& pattern, const MatrixOrders& orders, int* map) {
  check_orders(operation, pattern, orders);
  operation.not_null("map", map);
  return operation.submit([&]() -> SolverReason {
    const int base = pattern.base();
    std::vector<EntryRow> rows;
    if (!pattern.read(rows)) return ReasonKind::solver_index_outside;
    std::vector<int> position(static_cast<std::size_t>(pattern.columns));
    for (std::int64_t j = 0; j < pattern.columns; ++j) position[orders.columns[j]] = static_cast<int>(j);
    std::vector<int> offsets{base};
    std::vector<std::pair<int, int>> entries;  // column and what the map has
    for (std::int64_t i = 0; i < pattern.rows; ++i) {
      const auto first = std::ssize(entries);
      const int row = orders.rows[i];
      for (int at = pattern.offsets[row] - base; at < pattern.offsets[row + 1] - base; ++at) {
        entries.emplace_back(position[pattern.indices[at] - base] + base, map[at]);
      }
      std::sort(entries.begin() + first, entries.end());
      offsets.push_back(static_cast<int>(std::ssize(entries)) + base);
    }
    std::ranges::copy(offsets, const_cast<int*>(pattern.offsets));
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const_cast<int*>(pattern.indices)[i] = entries[i].first;
      map[i] = entries[i].second;
    }
    return {};
  });
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

#define WARPFIBER_ORDER(function, find)                                                                               \
  cusolverStatus_t cusolverSpX##function(cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, \
                                         const int* csrRowPtrA, const int* csrColIndA, int* p) {                      \
    return sparse_solver_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall& operation) {                   \
      return put_order(operation, {n, n, nnzA, descrA, csrRowPtrA, csrColIndA}, p, warpfiber::numerics::find);        \
    });                                                                                                               \
  }
WARPFIBER_ORDER(csrsymrcmHost, reverse_cuthill_mckee)
WARPFIBER_ORDER(csrsymmdqHost, minimum_degree)
WARPFIBER_ORDER(csrsymamdHost, minimum_degree)

cusolverStatus_t cusolverSpXcsrmetisndHost(cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA,
                                           const int* csrRowPtrA, const int* csrColIndA, const int64_t*, int* p) {
  return sparse_solver_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall& operation) {
    return put_order(operation, {n, n, nnzA, descrA, csrRowPtrA, csrColIndA}, p,
                     warpfiber::numerics::nested_dissection);
  });
}
cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t handle, int m, int nnzA, const cusparseMatDescr_t descrA,
                                         const int* csrRowPtrA, const int* csrEndPtrA, const int* csrColIndA,
                                         int* issym) {
  return sparse_solver_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall& operation) {
    return put_symmetry(operation, {m, m, nnzA, descrA, csrRowPtrA, csrColIndA}, csrEndPtrA, issym);
  });
}
cusolverStatus_t cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                                   const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                                   const int* csrColIndA, const int* p, const int* q,
                                                   size_t* bufferSizeInBytes) {
  return sparse_solver_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall& operation) {
    check_orders(operation, {m, n, nnzA, descrA, csrRowPtrA, csrColIndA}, {p, q});
    operation.not_null("bufferSizeInBytes", bufferSizeInBytes);
    // Nothing is kept in it here.
    return operation.submit([=]() -> SolverReason {
      *bufferSizeInBytes = sizeof(int) * (static_cast<std::size_t>(nnzA) + static_cast<std::size_t>(m) + 1);
      return {};
    });
  });
}
cusolverStatus_t cusolverSpXcsrpermHost(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                        const cusparseMatDescr_t descrA, int* csrRowPtrA, int* csrColIndA, const int* p,
                                        const int* q, int* map, void*) {
  return sparse_solver_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall& operation) {
    return permute(operation, {m, n, nnzA, descrA, csrRowPtrA, csrColIndA}, {p, q}, map);
  });
}

}  // extern "C"
