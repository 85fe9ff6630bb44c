// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber fidelity`: its table rests on cases that exist and use what they stand for, leaves out no function of the
// runtime, and finds what a program uses.
#include "tools/fidelity/fidelity.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "tools/command.hpp"
#include "tools/crosscheck/sources.hpp"

using Catch::Matchers::ContainsSubstring;
using namespace warpfiber::tools::fidelity;
namespace fs = std::filesystem;

namespace {

using Names = std::vector<std::string>;

constexpr const char* kLaunches = "kernels and their launches";  // which nearly every text here has

/// All but the kernels themselves.
Names names_used_in(const std::string& text) {
  Names names;
  for (const Feature* feature : used_in({text})) {
    if (feature->name != kLaunches) names.emplace_back(feature->name);
  }
  return names;
}

bool uses(const std::string& text, const std::string& name) {
  const Names names = names_used_in(text);
  return std::ranges::count(names, name) == 1;
}

std::string kernel(const std::string& body) {
  return "__global__ void k(int* x) { " + body + " }\nint main() {}\n";
}

/// How many features of those that a text uses are not modelled.
std::ptrdiff_t not_modelled_in(const std::string& text) {
  return std::ranges::count(used_in({text}), Fidelity::not_modelled, &Feature::fidelity);
}

/// Whether a source or a file that it includes uses the feature, or names it where names are made by macros.
bool mentions(const std::string& source, const Feature& feature) {
  warpfiber::tools::nvcc::NvccOptions program;
  program.inputs = {source};
  std::vector<std::string> texts;
  for (const auto& file : warpfiber::tools::crosscheck::read_sources(program).files) texts.push_back(file.text);
  if (std::ranges::count(used_in(texts), &feature) == 1) return true;
  std::string names = std::regex_replace(std::string(feature.signs), std::regex("[@(~]"), "");
  names = std::regex_replace(std::regex_replace(names, std::regex("\\*"), "\\w*"), std::regex(" "), "|");
  const std::regex named("\\b(" + names + ")(##|\\b)");
  return std::ranges::any_of(texts, [&named](const std::string& text) { return std::regex_search(text, named); });
}

std::string content_of(const fs::path& path) {
  std::ifstream in(fs::path(WARPFIBER_SOURCE) / path);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What the pattern's group matches in a text, each once.
std::set<std::string> found_in(const std::string& text, const char* pattern) {
  const std::regex wanted(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), wanted); at != std::sregex_iterator(); ++at) {
    found.insert((*at)[1]);
  }
  return found;
}

struct Folder {
  Folder() : path(fs::temp_directory_path() / ("warpfiber_fidelity_" + std::to_string(::getpid()))) {
    fs::create_directories(path / "inc");
  }
  ~Folder() { fs::remove_all(path); }
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return (path / name).string();
  }
  fs::path path;
};

}  // namespace

TEST_CASE("every claim names a case that exists and uses it, and only what is not modelled has none") {
  for (const Feature& feature : features()) {
    CAPTURE(std::string(feature.name));
    CHECK(feature.evidence.empty() == (feature.fidelity == Fidelity::not_modelled));
    if (feature.evidence.empty()) continue;
    CHECK(fs::is_regular_file(fs::path(WARPFIBER_SOURCE) / feature.evidence));
    CHECK(mentions(WARPFIBER_SOURCE "/" + std::string(feature.evidence), feature));
  }
}

TEST_CASE("every feature has a name of its own, signs to know it by, and says how it differs") {
  std::set<std::string_view> names;
  for (const Feature& feature : features()) {
    CAPTURE(std::string(feature.name));
    CHECK(names.insert(feature.name).second);
    CHECK_FALSE(feature.signs.empty());
    CHECK((feature.fidelity == Fidelity::exact || !feature.note.empty()));
  }
}

TEST_CASE("every function of CUDA's runtime belongs to a feature, and what returns not supported to one not modelled") {
  const auto functions = found_in(content_of("tests/cuda_runtime/runtime_functions.inc"), "FUNCTION\\((cuda\\w+)\\)");
  REQUIRE(functions.size() > 300);
  std::string unmodelled;
  for (const char* part : {"graphs", "memory", "outside"}) {
    unmodelled += content_of("src/cuda/abi/unmodelled/" + std::string(part) + ".cpp");
  }
  const auto refused = found_in(unmodelled, "cudaError_t (cuda\\w+)\\(");
  REQUIRE(refused.size() > 100);
  for (const std::string& function : functions) {
    CAPTURE(function);
    CHECK_FALSE(names_used_in(function + "();").empty());
    CHECK((not_modelled_in(function + "();") != 0) == refused.contains(function));
  }
}

