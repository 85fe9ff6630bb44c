// SPDX-License-Identifier: Apache-2.0
// Found before the header of this name in NVIDIA's libcu++, whose addressof is the standard library's for the host and
// a template of its own for the device. One compilation serves both here, so both get what the host gets.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <cuda/std/detail/__config>

#pragma push_macro("_CCCL_DEVICE_COMPILATION")
#undef _CCCL_DEVICE_COMPILATION
#define _CCCL_DEVICE_COMPILATION() 0
#include_next <cuda/std/__memory/addressof.h>
#pragma pop_macro("_CCCL_DEVICE_COMPILATION")
