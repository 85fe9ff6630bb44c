// SPDX-License-Identifier: Apache-2.0
// make_float4 and its kin. They come with the vector types in C++; C has none.
#pragma once

#define __VECTOR_FUNCTIONS_H__

#include <vector_types.h>
