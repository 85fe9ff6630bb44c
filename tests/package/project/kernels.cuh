// SPDX-License-Identifier: Apache-2.0
#pragma once

__global__ void reverse(int* data);
void launch_scale(int* data);
