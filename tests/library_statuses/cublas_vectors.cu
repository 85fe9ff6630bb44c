// SPDX-License-Identifier: Apache-2.0
// cuBLAS's handles, copies, and functions of vectors, with wrong arguments (README.md).
#include "blas.h"

namespace {

void handles(Probe& probe) {
  CALL(Create, "got");
  CALL(Destroy, "null");
  CALL(GetVersion, "handle version");
  CALL(GetProperty, "property value");
  CALL(SetStream, "other stream");
  CALL(GetStream, "handle got");
  CALL(SetPointerMode, "other mode");
  CALL(GetPointerMode, "handle got");
  CALL(SetAtomicsMode, "other mode");
  CALL(GetAtomicsMode, "handle got");
  CALL(SetMathMode, "other math");
  CALL(GetMathMode, "handle got");
  CALL(SetWorkspace, "other workspace bytes");
}

void copies(Probe& probe) {
  CALL_BOTH(SetVector, "n size from incx to incy");
  CALL_BOTH(GetVector, "n size to incx from incy");
  CALL_BOTH(SetMatrix, "rows cols size from lda to ldb");
  CALL_BOTH(GetMatrix, "rows cols size to lda from ldb");
  CALL_BOTH(SetVectorAsync, "n size from incx to incy stream");
  CALL_BOTH(GetVectorAsync, "n size to incx from incy stream");
  CALL_BOTH(SetMatrixAsync, "rows cols size from lda to ldb stream");
  CALL_BOTH(GetMatrixAsync, "rows cols size to lda from ldb stream");
}

void changes(Probe& probe, const Arguments& usual, const Arguments& with_null) {
  CALL_ALL(axpy, "handle n alpha x incx y incy");
  CALL_ALL(scal, "handle n alpha x incx");
  CALL_ALL(copy, "handle n x incx y incy");
  CALL_ALL(swap, "handle n x incx y incy");
  CALL_BOTH(Csscal, "handle n alpha x incx");
  CALL_BOTH(Zdscal, "handle n alpha x incx");
  CALL_ALL(rot, "handle n x incx y incy c s");
  CALL_BOTH(Csrot, "handle n x incx y incy c s");
  CALL_BOTH(Zdrot, "handle n x incx y incy c s");
  CALL_TYPES(rotg, "handle a b c s");
  CALL_BOTH(Srotm, "handle n x incx y incy param");
  CALL_BOTH(Drotm, "handle n x incx y incy param");
  CALL(Srotmg, "handle d1 d2 x1 y1 param");
  CALL(Drotmg, "handle d1 d2 x1 y1 param");
}

void results(Probe& probe, const Arguments& usual, const Arguments& with_null) {
  const char* const one = "handle n x incx result";
  const char* const two = "handle n x incx y incy result";
  probe.know(with_null);
  CALL(Snrm2, one), CALL(Sasum, one), CALL(Isamax, one), CALL(Isamin, one), CALL(Sdot, two);
  probe.know(usual);
  CALL_BOTH(Dnrm2, one), CALL_BOTH(Scnrm2, one), CALL_BOTH(Dznrm2, one), CALL(Snrm2_64, one);
  CALL_BOTH(Dasum, one), CALL_BOTH(Scasum, one), CALL_BOTH(Dzasum, one), CALL(Sasum_64, one);
  CALL_BOTH(Idamax, one), CALL_BOTH(Icamax, one), CALL_BOTH(Izamax, one), CALL(Isamax_64, one);
  CALL_BOTH(Idamin, one), CALL_BOTH(Icamin, one), CALL_BOTH(Izamin, one), CALL(Isamin_64, one);
  CALL_BOTH(Ddot, two), CALL_BOTH(Cdotu, two), CALL_BOTH(Cdotc, two), CALL_BOTH(Zdotu, two), CALL_BOTH(Zdotc, two);
  CALL(Sdot_64, two);
}

void typed(Probe& probe, const Arguments& usual, const Arguments& with_null) {
  for (const bool null : {true, false}) {
    probe.know(null ? with_null : usual);
    if (null) {
      CALL(AxpyEx, "handle n alpha type x type incx y type incy type");
      CALL(ScalEx, "handle n alpha type x type incx type");
      CALL(DotEx, "handle n x type incx y type incy result type type");
      CALL(DotcEx, "handle n x type incx y type incy result type type");
      CALL(Nrm2Ex, "handle n x type incx result type type");
      CALL(AsumEx, "handle n x type incx result type type");
      CALL(IamaxEx, "handle n x type incx result");
      CALL(IaminEx, "handle n x type incx result");
      CALL(CopyEx, "handle n x type incx y type incy");
      CALL(SwapEx, "handle n x type incx y type incy");
      CALL(RotEx, "handle n x type incx y type incy c s type type");
      CALL(RotmEx, "handle n x type incx y type incy param type type");
      CALL(RotgEx, "handle a b type c s type type");
      CALL(RotmgEx, "handle d1 type d2 type x1 type y1 type param type type");
    } else {
      CALL(AxpyEx_64, "handle n alpha type x type incx y type incy type");
      CALL(ScalEx_64, "handle n alpha type x type incx type");
      CALL(DotEx_64, "handle n x type incx y type incy result type type");
      CALL(DotcEx_64, "handle n x type incx y type incy result type type");
      CALL(Nrm2Ex_64, "handle n x type incx result type type");
      CALL(AsumEx_64, "handle n x type incx result type type");
      CALL(IamaxEx_64, "handle n x type incx result");
      CALL(IaminEx_64, "handle n x type incx result");
      CALL(CopyEx_64, "handle n x type incx y type incy");
      CALL(SwapEx_64, "handle n x type incx y type incy");
      CALL(RotEx_64, "handle n x type incx y type incy c s type type");
      CALL(RotmEx_64, "handle n x type incx y type incy param type type");
    }
  }
}

}  // namespace

void probe_vectors(Probe& probe) {
  cublasHandle_t handle = nullptr;
  cublasCreate(&handle);
  const Arguments usual = blas_arguments(handle, false), with_null = blas_arguments(handle, true);
  probe.know(with_null);
  handles(probe);
  copies(probe);
  changes(probe, usual, with_null);
  results(probe, usual, with_null);
  typed(probe, usual, with_null);
}
