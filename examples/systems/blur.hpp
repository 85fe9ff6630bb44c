// SPDX-License-Identifier: Apache-2.0
// A library that runs on a GPU, for host code that knows nothing of CUDA (docs/build-systems.md).
#pragma once

/// out[i] is the mean of in[i - 1] and in[i]; false: the GPU reports an error.
bool blur(const float* in, float* out, int count);
