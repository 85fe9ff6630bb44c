// SPDX-License-Identifier: Apache-2.0
#include "tools/fidelity/features.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
#include <string>

namespace warpfiber::tools::fidelity {
namespace {

using enum Fidelity;

constexpr Feature kFeatures[] = {
    {"barriers of a block", exact, "", "tests/conformance/cooperative_groups/block.cu",
     "__syncthreads* this_thread_block thread_block"},
    {"shuffles, votes, matches, reductions of a warp", exact, "", "tests/conformance/warp_intrinsics.cpp",
     "__shfl* __all_sync __any_sync __ballot_sync __match_* __reduce_* __syncwarp"},
    {"__activemask", approximate, "the device promises nothing; here the lanes that arrive at the call",
     "tests/conformance/cooperative_groups/warp_intrinsics.cu", "__activemask"},
    {"tiles", exact, "", "tests/conformance/cooperative_groups/tile_static.cu", "tiled_partition thread_block_tile"},
    {"coalesced groups and partitions by label", exact, "", "tests/conformance/cooperative_groups/labeled.cu",
     "coalesced_threads coalesced_group labeled_partition binary_partition"},
    {"reductions of groups", exact, "floats too: added up in the order of NVIDIA's headers",
     "tests/conformance/cooperative_groups/reduce.cu",
     "cg::reduce cooperative_groups::reduce reduce_update_async reduce_store_async"},
    {"scans of groups", exact, "floats too", "tests/conformance/cooperative_groups/scan.cu",
     "inclusive_scan* exclusive_scan*"},
    {"barriers of the grid", exact, "is_valid() of a plain launch is false, where a device may say true",
     "tests/conformance/cooperative_groups/grid_barrier.cu", "this_grid grid_group cudaLaunchCooperativeKernel"},
    {"clusters and distributed shared memory", exact, "", "tests/conformance/cooperative_groups/cluster_dsmem.cu",
     "this_cluster cluster_group __cluster_dims__ map_shared_rank "
     "cudaLaunchAttributeClusterDimension"},
    {"asynchronous copies of groups", exact, "the results; they take no time",
     "tests/conformance/cooperative_groups/memcpy_async.cu", "memcpy_async wait_prior"},
    {"errors of cooperative launches", exact, "", "tests/conformance/cooperative_groups/coop_launch_errors.cu",
     "cudaLaunchCooperativeKernel cudaDevAttrCooperativeLaunch"},
    {"occupancy", exact, "for the registers that the program was given; the simulator's compiler allots none",
     "tests/conformance/cooperative_groups/occupancy.cu", "cudaOccupancy*"},
    {"atomics on integers", exact, "which thread comes first is as free as on a device",
     "tests/conformance/atomics.cpp", "atomic*"},
    {"atomics on floats", approximate, "the sum depends on the order, on a device in every run",
     "tests/conformance/atomic_contention.cpp", "atomicAdd* fetch_add"},
    {"cuda::atomic, barriers and pipelines of libcu++", exact,
     "the results; orders weaker than the program's are not shown", "tests/programs/scoped_atomics.cu",
     "cuda::* atomic_ref"},
    {"integer, bit and conversion intrinsics", exact, "", "tests/conformance/intrinsics.cpp",
     "__popc* __clz* __ffs* __brev* __byte_perm __funnelshift* __dp4a __dp2a* __mulhi __float2* "
     "__double2* __int2* __vadd* __vabs* __sad"},
    {"half and bfloat16", approximate, "arithmetic is exact; a NaN's bits and fast functions differ",
     "tests/conformance/cooperative_groups/half.cu", "__half* __nv_bfloat16*"},
    {"functions of the mathematical library", approximate, "last bits differ (docs/intrinsics.md, \"Errors\")",
     "tests/conformance/mathematics.cpp",
     "sinf cosf tanf expf exp2f logf log2f powf sin cos tan exp log pow erf* tgamma* lgamma* "
     "cbrt* sincos* rsqrt*"},
    {"fast functions", approximate, "computed exactly and rounded, where the hardware approximates",
     "tests/conformance/mathematics.cpp",
     "__sinf __cosf __tanf __expf __exp10f __logf __log2f __log10f __powf __fdividef"},
    {"inline PTX", approximate, "the instructions of docs/nvcc.md; approximations are computed exactly",
     "tests/programs/inline_ptx.cu", "asm __asm__"},
    {"textures", approximate, "the filter's weights have the device's 9 bits; coordinates may round otherwise",
     "tests/programs/texture_filter.cu", "tex1D* tex2D* tex3D* surf2D* cudaTextureObject_t"},
    {"streams and events", approximate, "orders are kept; times are the host's, and nothing overlaps as on a device",
     "tests/programs/stream_overlap.cu", "cudaStream* cudaEvent*"},
    {"clocks", approximate, "they do not go back; what they count is no time", "tests/programs/hyperq.cu",
     "clock clock64 globaltimer __nanosleep"},
    {"managed memory", approximate, "one memory: nothing migrates", "tests/programs/unified_tasks.cu",
     "cudaMallocManaged __managed__ cudaMemPrefetchAsync cudaMemAdvise"},
    {"printf, assert, trap and the heap of kernels", exact, "", "tests/programs/device_heap.cu",
     "malloc assert __trap cudaLimitMallocHeapSize"},
    {"fused multiply-add by the compiler", approximate,
     "nvcc contracts a * b + c, the simulator's compiler does not: nvcc -fmad=false for equal bits",
     "tests/programs/matrix_mul.cu", "float double"},
    {"graphs and stream capture", not_modelled, "cudaErrorNotSupported", "", "cudaGraph* cudaStreamBeginCapture*"},
    {"mipmapped arrays", not_modelled, "cudaErrorNotSupported", "", "cudaMallocMipmappedArray tex2DLod*"},
    {"memory of other processes and of graphics", not_modelled, "cudaErrorNotSupported", "",
     "cudaIpc* cudaGraphics* cudaImportExternal* cudaMemPoolExport* cudaMemPoolImport*"},
    {"libraries loaded at run time", not_modelled, "cudaErrorNotSupported", "", "cudaLibrary* cudaKernel_t"},
};

std::string without_comments(std::string_view text) {
  std::string code;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const char* end = rest.starts_with("//") ? "\n" : rest.starts_with("/*") ? "*/" : nullptr;
    if (end == nullptr) {
      code += text[at++];
      continue;
    }
    const std::size_t found = text.find(end, at + 2);
    at = found == std::string_view::npos ? text.size() : found + (end[0] == '*' ? 2 : 0);
    code += ' ';
  }
  return code;
}

/// Names of a text, qualified ones ("cg::reduce") whole and in their parts.
std::set<std::string, std::less<>> words_of(std::string_view text) {
  const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':'; };
  std::set<std::string, std::less<>> words;
  const std::string code = without_comments(text);
  for (auto at = code.begin(); at != code.end();) {
    at = std::find_if(at, code.end(), in_name);
    const auto end = std::find_if_not(at, code.end(), in_name);
    std::string name(at, end);
    words.insert(name);
    for (std::size_t colon = name.find("::"); colon != std::string::npos; colon = name.find("::")) {
      words.insert(name.substr(0, colon));
      name.erase(0, colon + 2);
      words.insert(name);
    }
    at = end;
  }
  return words;
}

/// Whether one of the signs, which blanks separate, is among the words.
bool uses(const std::set<std::string, std::less<>>& words, std::string_view signs) {
  while (!signs.empty()) {
    const std::size_t blank = std::min(signs.find(' '), signs.size());
    const std::string_view sign = signs.substr(0, blank);
    signs.remove_prefix(std::min(blank + 1, signs.size()));
    const bool is_beginning = sign.ends_with('*');
    const auto first = words.lower_bound(sign.substr(0, sign.size() - is_beginning));
    if (first == words.end()) continue;
    if (is_beginning ? first->starts_with(sign.substr(0, sign.size() - 1)) : *first == sign) return true;
  }
  return false;
}

}  // namespace

std::span<const Feature> features() {
  return kFeatures;
}

std::string_view name_of(Fidelity fidelity) {
  return fidelity == exact ? "exact" : fidelity == approximate ? "approximate" : "not modelled";
}

std::vector<const Feature*> used_in(std::string_view text) {
  const auto words = words_of(text);
  std::vector<const Feature*> used;
  for (const Feature& feature : features()) {
    if (uses(words, feature.signs)) used.push_back(&feature);
  }
  return used;
}

}  // namespace warpfiber::tools::fidelity
