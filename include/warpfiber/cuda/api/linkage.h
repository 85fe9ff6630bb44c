// SPDX-License-Identifier: Apache-2.0
// What lets one declaration serve C and C++: functions have C's linkage, and C++ has default arguments. Included by the
// other headers of this folder only.
#pragma once

#ifdef __cplusplus
#define WARPFIBER_C_BEGIN extern "C" {
#define WARPFIBER_C_END }
#define WARPFIBER_DEFAULT(value) = value
#else
#define WARPFIBER_C_BEGIN
#define WARPFIBER_C_END
#define WARPFIBER_DEFAULT(value)
#endif