TEST_CASE("every function of the device that the headers declare belongs to a feature") {
  std::set<std::string> functions;
  for (const char* folder : {"include/warpfiber", "include/cuda"}) {
    for (const auto& file : fs::recursive_directory_iterator(fs::path(WARPFIBER_SOURCE) / folder)) {
      if (!file.is_regular_file()) continue;
      const std::string text = content_of(fs::relative(file.path(), WARPFIBER_SOURCE));
      functions.merge(found_in(text, "[^:.\\w](__[a-z]\\w*|atomic[A-Z]\\w*|(?:tex|surf)[123C]\\w*)\\s*\\("));
    }
  }
  // What compilers have, qualifiers, and what the configuration of a launch becomes.
  const std::regex others(
      "__(builtin|atomic|has|is_triv|tsan|warpfiber)_?.*|__(activemask|asm|assert_fail|align|attribute|block_size|"
      "cluster_dims|"
      "cudaPushCallConfiguration|device|"
      "launch_bounds|maxnreg)_*|__property|__x|.*_");
  unsigned named = 0;
  for (const std::string& function : functions) {
    if (std::regex_match(function, others)) continue;
    CAPTURE(function);
    CHECK_FALSE(names_used_in(kernel("y = " + function + "(x);")).empty());
    ++named;
  }
  CHECK(named > 150);
}

TEST_CASE("what is named as not there yet is listed as not modelled") {
  CHECK(not_modelled_in("cudaGraphLaunch(g, s);") == 1);
  CHECK(not_modelled_in("cuInit(0); CUmodule m; cuModuleLoad(&m, \"x\");") == 1);
  CHECK(not_modelled_in(kernel("child<<<1, 1>>>();")) == 1);
  CHECK(not_modelled_in("int main() { child<<<1, 1>>>(); }") == 0);
  CHECK(not_modelled_in("#include <nvrtc.h>\n#include <thrust/sort.h>\n#  include \"cub/cub.cuh\"\n") == 1);
  CHECK(not_modelled_in("// thrust\n/*\n#include <nvrtc.h>\n*/\n#include <algorithm>\n") == 0);
  CHECK(not_modelled_in("using namespace nvcuda; __device__ void f() { wmma::fragment<a, 16> x; }") == 0);
  CHECK(not_modelled_in("thrust::device_vector<int> v;") == 0);
  CHECK(not_modelled_in("cub::DeviceScan::ExclusiveSum(t, n, in, out, 3);") == 0);
  CHECK(not_modelled_in(kernel("cudaGridDependencySynchronize();")) == 0);
}

TEST_CASE("features are found by whole words, beginnings and qualified names") {
  CHECK(names_used_in("__syncthreads();") == Names{"barriers of a block"});
  CHECK(names_used_in("x = cg::reduce(tile, x, op);") == Names{"reductions of groups"});
  CHECK(names_used_in("reduce(x); my__syncthreads();").empty());
  CHECK(names_used_in("namespace g = cooperative_groups; x = g::reduce(t, 1);") == Names{"reductions of groups"});
  CHECK(uses("g::this_multi_grid().sync();", "grids of several devices"));
  CHECK(uses("cudaLaunchKernelEx(&config, k, x);", "launches by pointer and with attributes"));
  CHECK(
      uses("using namespace cooperative_groups;" + kernel("*x = reduce(t, 3, plus<int>());"), "reductions of groups"));
  CHECK_FALSE(
      uses("namespace cg = cooperative_groups; __device__ int reduce(int x) { return x; }" + kernel("*x = reduce(3);"),
           "reductions of groups"));
}

TEST_CASE("comments and strings are no words, and what follows them is") {
  CHECK(names_used_in("// __syncthreads\n/* tex2D */ const char* s = \"asm sin __trap\"; char c = '\"';").empty());
  CHECK(uses("const char* url = \"http://x\"; cudaGraphLaunch(g, s);", "graphs and stream capture"));
  CHECK(uses("auto s = R\"(\" // )\"; cudaGraphLaunch(g, s);", "graphs and stream capture"));
}

TEST_CASE("names of the host's are no features of kernels") {
  CHECK(names_used_in("int main() { int clock = 3; std::printf(\"%d\", clock); printf(\"x\"); std::atomic<int> a; "
                      "int* q = (int*)malloc(4); free(q); float y = sinf(1.0f); assert(y > 0); a.fetch_add(1); }")
            .empty());
  const std::string used = "printf(\"x\"); assert(x); free(malloc(4)); float y = tanhf(clock());";
  CHECK(names_used_in(kernel(used)) == Names{"functions of the mathematical library",
                                             "fused multiply-add by the compiler", "clocks",
                                             "printf, assert and trap of kernels", "the heap of kernels"});
  CHECK(names_used_in("__device__ int norm(int x) { return x; }" + kernel("*x = norm(3);")).empty());
  CHECK(uses("auto f = [] __device__(int x) { printf(\"x\"); };", "printf, assert and trap of kernels"));
  CHECK(uses("template <class T> struct A { __host__ __device__ __forceinline__ T f() const { return new T; } };",
             "the heap of kernels"));
}

