// SPDX-License-Identifier: Apache-2.0
// The tags by which libcu++'s <cuda/ptx> distinguishes instructions: values whose types say semantics, scope, state
// space and operation (PTX ISA). They change nothing but which function is called.
#pragma once

#include <type_traits>

namespace cuda {
namespace ptx {

enum class dot_sem { acq_rel, acquire, relaxed, release, sc, weak };
enum class dot_space { global, cluster, shared };
enum class dot_scope { cta, cluster, gpu, sys };
enum class dot_op { add, dec, inc, max, min, and_op, or_op, xor_op, cas, exch };

#define WARPFIBER_PTX_TAG(kind, value)                                                \
  using kind##_##value##_t = ::std::integral_constant<dot_##kind, dot_##kind::value>; \
  static constexpr kind##_##value##_t kind##_##value{};
template <dot_sem kSem>
using sem_t = ::std::integral_constant<dot_sem, kSem>;
WARPFIBER_PTX_TAG(sem, acq_rel)
WARPFIBER_PTX_TAG(sem, acquire)
WARPFIBER_PTX_TAG(sem, relaxed)
WARPFIBER_PTX_TAG(sem, release)
WARPFIBER_PTX_TAG(sem, sc)
WARPFIBER_PTX_TAG(sem, weak)
template <dot_space kSpace>
using space_t = ::std::integral_constant<dot_space, kSpace>;
WARPFIBER_PTX_TAG(space, global)
WARPFIBER_PTX_TAG(space, cluster)
WARPFIBER_PTX_TAG(space, shared)
template <dot_scope kScope>
using scope_t = ::std::integral_constant<dot_scope, kScope>;
WARPFIBER_PTX_TAG(scope, cta)
WARPFIBER_PTX_TAG(scope, cluster)
WARPFIBER_PTX_TAG(scope, gpu)
WARPFIBER_PTX_TAG(scope, sys)
template <dot_op kOp>
using op_t = ::std::integral_constant<dot_op, kOp>;
WARPFIBER_PTX_TAG(op, add)
WARPFIBER_PTX_TAG(op, dec)
WARPFIBER_PTX_TAG(op, inc)
WARPFIBER_PTX_TAG(op, max)
WARPFIBER_PTX_TAG(op, min)
WARPFIBER_PTX_TAG(op, and_op)
WARPFIBER_PTX_TAG(op, or_op)
WARPFIBER_PTX_TAG(op, xor_op)
WARPFIBER_PTX_TAG(op, cas)
WARPFIBER_PTX_TAG(op, exch)
#undef WARPFIBER_PTX_TAG

/// A number that has to be known to the compiler.
template <int kNumber>
using n32_t = ::std::integral_constant<int, kNumber>;
template <int kNumber>
static constexpr n32_t<kNumber> n32{};

}  // namespace ptx
}  // namespace cuda
