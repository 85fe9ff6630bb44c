// SPDX-License-Identifier: Apache-2.0
// An older name of cusparse.h. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define CUSPARSE_V2_H_

#include <cusparse.h>
