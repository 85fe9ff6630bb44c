// SPDX-License-Identifier: Apache-2.0
//
// Kernel definitions of every shape that real programs have, and the functions they call.
#include "support/catch.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

TEST_CASE("kernel: qualifiers in any order and place") {
  REQUIRE_RUNS(R"~(
static __global__ void a(int* p) { ++*p; }
__global__ static void b(int* p) { ++*p; }
void __global__ c(int* p) { ++*p; }
static __global__ void __launch_bounds__(256) d(int* p) { ++*p; }
__global__ __launch_bounds__(64, 2) void e(int* p) { ++*p; }
extern "C" __global__ void f(int* p) { ++*p; }
extern "C" { __global__ void g(int* p) { ++*p; } }
inline __global__ void h(int* p) { ++*p; }
__global__ [[maybe_unused]] void i(int* p) noexcept { ++*p; }
__global__ auto j(int* p) -> void { ++*p; }
int main() {
  int n = 0;
  a<<<1, 1>>>(&n); b<<<1, 1>>>(&n); c<<<1, 1>>>(&n); d<<<1, 1>>>(&n);
  EXPECT(warpfiber::cuda::last_kernel.bounds.threads == 256);
  e<<<1, 1>>>(&n);
  EXPECT(warpfiber::cuda::last_kernel.bounds.threads == 64 && warpfiber::cuda::last_kernel.bounds.blocks == 2);
  f<<<1, 1>>>(&n); g<<<1, 1>>>(&n); h<<<1, 1>>>(&n); i<<<1, 1>>>(&n); j<<<1, 1>>>(&n);
  EXPECT(n == 10);
})~");
}

TEST_CASE("kernel: a function that is inline, where loops over threads are made of it") {
  const std::string kernels =
      "extern \"C\" __warpfiber_global__ void f(int* p) { ++*p; }\n"
      "template <class T> __warpfiber_global__ void g(T* p) { ++*p; }\n"
      "template <> __warpfiber_global__ void g<int>(int* p) { --*p; }\n";
  CHECK(translate(kernels, "").text.find("inline") == std::string::npos);
  const std::string text =
      translate("constexpr bool kRunsAsRegions = Execution::regions == Execution::regions;\n" + kernels, "").text;
  CHECK(text.find("extern \"C\"            inline void f(") != std::string::npos);
  CHECK(text.find("template <class T>            void g(") != std::string::npos);
  CHECK(text.find("template <>            inline void g<int>(") != std::string::npos);
  // In the host compiler's object other files find it.
  const std::string host = translate(kernels, "", {.inline_kernels = true}).text;
  CHECK(host.find("extern \"C\"            inline __attribute__((used)) void f(") != std::string::npos);
  CHECK(host.find("template <class T>            void g(") != std::string::npos);
}

TEST_CASE("kernel: bounds, clusters, registers and block sizes, dependent ones too") {
  REQUIRE_RUNS(R"~(
template <int N> __global__ void __launch_bounds__(N * 2, N) __cluster_dims__(2, 1, 1) k() {}
__maxnreg__(32) __global__ void m() {}
__block_size__((128, 1, 1)) __global__ void b() {}
int main() {
  k<16><<<1, 1>>>();
  EXPECT(warpfiber::cuda::last_kernel.bounds.threads == 32 && warpfiber::cuda::last_kernel.bounds.blocks == 16);
  EXPECT(warpfiber::cuda::last_kernel.bounds.cluster_x == 2);
  m<<<1, 1>>>();
  EXPECT(warpfiber::cuda::last_kernel.bounds.maximum_registers == 32);
  b<<<1, 1>>>();
  EXPECT(warpfiber::cuda::last_kernel.bounds.threads == 128);
})~");
}

