// SPDX-License-Identifier: Apache-2.0
//
// Which kernels the translator calls straight-line code. In doubt it does not.
#include "support/catch.hpp"
#include "translate/passes.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

constexpr std::string_view kBegin = "bool is_straight_line() { return ";

/// What the translation of the last kernel of `program` says of it, without the namespace; empty: nothing.
std::string said_of(const std::string& program) {
  const std::string text = translated(program);
  const std::size_t at = text.rfind(kBegin);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + kBegin.size() + std::string_view("::warpfiber::cuda::").size();
  return text.substr(begin, text.find(';', begin) - begin);
}

std::string said_of_body(const std::string& body, const std::string& before = "") {
  return said_of(before + "__global__ void k(int n, float a, const float* x, float* y) {" + body + "}");
}

}  // namespace

TEST_CASE("straight-line code: bodies that are") {
  const auto* const body =
      GENERATE("", "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = a * x[i] + y[i];",
               "const unsigned i = threadIdx.x, j = i + 1; if (i >= n) return; y[i] += x[j];",
               "size_t i = blockIdx.y * gridDim.x; y[i] = i < 3 ? x[i] : (float)n;",
               "float v = sqrtf(x[0]), w = fmaxf(v, __expf(a)); y[n] = min(v, w) * static_cast<float>(n);",
               "switch (n) { case 1: y[0] = 1; break; default: y[0] = x[2]; }",
               "float v[4] = {1, 2, 3, 4}; float* p = y + n; *p = v[n & 3]; p[1] = -*p; ++y[2];",
               "bool near = a < 1e-3f && !(n > 'c'); y[sizeof(int)] = near ? 1.f : 0.f;",
               "auto i = threadIdx.x; { int i = 3; y[i] = 0; } y[i] = __ldg(x + i);",
               "y[warpSize] = __popc(n) + __float_as_int(a);");
  INFO(body);
  CHECK(said_of_body(body) == "kBuiltInOperators<>");
}

TEST_CASE("straight-line code: bodies that are not, or that are not understood") {
  const auto* const body = GENERATE(
      "for (int i = 0; i < n; ++i) y[i] = 0;", "while (y[0] == 0) {}", "do { --n; } while (n);", "a: goto a;",
      "__syncthreads();", "__syncwarp();", "atomicAdd(y, 1.f);", "__threadfence();", "y[0] = __shfl_sync(~0u, a, 0);",
      "__shared__ float s[32]; s[0] = a;", "volatile float* p = y; *p = a;", "printf(\"%d\", n);", "asm(\"\");",
      "auto f = [&] { y[0] = a; }; f();", "float* p = new float; *p = a;", "throw n;",
      "try { y[0] = 1; } catch (...) {}", "f(n);", "y[0] = helper<float>(a);", "y[0] = std::sqrt(a);",
      "y[0] = ::sqrtf(a);", "Point p; y[0] = p.x;", "p->run();", "y[0] = other;", "static int count; ++count;",
      "struct S { S() {} } s;", "using T = S; T t;", "k<<<1, 1>>>(n, a, x, y);", "k(n, a, x, y);",
      "y[threadIdx.w] = 0;", "auto [p, q] = f;", "[[maybe_unused]] int i;", "uint3 threadIdx; threadIdx.x = 1;",
      "goto *p;", "clock();", "__nanosleep(8);", "malloc(8);", "y[0] = cg::this_grid().size();");
  INFO(body);
  CHECK(said_of_body(body).empty());
}

