// SPDX-License-Identifier: Apache-2.0
// Triangular systems. An analysis keeps the values of the matrix, as on a device; solutions use those, or what has
// replaced them since.
#include "cuda_libraries/cusparse/operation.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using numerics::DenseMatrix;
using numerics::MatrixUse;
using numerics::Scalar;
using numerics::SolvedValues;
using numerics::SparseFormat;
using numerics::SparseMatrix;
using numerics::SparseTriangle;

/// use_a(a) * c = alpha * use_b(b).
struct TriangleSystem {
  cusparseOperation_t use_a;
  cusparseOperation_t use_b;
  const void* alpha;
  const cusparseSpMatDescr* a;
  const DenseMatrix& b;
  cudaDataType b_type;
  const DenseMatrix& c;
  cudaDataType c_type;
  cudaDataType compute_type;
  cusparseSpSVDescr* descr;
};

/// What is refused even where only the size of the buffer is asked for.
void check_matrix(SparseOperation& operation, cusparseOperation_t use, const void* alpha, const cusparseSpMatDescr* a,
                  const cusparseSpSVDescr* descr) {
  operation.need(alpha, a, descr);
  if (operation.failed()) return;
  const SparseFormat format = a->matrix.format;
  operation.support(format == SparseFormat::csr || format == SparseFormat::coo || format == SparseFormat::sliced_ell,
                    ReasonKind::sparse_format_not_taken);
  operation.refuse_unless(a->matrix.rows == a->matrix.columns, ReasonKind::sparse_not_square);
  operation.refuse_unless(use != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE || is_complex(a->matrix.kind),
                          ReasonKind::sparse_no_conjugates);
}

void check_system(SparseOperation& operation, const TriangleSystem& system) {
  check_matrix(operation, system.use_a, system.alpha, system.a, system.descr);
  if (operation.failed()) return;
  const UsedSize right = used_size(system.b, system.use_b);
  operation.refuse_unless(
      right.rows == system.a->matrix.rows && system.c.rows == right.rows && system.c.columns == right.columns,
      ReasonKind::sparse_sizes_differ);
  const cudaDataType type = system.compute_type;
  operation.support(type == system.a->type && type == system.b_type && type == system.c_type &&
                        value_kind_of(type).has_value() && type != CUDA_R_16F && type != CUDA_R_16BF,
                    ReasonKind::sparse_types_not_modelled);
}

SparseResult analyse(SparseOperation& operation, const cusparseSpMatDescr* of, cusparseSpSVDescr* descr) {
  if (operation.failed()) return operation.result();
  const SparseMatrix& a = of->matrix;
  operation.reads(a);
  const auto values = std::make_shared<SolvedValues>();
  descr->values = values;
  descr->matrix = a;
  return operation.submit([values, a] { *values = numerics::values_of(a); });
}

SparseResult solve(SparseOperation& operation, const TriangleSystem& system, const char* analysis) {
  check_system(operation, system);
  if (!operation.failed() && system.descr->values == nullptr) {
    operation.fail({CUSPARSE_STATUS_NOT_INITIALIZED, {ReasonKind::sparse_call_missing, analysis}});
  }
  if (operation.failed()) return operation.result();
  const Scalar alpha = operation.scalar(system.alpha, system.compute_type);
  const SparseMatrix& a = system.a->matrix;
  operation.reads_indices(a);
  operation.dense(false, system.b);
  operation.dense(true, system.c);
  const SparseTriangle triangle{system.a->fill == CUSPARSE_FILL_MODE_UPPER,
                                system.a->diagonal == CUSPARSE_DIAG_TYPE_UNIT};
  return operation.submit(
      [a, alpha, triangle, values = system.descr->values, b = system.b, c = system.c, use_a = use_of(system.use_a),
       use_b = use_of(system.use_b)] { numerics::solve_triangle(a, *values, triangle, use_a, b, use_b, c, alpha); });
}

