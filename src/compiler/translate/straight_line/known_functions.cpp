// SPDX-License-Identifier: Apache-2.0
//
// A sorted table. Sources: the CUDA C++ Programming Guide, "Mathematical Functions", and the CUDA Math API, "Integer
// Intrinsics", "Type Casting Intrinsics" and "Single Precision Intrinsics".
#include "translate/straight_line/known_functions.hpp"

#include <algorithm>
#include <iterator>

#include "translate/rules/library.hpp"

namespace warpfiber::translate {
namespace {

constexpr std::string_view kIntrinsics[] = {"__brev",
                                            "__brevll",
                                            "__byte_perm",
                                            "__clz",
                                            "__clzll",
                                            "__cosf",
                                            "__double2float_rn",
                                            "__double2int_rn",
                                            "__double_as_longlong",
                                            "__exp10f",
                                            "__expf",
                                            "__fadd_rn",
                                            "__fdividef",
                                            "__ffs",
                                            "__ffsll",
                                            "__float2int_rd",
                                            "__float2int_rn",
                                            "__float2int_ru",
                                            "__float2int_rz",
                                            "__float2uint_rn",
                                            "__float2uint_rz",
                                            "__float_as_int",
                                            "__float_as_uint",
                                            "__fmaf_rn",
                                            "__fmul_rn",
                                            "__frcp_rn",
                                            "__frsqrt_rn",
                                            "__fsqrt_rn",
                                            "__fsub_rn",
                                            "__hadd",
                                            "__int2float_rn",
                                            "__int_as_float",
                                            "__ldg",
                                            "__log10f",
                                            "__log2f",
                                            "__logf",
                                            "__longlong_as_double",
                                            "__mul24",
                                            "__mul64hi",
                                            "__mulhi",
                                            "__popc",
                                            "__popcll",
                                            "__powf",
                                            "__rhadd",
                                            "__sad",
                                            "__saturatef",
                                            "__sinf",
                                            "__tanf",
                                            "__uint2float_rn",
                                            "__uint_as_float",
                                            "__umul24",
                                            "__umul64hi",
                                            "__umulhi",
                                            "__usad"};

}  // namespace

bool computes_number(std::string_view name) {
  return is_mathematical_function(name) || std::binary_search(std::begin(kIntrinsics), std::end(kIntrinsics), name);
}

}  // namespace warpfiber::translate
