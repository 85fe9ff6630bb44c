// SPDX-License-Identifier: Apache-2.0
// What lets one declaration serve C and C++: functions have C's linkage, and C++ has default arguments. Included by the
// headers of this folder and those of libraries only.
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

// Parameters of a function that is not modelled and takes any arguments. Before C23, C has no ellipsis alone.
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define WARPFIBER_ANY_ARGUMENTS (...)
#else
#define WARPFIBER_ANY_ARGUMENTS ()
#endif

// apply(name) for a library's function of each type of numbers, as in cusparseScsrmv.
#define WARPFIBER_FOR_EACH_TYPE(apply, library, function) \
  apply(library##S##function) apply(library##D##function) apply(library##C##function) apply(library##Z##function)