TEST_CASE("kernel: braces that differ between the branches of a directive") {
  REQUIRE_RUNS(R"~(
__global__ void k(int* p
#if 0
  , int q) { if (q) {
#else
  ) { if (p) {
#endif
  ++*p; } }
int main() { int n = 0; k<<<1, 1>>>(&n); EXPECT(n == 1); })~");
}

TEST_CASE("kernel: templates, unnamed parameters of both kinds, packs and constraints") {
  REQUIRE_RUNS(R"~(
template <class T, int> __global__ void a(T* p, int, const float&) { ++*p; }
template <class T, typename = int, class...> __global__ void b(T* p, int (*)(int), char[3]) { ++*p; }
template <class... A> __global__ void c(int* p, A... by) { *p += (by + ...); }
template <template <class> class T, int... N> __global__ void d(T<int>* p) { p->value += (N + ...); }
template <class T> requires (sizeof(T) == 4) __global__ void e(T* p) requires true { ++*p; }
template <class> struct Box { int value; };
template <class T, decltype(sizeof(T))> __global__ void f(T* p, void*, unsigned) { ++*p; }
__global__ void g(auto* p, auto by) { *p += by; }
template <bool... B, class... A> __global__ void h(int* p, const A*...) { *p += sizeof...(A) + sizeof...(B); }
int main() {
  int n = 0;
  Box<int> box{};
  a<int, 3><<<1, 1>>>(&n, 1, 2.0f);
  b<int><<<1, 1>>>(&n, nullptr, nullptr);
  c<<<1, 1>>>(&n, 1, 2L, 3u);
  d<Box, 4, 5><<<1, 1>>>(&box);
  e<<<1, 1>>>(&n);
  f<int, 3><<<1, 1>>>(&n, nullptr, 1u);
  g<<<1, 1>>>(&n, 2);
  h<true><<<1, 1>>>(&n, &n, &box);
  EXPECT(n == 15 && box.value == 9);
})~");
}

TEST_CASE("kernel: explicit specialisations, with and without their arguments") {
  REQUIRE_RUNS(R"~(
template <class T> __global__ void k(T* p) { *p = 1; }
template <> __global__ void k<float>(float* p) { *p = 2; }
template <> __global__ void k(double* p) { *p = 3; }
template __global__ void k<char>(char* p);
int main() {
  int i; float f; double d; char c;
  k<<<1, 1>>>(&i); k<<<1, 1>>>(&f); k<double><<<1, 1>>>(&d); k<<<1, 1>>>(&c);
  EXPECT(i == 1 && f == 2 && d == 3 && c == 1);
})~");
}

TEST_CASE("kernel: declared before, default arguments, array parameters, functions and pointers to arrays") {
  REQUIRE_RUNS(R"~(
__global__ void k(int* p, int by = 2);
template <class T> __global__ void t(T, int n = sizeof(T));
__global__ void arrays(int a[4], int (*b)[2], int c[], int f(int)) { a[0] = b[1][1] + c[0] + f(1); }
__global__ void k(int* p, int by) { *p += by; }
template <class T> __global__ void t(T p, int n) { *p += n; }
int twice(int x) { return 2 * x; }
int main() {
  int n = 0, pair[2] = {5, 6}, table[2][2] = {{1, 2}, {3, 4}};
  k<<<1, 1>>>(&n);
  t<<<1, 1>>>(&n);
  EXPECT(n == 10);
  arrays<<<1, 1>>>(&n, table, pair, twice);
  EXPECT(n == 11);
})~");
}

TEST_CASE("kernel: default arguments with commas and comparisons") {
  REQUIRE_RUNS(R"~(
template <class A, class B> struct Pair { A a; B b; };
__global__ void k(int* p, Pair<int, long> a = Pair<int, long>{1, 2}, bool less = 1 < 2, int n = int(4)) { *p = a.a + n + less; }
int main() { int n = 0; k<<<1, 1>>>(&n); EXPECT(n == 6); })~");
}

TEST_CASE("kernel: namespaces, and a parameter with the kernel's name") {
  REQUIRE_RUNS(R"~(
namespace a::b { inline namespace c { namespace {
__global__ void scale(int* scale) { *scale *= 2; }
template <int sum> __global__ void sum_(int* p) { *p += sum; }
} } }
__global__ void add(int* add) { *add += 1; }
int main() { int n = 2; a::b::scale<<<1, 1>>>(&n); a::b::sum_<3><<<1, 1>>>(&n); add<<<1, 1>>>(&n); EXPECT(n == 8); })~");
}

TEST_CASE("kernel: its body returns, loops, has labels, lambdas and local classes") {
  REQUIRE_RUNS(R"~(
__global__ void k(int* p, int n) {
  if (threadIdx.x > 2) return;
  struct Local { int v; __device__ int get() const { return v; } } local{n};
  auto add = [=](int by) { return by + local.get(); };
  for (int i = 0; i < 2; ++i) { if (i == 1) goto end; *p += add(1); }
end:
  return;
}
int main() { int n = 0; k<<<1, 5>>>(&n, 4); EXPECT(n == 15); })~");
}

TEST_CASE("kernel: the names the compiler gives functions are the kernel's") {
  REQUIRE_RUNS(R"~(
__global__ void k(int*) { EXPECT(strcmp(__func__, "k") == 0 && strcmp(__FUNCTION__, "k") == 0);
  EXPECT(strcmp(__PRETTY_FUNCTION__, "void k(int*)") == 0 || strcmp(__PRETTY_FUNCTION__, "void k(int *)") == 0); }
int main() { k<<<1, 1>>>(nullptr); EXPECT(strcmp(warpfiber::cuda::last_kernel.name, "k") == 0); })~");
}

TEST_CASE("kernel: taken by address") {
  REQUIRE_RUNS(R"~(
template <class T> __global__ void k(T* p) { ++*p; }
__global__ void simple(int* p) { ++*p; }
int main() {
  const void* a = (const void*)k<int>; const void* b = reinterpret_cast<const void*>(&simple);
  int n = 0;
  void (*fp)(int*) = &k<int>;
  EXPECT(a != b && a == (const void*)fp);
  fp<<<1, 1>>>(&n);
  EXPECT(n == 1);
})~");
}

TEST_CASE("kernel: __grid_constant__ and by-value classes") {
  REQUIRE_RUNS(R"~(
struct Big { int v[20]; };
__global__ void k(int* p, const __grid_constant__ Big big, __grid_constant__ const int n) { *p = big.v[19] + n; }
int main() { int n = 0; Big big{}; big.v[19] = 3; k<<<1, 1>>>(&n, big, 4); EXPECT(n == 7); })~");
}

TEST_CASE("kernel: all threads see one object of a __grid_constant__ parameter, of its own type") {
  REQUIRE_RUNS(R"~(
struct Pair { using Element = int; Element a, b; };
const void* seen[8];
int count = 0;
__global__ void k(const __grid_constant__ Pair pair, int (*const __grid_constant__ rows)[2], const __grid_constant__ int, Pair own) {
  const decltype(pair)::Element a = pair.a;
  decltype(own) other = own;
  static_assert(__is_same(decltype(pair), const Pair) && __is_same(decltype(rows), int (*const)[2]));
  EXPECT(a == 3 && rows[1][1] == 4 && other.b == 6);
  seen[count++] = &pair;
}
template <class T> __global__ void t(T* p, const __grid_constant__ T v) { const decltype(v) w = v; *p = w; }
int main() {
  int rows[2][2] = {{1, 2}, {3, 4}};
  k<<<2, 2>>>({3, 4}, rows, 5, {5, 6});
  EXPECT(count == 4);
  for (int i = 1; i < 4; ++i) EXPECT(seen[i] == seen[0]);
  int n = 0;
  t<<<1, 1>>>(&n, 9);
  EXPECT(n == 9);
})~");
}

TEST_CASE("kernel: a friend declaration, and a class between") {
  REQUIRE_RUNS(R"~(
class Secret;
__global__ void open(Secret* s, int* p);
class Secret { friend __global__ void open(Secret* s, int* p); int v = 4; };
__global__ void open(Secret* s, int* p) { *p = s->v; }
int main() { int n = 0; Secret s; open<<<1, 1>>>(&s, &n); EXPECT(n == 4); })~");
}

TEST_CASE("device functions: members, operators, constructors, lambdas and trailing returns") {
  REQUIRE_RUNS(R"~(
struct V {
  int x;
  __host__ __device__ explicit constexpr V(int a = 0) : x{a} {}
  __device__ __host__ V operator+(const V& o) const { return V(x + o.x); }
  __device__ operator int() const { return x; }
  template <class T> __device__ __forceinline__ auto times(T t) const -> decltype(t * 1) { return x * t; }
  friend __host__ __device__ bool operator==(const V& a, const V& b) { return a.x == b.x; }
  __device__ virtual int get() { return x; }
  static __device__ __noinline__ int make();
  __device__ ~V() = default;
};
__device__ int V::make() { return 5; }
template <class F> __device__ int apply(F f) { return f(2); }
__host__ __device__ static inline int plain(int (*f)(int), int v) { return f(v); }
__global__ void k(int* p) {
  V v(3);
  auto l = [=] __device__ (int i) mutable -> int { return i + v.x; };
  *p = (v + V(1)) + v.times(2) + V::make() + apply(l) + apply([] __host__ __device__ (int i) { return i; }) + v.get();
}
int main() { int n = 0; k<<<1, 1>>>(&n); EXPECT(n == 4 + 6 + 5 + 5 + 2 + 3); EXPECT(plain([](int i) { return i; }, 3) == 3); })~");
}

TEST_CASE("kernel: mistakes are said in nvcc's words at their line") {
  CHECK(errors_of("\n__global__ int k(int a) { return a; }") ==
        "sample.cu:2:16: error: a __global__ function must have a void return type\n");
  CHECK(errors_of("__global__ void* k(int a);") ==
        "sample.cu:1:18: error: a __global__ function must have a void return type\n");
  CHECK(errors_of("__global__ auto k(int a) { }") ==
        "sample.cu:1:17: error: a __global__ function must not have a deduced return type\n");
  CHECK(errors_of("struct S {\n  __global__ void k(int a) { }\n};") ==
        "sample.cu:2:19: error: A __global__ function or function template cannot be a member function\n");
  CHECK(errors_of("struct S { static __global__ void k(); };") ==
        "sample.cu:1:35: error: A __global__ function or function template cannot be a member function\n");
  CHECK(errors_of("__global__ void k(int a, ...) { }") ==
        "sample.cu:1:17: error: a __global__ function cannot have ellipsis\n");
  CHECK(errors_of("__global__ __device__ void k() { }") ==
        "sample.cu:1:28: error: illegal combination of memory qualifiers\n");
  CHECK(errors_of("__launch_bounds__(32) __device__ void f() {}") ==
        "sample.cu:1:1: error: __launch_bounds__ is only allowed on a __global__ function\n");
  CHECK(errors_of("__global__ void k(int a, const __grid_constant__ int& b) { }") ==
        "sample.cu:1:17: error: a parameter annotated with __grid_constant__ must not have reference type\n");
  CHECK(
      errors_of("__device__ void f(const __grid_constant__ int a) { }") ==
      "sample.cu:1:25: error: __grid_constant__ annotation is only allowed on a parameter of a __global__ function\n");
}

TEST_CASE("kernel: types that are void when they are computed are left to the compiler") {
  CHECK(errors_of("template <bool B, class T> struct If { using type = T; };\n"
                  "template <class T> __global__ typename If<sizeof(T) == 4, void>::type k(T*) {}\n"
                  "using Nothing = void; __global__ Nothing n() {}") == "");
}

TEST_CASE("kernel: those of checked programs report where their threads return, and no other function does") {
  TranslateOptions options;
  options.checked = true;
  const char* sample = R"~(
__device__ int told = 0;
__device__ void helper() { return; }
__global__ void k(int way) {
  if (way == 0) return;
  struct Local { void f() { return; } };
  auto lambda = [&] { if (way == 1) return; told += 10; };
  lambda();
  Local().f();
  helper();
  for (;;) { if (way == 2) return; way = 2; }
}
int main() {
  k<<<1, 1>>>(0);
  EXPECT(told == 0 && warpfiber::detail::returned_at == 5);
  k<<<1, 1>>>(1);
  EXPECT(told == 0 && warpfiber::detail::returned_at == 11 && warpfiber::detail::returns == 2);
})~";
  REQUIRE_RUNS_WITH(options, sample);
}

}  // namespace
}  // namespace warpfiber::translate::test