/// Replaces values of the analysis, in the order of the stream.
SparseResult update(SparseOperation& operation, cusparseSpSVDescr* descr, const void* values, bool diagonal,
                    const char* analysis) {
  operation.need(descr, values);
  if (!operation.failed() && !descr->matrix.has_value()) {
    operation.fail({CUSPARSE_STATUS_NOT_INITIALIZED, {ReasonKind::sparse_call_missing, analysis}});
  }
  if (operation.failed()) return operation.result();
  SparseMatrix from = *descr->matrix;
  from.values = values;
  if (diagonal) {
    from.format = SparseFormat::coo;  // one value for each row
    from.entries = from.rows;
  }
  operation.values(false, from);
  return operation.submit([from, diagonal, to = descr->values] {
    std::vector<numerics::WideNumber> read = numerics::values_of(from).entries;
    if (diagonal) {
      to->diagonal = std::move(read);
    } else {
      *to = {std::move(read), {}};
    }
  });
}

constexpr cusparseOperation_t kVector = CUSPARSE_OPERATION_NON_TRANSPOSE;

template <class Use>
cusparseStatus_t with_vectors(const char* function, cusparseContext* handle, const cusparseSpMatDescr* a,
                              const cusparseDnVecDescr* x, const cusparseDnVecDescr* y, Use use,
                              const void* returns_to = __builtin_return_address(0)) {
  return sparse_operation(
      function, handle,
      [&](SparseOperation& operation) {
        operation.need(a, x, y);
        return operation.failed() ? operation.result() : SparseResult(use(operation));
      },
      returns_to);
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t use, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                         cusparseDnVecDescr_t y, cudaDataType, cusparseSpSVAlg_t,
                                         cusparseSpSVDescr_t descr, size_t* size) {
  return with_vectors(__func__, handle, a, x, y, [&](SparseOperation& operation) {
    check_matrix(operation, use, alpha, a, descr);
    return put_buffer_size(operation, size);
  });
}
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t use, const void* alpha,
                                       cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                       cudaDataType, cusparseSpSVAlg_t, cusparseSpSVDescr_t descr, void*) {
  return with_vectors(__func__, handle, a, x, y, [&](SparseOperation& operation) {
    check_matrix(operation, use, alpha, a, descr);
    return analyse(operation, a, descr);
  });
}
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t use, const void* alpha,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                    cudaDataType type, cusparseSpSVAlg_t, cusparseSpSVDescr_t descr) {
  return with_vectors(__func__, handle, a, x, y, [&](SparseOperation& operation) {
    return solve(operation, {use, kVector, alpha, a, x->vector, x->type, y->vector, y->type, type, descr},
                 "cusparseSpSV_analysis");
  });
}
cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle, cusparseSpSVDescr_t descr, void* values,
                                           cusparseSpSVUpdate_t part) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    return update(operation, descr, values, part == CUSPARSE_SPSV_UPDATE_DIAGONAL, "cusparseSpSV_analysis");
  });
}

cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t use, cusparseOperation_t use_b,
                                         const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         cusparseDnMatDescr_t c, cudaDataType, cusparseSpSMAlg_t,
                                         cusparseSpSMDescr_t descr, size_t* size) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    operation.need(b, c);
    operation.support(use_b != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, ReasonKind::sparse_no_conjugates);
    check_matrix(operation, use, alpha, a, descr);
    return put_buffer_size(operation, size);
  });
}
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t use_a, cusparseOperation_t use_b,
                                       const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                       cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMAlg_t,
                                       cusparseSpSMDescr_t descr, void*) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    operation.need(b, c);
    if (operation.failed()) return operation.result();
    check_system(operation, {use_a, use_b, alpha, a, b->matrix, b->type, c->matrix, c->type, type, descr});
    return analyse(operation, a, descr);
  });
}
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t use_a, cusparseOperation_t use_b,
                                    const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                    cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMAlg_t,
                                    cusparseSpSMDescr_t descr) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    operation.need(b, c);
    if (operation.failed()) return operation.result();
    return solve(operation, {use_a, use_b, alpha, a, b->matrix, b->type, c->matrix, c->type, type, descr},
                 "cusparseSpSM_analysis");
  });
}
cusparseStatus_t cusparseSpSM_updateMatrix(cusparseHandle_t handle, cusparseSpSMDescr_t descr, void* values,
                                           cusparseSpSMUpdate_t part) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    return update(operation, descr, values, part == CUSPARSE_SPSM_UPDATE_DIAGONAL, "cusparseSpSM_analysis");
  });
}

}  // extern "C"