TEST_CASE("code in macros is the device's where a kernel mentions them, and macros may be qualifiers") {
  const std::string macros = "#define SAY(x) \\\n  printf(\"%d\", x)\n#define TWICE(x) SAY(x); SAY(x)\n";
  CHECK(uses(macros + kernel("TWICE(3);"), "printf, assert and trap of kernels"));
  CHECK(names_used_in(macros + "int main() { TWICE(3); }").empty());
  CHECK(names_used_in("/*\n#define SYNC __syncthreads()\n*/").empty());
  CHECK(uses("# define SYNC __syncthreads()\n", "barriers of a block"));
  CHECK(uses("#define HD __host__ __device__ inline\nHD double f(double x) { return tgamma(x); }",
             "functions of the mathematical library"));
}

TEST_CASE("braces that differ between alternatives of the preprocessor do not make the host's code the device's") {
  const std::string differing =
      "#if A\n__global__ void k(int n) {\n#else\n__global__ void k() {\n#endif\n printf(\"\"); }\n";
  CHECK(names_used_in(differing + "int main() { k<<<1, 1>>>(malloc(3)); }") ==
        Names{"printf, assert and trap of kernels"});
  const std::string other =
      "#ifdef A\nint x;\n#elif B\n__device__ int f() { return *new int; }\n#else\nint y;\n#endif\n";
  CHECK(names_used_in(other + "int main() { return *(int*)malloc(3); }") == Names{"the heap of kernels"});
}

TEST_CASE("any text is read, however it breaks off") {
  const std::string text =
      "#if A\n#else \\\n#endif\n#define F(a, b) \\\n __device__ a\n__global__ void k(half* h) { "
      "atomicAdd(&h[3], b); auto f = [] __device__ (int i) { g<<<1, 2>>>(\"\\\"\", R\"x(\"); }; }\n"
      "#else\n#endif\n# # define\n#include <\n#include\nnamespace g =";
  for (std::size_t begin = 0; begin < text.size(); begin += 7) {
    for (std::size_t size = 0; size <= text.size() - begin; ++size) used_in({text.substr(begin, size)});
  }
  CHECK(uses(text, "half and bfloat16"));
}

TEST_CASE("functions of the mathematical library are found under both names, exact ones apart") {
  for (const char* function : {"tanhf", "atan2f", "log10f", "exp10f", "hypotf", "log1pf", "sinpif", "erfcinv", "pow"}) {
    CAPTURE(function);
    CHECK(uses(kernel("x[0] = " + std::string(function) + "(x[1]);"), "functions of the mathematical library"));
  }
  for (const char* function : {"fmodf", "sqrt", "fmaf", "std::sqrt", "floorf"}) {
    CAPTURE(function);
    CHECK(names_used_in(kernel("x[0] = " + std::string(function) + "(x[1]);")) ==
          Names{"functions that round at most once"});
  }
}

TEST_CASE("atomics on floats are told from those on integers by what is declared") {
  const char* floats = "atomics on floats";
  CHECK_FALSE(uses("float f;" + kernel("atomicAdd(&x[0], 1);"), floats));
  CHECK_FALSE(
      uses("__global__ void k(const int* in, int *n, *bins, float* y) { atomicAdd(&bins[in[1]], 1); }", floats));
  CHECK(uses("__global__ void k(float* __restrict__ y) { atomicAdd(&y[3], 1); }", floats));
  CHECK(uses("__global__ void k() { __shared__ double sums[2][3], other; atomicAdd(&other, 1); }", floats));
  CHECK(uses("template <class T> __global__ void k(T* y) { atomicAdd(y, T(1)); } float z;", floats));
  CHECK_FALSE(uses("template <class T> __global__ void k(T* y) { atomicAdd(y, T(1)); } int z;", floats));
  CHECK(uses("__global__ void k(float* y) { cuda::atomic_ref<float>(*y).fetch_add(1); }", floats));
  CHECK(uses(kernel("atomicAdd(x, 1);"), "atomics on integers"));
}

TEST_CASE("half is a type or a variable") {
  const char* half = "half and bfloat16";
  CHECK(uses("__global__ void k(half* h) { }", half));
  CHECK(uses("half2 a;", half));
  CHECK(uses("nv_bfloat16 a;", half));
  CHECK(uses("fragment<half> a; half b;", half));
  CHECK_FALSE(uses("int half = n / 2; x[half] += x[i + half] * half; f(half);", half));
}

