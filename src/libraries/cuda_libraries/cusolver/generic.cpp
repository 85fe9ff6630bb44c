// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's functions that take types by number. They do what those of one type do.
#include <warpfiber/cuda/cusolver/generic_api.h>

#include <memory>

#include "cuda_libraries/cusolver/factors.hpp"
#include "cuda_libraries/cusolver/singular_values.hpp"
#include "cuda_libraries/cusolver/spectra.hpp"

/// What a program sets algorithms by. There is one of each here.
struct cusolverDnParams {
  cusolverAlgMode_t factors = CUSOLVER_ALG_0;
};

namespace warpfiber::cuda_libraries {
namespace {

/// Memory of the device that a function may overwrite, of `bytes`.
struct DeviceBytes {
  void* at;
  std::size_t bytes;

  template <class T>
  Workspace<T> of() const {
    return {static_cast<T*>(at), static_cast<std::int64_t>(bytes / sizeof(T))};
  }
};

/// Types by number: those of matrices and of real numbers have to be of one precision. The type that a device computes
/// in is not looked at.
class Types {
 public:
  explicit Types(cudaDataType matrix) : matrix_(matrix) {}

  Types& same(cudaDataType type) {
    agree_ = agree_ && type == matrix_;
    return *this;
  }
  Types& real(cudaDataType type) {
    const bool single = matrix_ == CUDA_R_32F || matrix_ == CUDA_C_32F;
    agree_ = agree_ && type == (single ? CUDA_R_32F : CUDA_R_64F);
    return *this;
  }
  /// What `work`, called with a number of the type, returns.
  template <class Work>
  SolverResult call(SolverOperation& operation, Work work) const {
    if (operation.failed()) return operation.result();
    if (!agree_) return {CUSOLVER_STATUS_INVALID_VALUE, ReasonKind::solver_types_differ};
    switch (matrix_) {
      case CUDA_R_32F: return work(float());
      case CUDA_R_64F: return work(double());
      case CUDA_C_32F: return work(std::complex<float>());
      case CUDA_C_64F: return work(std::complex<double>());
      default: return {CUSOLVER_STATUS_INVALID_VALUE, {ReasonKind::solver_type_not_modelled, int(matrix_)}};
    }
  }

 private:
  cudaDataType matrix_;
  bool agree_ = true;
};

template <class T>
Columns<T> columns_of(void* at, std::int64_t leading) {
  return {static_cast<T*>(at), leading};
}
template <class T>
Columns<const T> columns_of(const void* at, std::int64_t leading) {
  return {static_cast<const T*>(at), leading};
}

/// Writes how many bytes of the device and of the host are needed for m by n matrices.
SolverResult needs(SolverOperation& operation, const Types& types, MatrixSize size, std::size_t* on_device,
                   std::size_t* on_host) {
  operation.at_least({"m"}, size.rows, 0);
  operation.at_least({"n"}, size.columns, 0);
  operation.not_null("workspaceInBytesOnHost", on_host);
  return types.call(operation, [&](auto number) {
    *on_host = 0;
    return operation.needs(on_device, workspace_size(size.rows, size.columns) * std::int64_t(sizeof number));
  });
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* params) {
  return library_call<cusolverStatus_t>(__func__, [&]() -> SolverResult {
    if (params == nullptr) return {CUSOLVER_STATUS_INVALID_VALUE, ReasonKind::result_pointer_null};
    *params = std::make_unique<cusolverDnParams>().release();
    return {};
  });
}
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) {
  return library_call<cusolverStatus_t>(__func__, [&]() -> SolverResult {
    const std::unique_ptr<cusolverDnParams> ended(params);
    return {};
  });
}
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t, cusolverAlgMode_t algo) {
  return library_call<cusolverStatus_t>(__func__, [&]() -> SolverResult {
    if (params == nullptr) return {CUSOLVER_STATUS_INVALID_VALUE, ReasonKind::pointer_null};
    params->factors = algo;
    return {};
  });
}

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t, int64_t n,
                                             cudaDataType type, const void*, int64_t, cudaDataType, size_t* onDevice,
                                             size_t* onHost) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    return needs(operation, Types(type), {n, n}, onDevice, onHost);
  });
}
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t uplo, int64_t n,
                                  cudaDataType type, void* A, int64_t lda, cudaDataType, void* buffer, size_t bytes,
                                  void*, size_t, int* devInfo) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    return Types(type).call(operation, [&](auto number) {
      using T = decltype(number);
      return potrf(operation, uplo, n, columns_of<T>(A, lda), DeviceBytes{buffer, bytes}.of<T>(), devInfo);
    });
  });
}
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t uplo, int64_t n,
                                  int64_t nrhs, cudaDataType type, const void* A, int64_t lda, cudaDataType typeB,
                                  void* B, int64_t ldb, int* devInfo) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    return Types(type).same(typeB).call(operation, [&](auto number) {
      using T = decltype(number);
      return potrs<T>(operation, uplo, {n, nrhs}, columns_of<T>(A, lda), columns_of<T>(B, ldb), devInfo);
    });
  });
}

cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m, int64_t n,
                                             cudaDataType type, const void*, int64_t, cudaDataType, size_t* onDevice,
                                             size_t* onHost) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    return needs(operation, Types(type), {m, n}, onDevice, onHost);
  });
}
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m, int64_t n,
                                  cudaDataType type, void* A, int64_t lda, int64_t* devIpiv, cudaDataType, void* buffer,
                                  size_t bytes, void*, size_t, int* devInfo) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    return Types(type).call(operation, [&](auto number) {
      using T = decltype(number);
      return getrf(operation, {m, n}, columns_of<T>(A, lda), DeviceBytes{buffer, bytes}.of<T>(), devIpiv, devInfo);
    });
  });
}
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t, cublasOperation_t trans, int64_t n,
                                  int64_t nrhs, cudaDataType type, const void* A, int64_t lda, const int64_t* devIpiv,
                                  cudaDataType typeB, void* B, int64_t ldb, int* devInfo) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    return Types(type).same(typeB).call(operation, [&](auto number) {
      using T = decltype(number);
      return getrs<T>(operation, trans, {n, nrhs}, columns_of<T>(A, lda), devIpiv, columns_of<T>(B, ldb), devInfo);
    });
  });
}

cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m, int64_t n,
                                             cudaDataType type, const void*, int64_t, cudaDataType typeTau, const void*,
                                             cudaDataType, size_t* onDevice, size_t* onHost) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    return needs(operation, Types(type).same(typeTau), {m, n}, onDevice, onHost);
  });
}
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m, int64_t n,
                                  cudaDataType type, void* A, int64_t lda, cudaDataType typeTau, void* tau,
                                  cudaDataType, void* buffer, size_t bytes, void*, size_t, int* devInfo) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    return Types(type).same(typeTau).call(operation, [&](auto number) {
      using T = decltype(number);
      return geqrf(operation, {m, n}, columns_of<T>(A, lda), static_cast<T*>(tau), DeviceBytes{buffer, bytes}.of<T>(),
                   devInfo);
    });
  });
}

cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t,
                                             cublasFillMode_t, int64_t n, cudaDataType type, const void*, int64_t,
                                             cudaDataType typeW, const void*, cudaDataType, size_t* onDevice,
                                             size_t* onHost) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    return needs(operation, Types(type).real(typeW), {n, n}, onDevice, onHost);
  });
}
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType type, void* A, int64_t lda,
                                  cudaDataType typeW, void* W, cudaDataType, void* buffer, size_t bytes, void*, size_t,
                                  int* devInfo) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    return Types(type).real(typeW).call(operation, [&](auto number) {
      using T = decltype(number);
      return syevd<T>(operation, jobz, {uplo, n, columns_of<T>(A, lda)}, static_cast<Real<T>*>(W),
                      DeviceBytes{buffer, bytes}.of<T>(), devInfo);
    });
  });
}
cusolverStatus_t cusolverDnXsyevdx_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t,
                                              cusolverEigRange_t, cublasFillMode_t, int64_t n, cudaDataType type,
                                              const void*, int64_t, void*, void*, int64_t, int64_t, int64_t*,
                                              cudaDataType typeW, const void*, cudaDataType, size_t* onDevice,
                                              size_t* onHost) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    return needs(operation, Types(type).real(typeW), {n, n}, onDevice, onHost);
  });
}
cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz,
                                   cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n, cudaDataType type,
                                   void* A, int64_t lda, void* vl, void* vu, int64_t il, int64_t iu, int64_t* meig64,
                                   cudaDataType typeW, void* W, cudaDataType, void* buffer, size_t bytes, void*, size_t,
                                   int* devInfo) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    operation.not_null("meig64", meig64);
    return Types(type).real(typeW).call(operation, [&](auto number) {
      using T = decltype(number);
      EigenRange<Real<T>, int64_t> what{range, 0, 0, il, iu, meig64};
      if (range == CUSOLVER_EIG_RANGE_V && vl != nullptr && vu != nullptr) {
        what.above = *static_cast<Real<T>*>(vl);
        what.to = *static_cast<Real<T>*>(vu);
      }
      return syevd<T, int64_t>(operation, jobz, {uplo, n, columns_of<T>(A, lda)}, static_cast<Real<T>*>(W),
                               DeviceBytes{buffer, bytes}.of<T>(), devInfo, what);
    });
  });
}

cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, signed char, signed char,
                                             int64_t m, int64_t n, cudaDataType type, const void*, int64_t,
                                             cudaDataType typeS, const void*, cudaDataType typeU, const void*, int64_t,
                                             cudaDataType typeVT, const void*, int64_t, cudaDataType, size_t* onDevice,
                                             size_t* onHost) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    return needs(operation, Types(type).real(typeS).same(typeU).same(typeVT), {m, n}, onDevice, onHost);
  });
}
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu, signed char jobvt,
                                  int64_t m, int64_t n, cudaDataType type, void* A, int64_t lda, cudaDataType typeS,
                                  void* S, cudaDataType typeU, void* U, int64_t ldu, cudaDataType typeVT, void* VT,
                                  int64_t ldvt, cudaDataType, void* buffer, size_t bytes, void*, size_t, int* devInfo) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    const Types types = Types(type).real(typeS).same(typeU).same(typeVT);
    return types.call(operation, [&](auto number) {
      using T = decltype(number);
      return gesvd(operation, jobu, jobvt, {m, n}, columns_of<T>(A, lda), static_cast<Real<T>*>(S),
                   columns_of<T>(U, ldu), columns_of<T>(VT, ldvt), DeviceBytes{buffer, bytes}.of<T>(), devInfo);
    });
  });
}

cusolverStatus_t cusolverDnXgesvdp_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t, int,
                                              int64_t m, int64_t n, cudaDataType type, const void*, int64_t,
                                              cudaDataType typeS, const void*, cudaDataType typeU, const void*, int64_t,
                                              cudaDataType typeV, const void*, int64_t, cudaDataType, size_t* onDevice,
                                              size_t* onHost) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    return needs(operation, Types(type).real(typeS).same(typeU).same(typeV), {m, n}, onDevice, onHost);
  });
}
/// Nothing is perturbed here, so h_err_sigma is 0.
cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz, int econ,
                                   int64_t m, int64_t n, cudaDataType type, void* A, int64_t lda, cudaDataType typeS,
                                   void* S, cudaDataType typeU, void* U, int64_t ldu, cudaDataType typeV, void* V,
                                   int64_t ldv, cudaDataType, void* buffer, size_t bytes, void*, size_t, int* d_info,
                                   double* h_err_sigma) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    const Types types = Types(type).real(typeS).same(typeU).same(typeV);
    return types.call(operation, [&](auto number) {
      using T = decltype(number);
      const JacobiJob job{jobz, econ != 0, {m, n}};
      if (h_err_sigma != nullptr) *h_err_sigma = 0;
      return gesvdp<T>(
          operation, job, columns_of<T>(A, lda),
          job.asked<T>({static_cast<Real<T>*>(S), columns_of<T>(U, ldu), 0, columns_of<T>(V, ldv), 0, false, 0}),
          DeviceBytes{buffer, bytes}.of<T>(), d_info);
    });
  });
}

cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t, cublasDiagType_t, int64_t n,
                                             cudaDataType type, void*, int64_t, size_t* onDevice, size_t* onHost) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    return needs(operation, Types(type), {n, n}, onDevice, onHost);
  });
}
cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n,
                                  cudaDataType type, void* A, int64_t lda, void* buffer, size_t bytes, void*, size_t,
                                  int* devInfo) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    return Types(type).call(operation, [&](auto number) {
      using T = decltype(number);
      return trtri(operation, uplo, diag, n, columns_of<T>(A, lda), DeviceBytes{buffer, bytes}.of<T>(), devInfo);
    });
  });
}

}  // extern "C"
