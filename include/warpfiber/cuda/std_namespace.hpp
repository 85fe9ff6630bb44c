// SPDX-License-Identifier: Apache-2.0
// cuda::std as the host's own library: every name of std that a program has included, under libcu++'s name. Device code
// is host code here, so nothing else is needed. What libcu++ has beyond the C++ standard (scopes of atomics, barriers)
// is not in here; a definition in cuda::std itself takes precedence over the host's.
#pragma once

#include <cstddef>

namespace cuda {
namespace std {

using namespace ::std;

}  // namespace std
}  // namespace cuda
