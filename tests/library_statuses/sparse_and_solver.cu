// SPDX-License-Identifier: Apache-2.0
// cuSPARSE and cuSOLVER with wrong arguments (README.md).
#include <cusolverDn.h>
#include <cusparse.h>

#include "probe.h"

namespace {

#define SPARSE(function, names) probe("cusparse" #function, cusparse##function, names)

struct Descriptors {
  cusparseHandle_t handle{}, other{};
  cusparseSpMatDescr_t matrix{};
  cusparseDnVecDescr_t x{}, y{};
  cusparseDnMatDescr_t b{}, c{};
  cusparseMatDescr_t plain{};
  int* offsets = device_copy(std::vector<int>{0, 1, 2, 3, 4});
  int* columns = device_copy(std::vector<int>{0, 1, 2, 3});
  void* values = device_zeros(kRoom);

  Descriptors() {
    cusparseCreate(&handle);
    cusparseCreate(&other);
    cusparseCreateMatDescr(&plain);
    cusparseCreateCsr(&matrix, 4, 4, 4, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    cusparseCreateDnVec(&x, 4, values, CUDA_R_32F);
    cusparseCreateDnVec(&y, 4, device_zeros(kRoom), CUDA_R_32F);
    cusparseCreateDnMat(&b, 4, 4, 4, values, CUDA_R_32F, CUSPARSE_ORDER_COL);
    cusparseCreateDnMat(&c, 4, 4, 4, device_zeros(kRoom), CUDA_R_32F, CUSPARSE_ORDER_COL);
  }
};

Arguments sparse_arguments(const Descriptors& of) {
  const std::vector<long long> null = {0};
  return {
      {"got", fixed(host_zeros()), null},
      {"handle", fixed(of.handle), null},
      {"other", fixed(of.other), null},
      {"descr", fixed(of.plain), null},
      {"matrix", fixed(of.matrix), null},
      {"x", fixed(of.x), null},
      {"y", fixed(of.y), null},
      {"b", fixed(of.b), null},
      {"c", fixed(of.c), null},
      {"rows columns", fixed(4), {-1, 0}},
      {"entries", fixed(4), {-1, 0, 17}},
      {"block", fixed(2), {-1, 0, 3}},
      {"width", fixed(2), {-1, 0, 3, 6}},
      {"ld", fixed(4), {-1, 0, 3}},
      {"outer", fixed(of.offsets), null},
      {"inner", fixed(of.columns), null},
      {"values", fixed(of.values), null},
      {"new_values", fixed(of.values), {}},
      {"index", fixed(CUSPARSE_INDEX_32I), {-1, 0, 1, 3, 99}},
      {"base", fixed(CUSPARSE_INDEX_BASE_ZERO), {-1, 2}},
      {"type", fixed(CUDA_R_32F), {-1, 1, 999}},
      {"order", fixed(CUSPARSE_ORDER_COL), {-1, 0, 3}},
      {"operation", fixed(CUSPARSE_OPERATION_NON_TRANSPOSE), {-1, 3}},
      {"alpha beta", fixed(host_zeros()), null},
      {"algorithm", fixed(0), {-1, 99}},
      {"buffer", fixed(device_zeros(1 << 20)), null},
      {"size", fixed(host_zeros()), null},
      {"mode fill diagonal", fixed(0), {-1, 2}},
      {"kind", fixed(0), {-1, 4}},
      {"property", fixed(0), {-1, 3}},
      {"stream", fixed(0), {}},
      {"null", fixed(0), {}},
      {"count", fixed(1), {-1, 0}},
      {"stride", fixed(16), {-1, 0, 3}},
  };
}

void sparse_objects(Probe& probe) {
  SPARSE(Create, "got");
  SPARSE(Destroy, "null");
  SPARSE(GetVersion, "handle got");
  SPARSE(GetProperty, "property got");
  SPARSE(SetStream, "other stream");
  SPARSE(GetStream, "handle got");
  SPARSE(SetPointerMode, "other mode");
  SPARSE(GetPointerMode, "handle got");
  SPARSE(CreateMatDescr, "got");
  SPARSE(DestroyMatDescr, "null");
  SPARSE(SetMatType, "descr kind");
  SPARSE(SetMatFillMode, "descr fill");
  SPARSE(SetMatDiagType, "descr diagonal");
  SPARSE(SetMatIndexBase, "descr base");
  SPARSE(CreateCsr, "got rows columns entries outer inner values index index base type");
  SPARSE(CreateCsc, "got rows columns entries outer inner values index index base type");
  SPARSE(CreateCoo, "got rows columns entries outer inner values index base type");
  SPARSE(CreateBlockedEll, "got rows columns block width inner values index base type");
  SPARSE(CreateBsr, "got rows columns entries block block outer inner values index index base type order");
  SPARSE(CreateDnVec, "got rows values type");
  SPARSE(CreateDnMat, "got rows columns ld values type order");
  SPARSE(CreateSpVec, "got rows entries inner values index base type");
  SPARSE(DestroySpMat, "null");
  SPARSE(DestroyDnVec, "null");
  SPARSE(DestroyDnMat, "null");
  SPARSE(DestroySpVec, "null");
  SPARSE(DnVecSetValues, "x new_values");
  SPARSE(DnMatSetValues, "b new_values");
  SPARSE(SpMatSetValues, "matrix new_values");
  SPARSE(DnMatSetStridedBatch, "c count stride");
}

void sparse_products(Probe& probe) {
  SPARSE(SpMV_bufferSize, "handle operation alpha matrix x beta y type algorithm size");
  SPARSE(SpMV, "handle operation alpha matrix x beta y type algorithm buffer");
  SPARSE(SpMM_bufferSize, "handle operation operation alpha matrix b beta c type algorithm size");
  SPARSE(SpMM, "handle operation operation alpha matrix b beta c type algorithm buffer");
  SPARSE(SparseToDense_bufferSize, "handle matrix b algorithm size");
  SPARSE(SparseToDense, "handle matrix b algorithm buffer");
  SPARSE(DenseToSparse_bufferSize, "handle b matrix algorithm size");
}

#define SOLVER(function, names) probe("cusolverDn" #function, cusolverDn##function, names)
#define SOLVER_TYPES(function, names) \
  SOLVER(S##function, names), SOLVER(D##function, names), SOLVER(C##function, names), SOLVER(Z##function, names)

Arguments solver_arguments() {
  const std::vector<long long> null = {0}, sizes = {-1, 0}, leading = {-1, 0, 1, 3};
  cusolverDnHandle_t handle = nullptr;
  cusolverDnParams_t params = nullptr;
  cusolverDnCreate(&handle);
  cusolverDnCreateParams(&params);
  return {
      {"got size", fixed(host_zeros()), null},
      {"handle", fixed(handle), null},
      {"params", fixed(params), null},
      {"uplo diag", fixed(0), {-1, 2}},
      {"trans", fixed(0), {-1, 3}},
      {"side", fixed(0), {-1, 2}},
      {"m n k nrhs", fixed(4), sizes},
      {"tall", fixed(4), {-1, 0, 3}},
      {"lda ldb ldc", fixed(4), leading},
      {"A B C tau W", fixed(device_zeros(kRoom)), {}},
      {"work", fixed(device_zeros(1 << 22)), {}},
      {"lwork", fixed(1 << 18), sizes},
      {"info", fixed(device_zeros(kRoom)), {}},
      {"pivots", fixed(device_copy(std::vector<long long>(64, 0x100000001))), {}},
      {"wide_pivots", fixed(device_copy(std::vector<long long>(64, 1))), {}},
      {"jobz", fixed(0), {-1, 2}},
      {"job", fixed('A'), {0, 'Z'}},
      {"type", fixed(CUDA_R_32F), {-1, 1, 999}},
      {"bytes", fixed(1 << 20), {0}},
      {"host", fixed(host_zeros()), {}},
      {"host_bytes", fixed(kRoom), {}},
      {"stream", fixed(0), {}},
      {"null", fixed(0), {}},
      {"real", fixed(device_zeros(kRoom)), {}},
  };
}

void solver(Probe& probe) {
  SOLVER(Create, "got");
  SOLVER(Destroy, "null");
  SOLVER(SetStream, "handle stream");
  SOLVER(GetStream, "handle got");
  SOLVER(CreateParams, "got");
  SOLVER(DestroyParams, "null");
  SOLVER_TYPES(potrf_bufferSize, "handle uplo n A lda size");
  SOLVER_TYPES(potrf, "handle uplo n A lda work lwork info");
  SOLVER_TYPES(potrs, "handle uplo n nrhs A lda B ldb info");
  SOLVER_TYPES(potri_bufferSize, "handle uplo n A lda size");
  SOLVER_TYPES(potri, "handle uplo n A lda work lwork info");
  SOLVER_TYPES(getrf_bufferSize, "handle m n A lda size");
  SOLVER_TYPES(getrf, "handle m n A lda work pivots info");
  SOLVER_TYPES(getrs, "handle trans n nrhs A lda pivots B ldb info");
  SOLVER_TYPES(geqrf_bufferSize, "handle m n A lda size");
  SOLVER_TYPES(geqrf, "handle m n A lda tau work lwork info");
  SOLVER(Sorgqr_bufferSize, "handle m n k A lda tau size");
  SOLVER(Sorgqr, "handle m n k A lda tau work lwork info");
  SOLVER(Sormqr_bufferSize, "handle side trans m n k A lda tau C ldc size");
  SOLVER(Sormqr, "handle side trans m n k A lda tau C ldc work lwork info");
  SOLVER(Ssyevd_bufferSize, "handle jobz uplo n A lda W size");
  SOLVER(Ssyevd, "handle jobz uplo n A lda W work lwork info");
  SOLVER(Cheevd_bufferSize, "handle jobz uplo n A lda W size");
  SOLVER_TYPES(gesvd_bufferSize, "handle tall n size");
  SOLVER(Sgesvd, "handle job job tall n A lda W B ldb C ldc work lwork real info");
  SOLVER(Xpotrf_bufferSize, "handle params uplo n type A lda type size size");
  SOLVER(Xpotrf, "handle params uplo n type A lda type work bytes host host_bytes info");
  SOLVER(Xpotrs, "handle params uplo n nrhs type A lda type B ldb info");
  SOLVER(Xgetrf_bufferSize, "handle params m n type A lda type size size");
  SOLVER(Xgetrf, "handle params m n type A lda wide_pivots type work bytes host host_bytes info");
  SOLVER(Xgetrs, "handle params trans n nrhs type A lda wide_pivots type B ldb info");
  SOLVER(Xgeqrf_bufferSize, "handle params m n type A lda type tau type size size");
  SOLVER(Xsyevd_bufferSize, "handle params jobz uplo n type A lda type W type size size");
  SOLVER(Xtrtri_bufferSize, "handle uplo diag n type A lda size size");
}

}  // namespace

void probe_sparse(Probe& probe) {
  const Descriptors descriptors;
  probe.know(sparse_arguments(descriptors));
  sparse_objects(probe);
  sparse_products(probe);
}

void probe_solver(Probe& probe) {
  probe.know(solver_arguments());
  solver(probe);
}
