// SPDX-License-Identifier: Apache-2.0
//
// Sorted tables of names, searched by binary search.
#include "translate/rules/library.hpp"

#include <algorithm>
#include <iterator>

namespace warpfiber::translate {
namespace {

// Each table is sorted.
constexpr std::string_view kC[] = {"__assert_fail", "__assertfail", "abs",    "alloca",  "clock",  "free",   "labs",
                                   "llabs",         "malloc",       "memcpy", "memmove", "memset", "printf", "vprintf"};

// The functions of floats have an f behind the name.
constexpr std::string_view kMath[] = {
    "abs",      "acos",   "acosh",  "asin",   "asinh",    "atan",   "atan2",     "atanh",     "cbrt",   "ceil",
    "copysign", "cos",    "cosh",   "cospi",  "erf",      "erfc",   "erfcinv",   "erfcx",     "erfinv", "exp",
    "exp10",    "exp2",   "expm1",  "fabs",   "fdim",     "finite", "floor",     "fma",       "fmax",   "fmin",
    "fmod",     "frexp",  "hypot",  "ilogb",  "isfinite", "isinf",  "isnan",     "isnormal",  "j0",     "j1",
    "jn",       "ldexp",  "lgamma", "llrint", "llround",  "log",    "log10",     "log1p",     "log2",   "logb",
    "lrint",    "lround", "max",    "min",    "modf",     "nan",    "nearbyint", "nextafter", "pow",    "remainder",
    "remquo",   "rint",   "round",  "rsqrt",  "scalbln",  "scalbn", "signbit",   "sin",       "sincos", "sinh",
    "sinpi",    "sqrt",   "tan",    "tanh",   "tgamma",   "trunc",  "y0",        "y1",        "yn"};

// Of these only what std has and the device, too: std::max is a constexpr function of the host.
constexpr std::string_view kNotOfStd[] = {"max", "min"};

constexpr std::string_view kStd[] = {"declval", "forward", "initializer_list", "move", "nothrow", "nullptr_t"};

// What ends a type or its name: std::is_same_v, std::enable_if_t, std::size_t.
constexpr std::string_view kTypes[] = {"_t", "_v"};
constexpr std::string_view kTraits[] = {
    "add_",      "aligned_",   "bool_constant",     "common_",        "conditional", "decay",
    "enable_if", "false_type", "integral_constant", "invoke_result",  "is_",         "make_",
    "remove_",   "result_of",  "true_type",         "underlying_type"};

constexpr std::string_view kRuntime[] = {"cudaDeviceGetAttribute",
                                         "cudaDeviceGetCacheConfig",
                                         "cudaDeviceGetLimit",
                                         "cudaDeviceGetSharedMemConfig",
                                         "cudaEventCreateWithFlags",
                                         "cudaEventDestroy",
                                         "cudaEventRecord",
                                         "cudaEventRecordWithFlags",
                                         "cudaFree",
                                         "cudaFuncGetAttributes",
                                         "cudaGetCurrentGraphExec",
                                         "cudaGetDevice",
                                         "cudaGetDeviceCount",
                                         "cudaGetErrorName",
                                         "cudaGetErrorString",
                                         "cudaGetLastError",
                                         "cudaGetParameterBuffer",
                                         "cudaGetParameterBufferV2",
                                         "cudaGraphLaunch",
                                         "cudaGridDependencySynchronize",
                                         "cudaLaunchDevice",
                                         "cudaLaunchDeviceV2",
                                         "cudaMalloc",
                                         "cudaMemcpy2DAsync",
                                         "cudaMemcpy3DAsync",
                                         "cudaMemcpyAsync",
                                         "cudaMemset2DAsync",
                                         "cudaMemset3DAsync",
                                         "cudaMemsetAsync",
                                         "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
                                         "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
                                         "cudaPeekAtLastError",
                                         "cudaRuntimeGetVersion",
                                         "cudaStreamCreateWithFlags",
                                         "cudaStreamDestroy",
                                         "cudaStreamWaitEvent",
                                         "cudaTriggerProgrammaticLaunchCompletion"};

constexpr std::string_view kDeviceOnly[] = {"__activemask",
                                            "__all_sync",
                                            "__any_sync",
                                            "__ballot_sync",
                                            "__brev",
                                            "__brevll",
                                            "__clz",
                                            "__clzll",
                                            "__ffs",
                                            "__ffsll",
                                            "__fmaf_rn",
                                            "__ldca",
                                            "__ldcg",
                                            "__ldcs",
                                            "__ldcv",
                                            "__ldg",
                                            "__match_all_sync",
                                            "__match_any_sync",
                                            "__mul24",
                                            "__mulhi",
                                            "__nanosleep",
                                            "__popc",
                                            "__popcll",
                                            "__reduce_add_sync",
                                            "__reduce_max_sync",
                                            "__reduce_min_sync",
                                            "__shfl_down_sync",
                                            "__shfl_sync",
                                            "__shfl_up_sync",
                                            "__shfl_xor_sync",
                                            "__syncthreads",
                                            "__syncthreads_and",
                                            "__syncthreads_count",
                                            "__syncthreads_or",
                                            "__syncwarp",
                                            "__threadfence",
                                            "__threadfence_block",
                                            "__threadfence_system",
                                            "__umul24",
                                            "__umulhi",
                                            "atomicAdd",
                                            "atomicAnd",
                                            "atomicCAS",
                                            "atomicDec",
                                            "atomicExch",
                                            "atomicInc",
                                            "atomicMax",
                                            "atomicMin",
                                            "atomicOr",
                                            "atomicSub",
                                            "atomicXor"};

bool is_in(const auto& sorted, std::string_view name) {
  return std::ranges::binary_search(sorted, name);
}

static_assert(std::ranges::is_sorted(kC) && std::ranges::is_sorted(kMath) && std::ranges::is_sorted(kStd) &&
              std::ranges::is_sorted(kRuntime) && std::ranges::is_sorted(kDeviceOnly));

}  // namespace

bool is_mathematical_function(std::string_view name) {
  return is_in(kMath, name) || (name.ends_with('f') && is_in(kMath, name.substr(0, name.size() - 1)));
}

bool is_c_function_of_device(std::string_view name) {
  return is_in(kC, name) || is_mathematical_function(name);
}

bool is_std_name_of_device(std::string_view name) {
  if (is_in(kNotOfStd, name)) return false;
  const auto ends = [name](std::string_view end) { return name.ends_with(end); };
  const auto begins = [name](std::string_view begin) { return name.starts_with(begin); };
  if (name == "make_pair" || name == "make_tuple" || name == "make_unique" || name == "make_shared") return false;
  return is_in(kStd, name) || is_c_function_of_device(name) || std::ranges::any_of(kTypes, ends) ||
         std::ranges::any_of(kTraits, begins);
}

bool is_runtime_function_of_device(std::string_view name) {
  // The names of streams that do not wait and the like.
  return is_in(kRuntime, name.substr(0, name.find("_ptsz")));
}

bool is_function_of_device_only(std::string_view name) {
  return is_in(kDeviceOnly, name);
}

}  // namespace warpfiber::translate
