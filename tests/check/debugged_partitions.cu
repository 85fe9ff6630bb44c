// SPDX-License-Identifier: Apache-2.0
#define CG_DEBUG
#undef NDEBUG
#include "partitions.cu"