TEST_CASE("kernels, vectors, variables of the device and numbers of 8 bits have rows") {
  CHECK(std::ranges::count(used_in({kernel("*x = 1;")}), kLaunches, &Feature::name) == 1);
  CHECK(uses(kernel("float4 v = make_float4(1, 2, 3, 4);"), "vectors"));
  CHECK(uses("__device__ int count;", "variables of the device, constant memory"));
  CHECK(uses("static __device__ unsigned long long table[4] = {1};", "variables of the device, constant memory"));
  CHECK(uses("__device__ int count = 0; int main() {}", "variables of the device, constant memory"));
  for (const char* none : {"__device__ int f(int x) { return x; }", "struct A { __device__ A() {} };",
                           "auto f = [] __device__ { return 1; };", "__device__ void f();",
                           "struct A { __device__ A& operator=(const A&); };"}) {
    CHECK_FALSE(uses(none, "variables of the device, constant memory"));
  }
  CHECK(names_used_in("#include <cuda_fp8.h>\n" + kernel("__nv_fp8_e4m3 a(3);")) ==
        Names{"floating-point numbers of 8 bits"});
  CHECK(not_modelled_in("__nv_fp8_e8m0 scale;") == 0);
  CHECK(uses(kernel("cooperative_groups::sync(g);"), "groups of any kind"));
}

TEST_CASE("kinds of memory, surfaces, peers and callbacks have rows") {
  CHECK(uses("__constant__ int table[4];", "variables of the device, constant memory"));
  CHECK(uses(kernel("__shared__ int q[3];"), "shared memory"));
  CHECK(uses("cudaHostAlloc(&p, 8, cudaHostAllocMapped);", "pinned and mapped memory"));
  CHECK(uses("cudaMallocAsync(&p, 8, s);", "pools of memory"));
  CHECK(uses("cudaMemcpyPeer(p, 0, p, 1, 8);", "several devices and peers"));
  CHECK(uses("cudaLaunchHostFunc(s, f, p);", "functions of the host in streams"));
  for (const char* name : {"surf1Dwrite", "surf3Dread", "surfCubemapwrite"}) CHECK(uses(name, "surfaces"));
}

TEST_CASE("features are found under Warpfiber's own names") {
  const char* grid = "barriers of the grid";
  CHECK(uses("warpfiber::launch({.grid = 8, .block = 1, .cooperative = true}, k, a);", grid));
  CHECK(uses("namespace wf = warpfiber;" + kernel("wf::sync_grid();"), grid));
  CHECK(uses("using namespace warpfiber;" + kernel("sync_cluster();"), "clusters and distributed shared memory"));
  CHECK(names_used_in("Launch l{.grid = 8, .cooperative = true};").empty());
}

TEST_CASE("warpfiber fidelity lists all features, those of a program, or which file is missing") {
  const auto all = fidelity({});
  CHECK(all.status == 0);
  CHECK_THAT(all.out, ContainsSubstring("not modelled  graphs") && ContainsSubstring("tests/conformance/atomics.cpp"));
  const auto one = fidelity({WARPFIBER_SOURCE "/tests/programs/vote.cu"});
  CHECK(one.status == 0);
  CHECK_THAT(one.out, ContainsSubstring("shuffles, votes") && !ContainsSubstring("textures"));
  const auto none = fidelity({"nowhere.cu"});
  CHECK(none.status == 2);
  CHECK_THAT(none.err, ContainsSubstring("nowhere.cu: no such file"));
}

TEST_CASE("warpfiber fidelity takes nvcc's options and reads the program's headers, not the toolkit's") {
  const Folder folder;
  const std::string source = folder.file("a.cu", "#include <inc.h>\n");
  folder.file("inc/inc.h", "#pragma once\n__managed__ int x;\n");
  const std::string include = "-I" + (folder.path / "inc").string();
  using warpfiber::tools::command;
  CHECK_THAT(command({"fidelity", source}).out, ContainsSubstring("none of the features"));
  CHECK_THAT(command({"fidelity", include, "-O3", "-arch=sm_90", source}).out, ContainsSubstring("managed memory"));
  CHECK_THAT(command({"fidelity", (folder.path / "inc/inc.h").string()}).out, ContainsSubstring("managed memory"));
  CHECK(command({"fidelity", "--no-such-option", source}).status == 2);
  CHECK(command({"fidelity", include}).status == 2);
  folder.file("inc/cuda_runtime_api.h", "");
  CHECK_THAT(command({"fidelity", include, source}).out, ContainsSubstring("none of the features"));
}

TEST_CASE("warpfiber fidelity refuses programs and objects") {
  const Folder folder;
  for (const char* name : {"program", "a.o", "named_wrongly.cu"}) {
    CAPTURE(name);
    const auto reply = fidelity({folder.file(name, std::string("\x7f"
                                                               "ELF\2\1\1\0\0 cudaGraphLaunch",
                                                               24))});
    CHECK(reply.status == 2);
    CHECK_THAT(reply.err, ContainsSubstring("no text; name the CUDA sources that it is built from"));
  }
}
