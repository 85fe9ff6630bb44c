// SPDX-License-Identifier: Apache-2.0
// cudaCreateChannelDesc<T>(): the channel format of a built-in type.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __CHANNEL_DESCRIPTOR_H__

#include <cuda_runtime_api.h>

#ifdef __cplusplus
#include <warpfiber/cuda/api/channel_format.hpp>
#endif