TEST_CASE("straight-line code: functions of the device that a kernel calls") {
  const std::string call = "y[0] = f(a);";
  CHECK_FALSE(said_of_body(call, "__device__ float f(float v) { return v * v; }").empty());
  CHECK_FALSE(
      said_of_body(call,
                   "static inline __attribute__((always_inline)) __device__ float f(const float& v) { return -v; }")
          .empty());
  CHECK_FALSE(said_of_body(call,
                           "__host__ __device__ float g(float v) { return sqrtf(v); }"
                           "__device__ float f(float v) { return g(g(v)); }")
                  .empty());
  CHECK_FALSE(said_of_body(call, "__device__ float f(float);  __device__ float f(float v) { return v; }").empty());
  CHECK(said_of_body(call, "__device__ float f(float v) { while (v < 1) {} return v; }").empty());
  CHECK(said_of_body(call, "__device__ float f(float v) { return v > 1 ? f(v - 1) : v; }").empty());
  CHECK(said_of_body(call,
                     "__device__ float f(float); __device__ float g(float v) { return f(v); }"
                     "__device__ float f(float v) { return v > 1 ? g(v - 1) : v; }")
            .empty());
  CHECK(said_of_body(call, "__device__ float f(float);").empty());
  CHECK(said_of_body(call,
                     "__device__ float f(float v) { return v; }"
                     "__device__ float f(int v) { while (v) {} return v; }")
            .empty());
  CHECK(said_of_body(call, "template <class T> __device__ T f(T v) { return v; }").empty());
  CHECK(said_of_body(call, "struct S { S(float); }; __device__ float f(S v) { return 1; }").empty());
  CHECK(said_of_body(call, "struct S {}; __device__ S f(float v) { return {}; }").empty());
  CHECK(said_of_body("y[0] = sqrtf(a);", "__device__ float sqrtf(float v) { while (v < 1) {} return v; }").empty());
}

TEST_CASE("straight-line code: kernels that are templates") {
  CHECK(said_of("template <class T> __global__ void k(T* p) { T v = p[0]; p[1] = v + T(1); }") ==
        "kBuiltInOperators<T>");
  CHECK(said_of("template <typename T, int N, class U> __global__ void k(T* p) { p[N] = (U)p[0]; }") ==
        "kBuiltInOperators<T, U>");
  CHECK(said_of("template <class... T> __global__ void k(T... p) {}").empty());
  CHECK(said_of("template <class T, S V> __global__ void k(T* p) { p[0] = V; }").empty());
  CHECK(said_of("template <template <class> class T> __global__ void k(int* p) { p[0] = 1; }").empty());
  CHECK(said_of("__global__ void k(auto* p) { p[0] = 1; }").empty());
}

TEST_CASE("straight-line code: checked programs report the thread of each access") {
  const Translation made = translate_sample("__global__ void k(int* p) { *p = 1; }", {.checked = true});
  CHECK(made.text.find(kBegin) == std::string::npos);
}

TEST_CASE("a body's last statement that calls no function but those that compute numbers") {
  const auto* const body =
      GENERATE("{ helper(n); y[0] = n ? s[0] : -1; }", "{ if (n > 0) { y[0] = min(n, 3); } }",
               "{ bool b = f(n); y[n] = b; }", "{ f(n); for (int i = 0; i < n; ++i) y[i] = float(i) * sqrtf(y[i]); }",
               "{ f(n); if (n == 0) y[0] = 1; else ++y[1]; }", "{ f(n); atomicAdd(&y[0], 1.f); }",
               "{ f(n); int a[2] = {1, 2}; y[n] = a[1]; }");
  INFO(body);
  const Tokens tokens(body);
  CHECK(ends_without_call(tokens, {0, tokens.size()}));
}

TEST_CASE("a body that may end where another function returns") {
  const auto* const body = GENERATE(
      "{}", "{ ; }", "{ helper(n); }", "{ y[0] = 1; ns::helper<3>(n, y); }", "{ y[n] = 0; o.run(); }",
      "{ if (n > 0) a<1>(y); else y[0] = 1; }", "{ switch (n) { case 1: f(y); break; default: y[0] = 1; } }",
      "{ y[0] = f(n); }", "{ y[0] = 1; return; }", "{ y[0] = 1; [&] { y[1] = 1; }(); }", "{ f(); y[0] = (*g)(n); }");
  INFO(body);
  const Tokens tokens(body);
  CHECK_FALSE(ends_without_call(tokens, {0, tokens.size()}));
}

}  // namespace warpfiber::translate::test
