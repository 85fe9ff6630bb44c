// SPDX-License-Identifier: Apache-2.0
// Found before the header of this name in NVIDIA's libcu++, which has classes of its own in code of the device, where
// there is no typeid. One compilation serves host and device here, so both get what the host gets.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <cuda/std/__cccl/preprocessor.h>
#include <cuda/std/__type_traits/enable_if.h>
#include <cuda/std/__type_traits/integral_constant.h>
#include <cuda/std/__type_traits/remove_cv.h>
#include <cuda/std/__utility/integer_sequence.h>
#include <cuda/std/cstddef>
#include <cuda/std/detail/__config>
#if __has_include(<cuda/std/__string/string_view.h>)
#include <cuda/std/__string/string_view.h>
#endif

#pragma push_macro("__CUDA_ARCH__")
#pragma push_macro("_CCCL_NO_TYPEID")
#undef __CUDA_ARCH__
#undef _CCCL_NO_TYPEID
#include_next <cuda/std/__utility/typeid.h>
#pragma pop_macro("_CCCL_NO_TYPEID")
#pragma pop_macro("__CUDA_ARCH__")
