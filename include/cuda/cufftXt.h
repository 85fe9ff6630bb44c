// SPDX-License-Identifier: Apache-2.0
// cuFFT's plans by types of data, its arrays by descriptors on one device, and callbacks. What is not modelled returns
// CUFFT_NOT_SUPPORTED. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define _CUFFTXT_H_

#include <cudalibxt.h>
#include <cufft.h>
#include <warpfiber/cuda/cufft/xt_api.h>

WARPFIBER_C_BEGIN

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long int* n, long long int* inembed,
                                long long int istride, long long int idist, cudaDataType inputtype,
                                long long int* onembed, long long int ostride, long long int odist,
                                cudaDataType outputtype, long long int batch, size_t* workSize,
                                cudaDataType executiontype);
cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long int* n, long long int* inembed,
                               long long int istride, long long int idist, cudaDataType inputtype,
                               long long int* onembed, long long int ostride, long long int odist,
                               cudaDataType outputtype, long long int batch, size_t* workSize,
                               cudaDataType executiontype);

WARPFIBER_C_END
