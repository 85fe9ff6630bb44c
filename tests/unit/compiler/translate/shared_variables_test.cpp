// SPDX-License-Identifier: Apache-2.0
//
// __shared__ declarations of every shape that real programs have.
#include "support/catch.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

TEST_CASE("shared: arrays of one to four dimensions, scalars and pointers") {
  REQUIRE_RUNS(R"~(
__global__ void k(int* out) {
  __shared__ int a[4], b[2][3], c[2][3][4], d[2][2][2][2], e, *f;
  static_assert(sizeof(a) == 16 && sizeof(b[0]) == 12 && sizeof(c) == 96 && sizeof(d) == 64 && sizeof(e) == 4);
  if (threadIdx.x == 0) { a[3] = 1; b[1][2] = 2; c[1][2][3] = 3; d[1][1][1][1] = 4; e = 5; f = &e; }
  int* pe = &e;
  if (threadIdx.x == 1) *out = a[3] + b[1][2] + c[1][2][3] + d[1][1][1][1] + *f + *pe;
}
int main() { int n = 0; k<<<1, 2>>>(&n); EXPECT(n == 20); })~");
}

TEST_CASE("shared: every variable states its name, type and place") {
  REQUIRE_RUNS(R"~(extern "C" char* strstr(const char*, const char*);
bool was(const char* name, const char* type, unsigned line) {
  const auto& last = warpfiber::detail::last_shared;
  return strcmp(last.name, name) == 0 && strstr(last.type, type) && strstr(last.file, ".cu") && last.line == line;
}
__shared__ short everywhere[2];
template <class T> __device__ void f() {
  __shared__ T a[4];
  EXPECT(was("a", "float", 8) && a);
  __shared__ __align__(32) int b, c;
  EXPECT(was("c", "int", 10) && &b != &c);
}
__device__ void g() {
  everywhere[0] = 1;
  EXPECT(was("everywhere", "short", 6));
}
__global__ void k() { f<float>(); g(); }
int main() { k<<<1, 1>>>(); })~");
}

TEST_CASE("shared: one variable a block and function, whoever calls a device function") {
  REQUIRE_RUNS(R"~(
__device__ int next() { __shared__ int n; if (threadIdx.x == 0 && n < 0) n = 0; return ++n; }
__device__ int twice() { next(); return next(); }
__global__ void k(int* p) { p[blockIdx.x] = twice(); }
int main() { int n[2]; k<<<2, 3>>>(n); EXPECT(n[0] == 6 && n[1] == 6); })~");
}

TEST_CASE("shared: in templates one variable an instantiation, dependent types and sizes") {
  REQUIRE_RUNS(R"~(
struct Traits { typedef float value; template <int N> using array = int[N]; };
template <class T, int N> __device__ int* f() {
  __shared__ typename T::value a[N + 1];
  __shared__ typename T::template array<N> b;
  static_assert(sizeof(a) == (N + 1) * sizeof(float) && sizeof(b) == N * 4);
  __shared__ T t;
  (void)t;
  return b;
}
template <class T> __global__ void k() { EXPECT((f<Traits, 1>() != f<Traits, 2>() && f<T, 3>() == f<Traits, 3>())); }
int main() { k<Traits><<<1, 1>>>(); })~");
}

TEST_CASE("shared: extern arrays alias the dynamic memory, every name and type the same") {
  REQUIRE_RUNS(R"~(
extern "C" int strcmp(const char*, const char*);
__global__ void k(int* p) {
  extern __shared__ int a[];
  extern __shared__ __align__(16) char bytes[];
  extern volatile __shared__ float v[];
  __shared__ extern double d[];
  extern __shared__ int rows[][2];
  int* q = a;
  q[2] = 7;
  EXPECT((void*)a == (void*)bytes && (void*)d == (void*)v && rows[1][0] == 7);
  *p = a[2];
}
int main() { int n = 0; k<<<1, 1, 64>>>(&n); EXPECT(n == 7); })~");
}

TEST_CASE("shared: SharedMemory<T> with specialisations of other names") {
  REQUIRE_RUNS(R"~(
template <class T> struct SharedMemory {
  __device__ inline operator T*() { extern __shared__ int __smem[]; return (T*)__smem; }
  __device__ inline operator const T*() const { extern __shared__ int __smem[]; return (T*)__smem; }
};
template <> struct SharedMemory<double> {
  __device__ inline operator double*() { extern __shared__ double __smem_d[]; return (double*)__smem_d; }
};
template <class T> __global__ void k(T* p) { T* s = SharedMemory<T>(); s[1] = 3; *p = s[1]; }
int main() { int n = 0; double d = 0; k<<<1, 1>>>(&n); k<<<1, 1>>>(&d); EXPECT(n == 3 && d == 3); })~");
}

TEST_CASE("shared: at file scope, plain and extern, in functions of the device only") {
  REQUIRE_RUNS(R"~(
__shared__ int total;
extern __shared__ float dynamic[];
__shared__ extern int others[];
namespace ns { __shared__ volatile int table[4][2]; __device__ int get(int i) { return table[i][1]; } }
__device__ void add(int by) { total += by; }
__device__ int no(int total) { return total; }
struct S { int total; __device__ int get() { return this->total; } __device__ void put(int v) { ::ns::get(0); others[1] = v; } };
int host(int v) { int total = v; return total; }
__global__ void k(int* p) {
  if (threadIdx.x == 0) { total = 0; ns::get(0); }
  add(2);
  dynamic[3] = 1;
  S s{4};
  s.put(9);
  *p = total + no(1) + s.get() + others[1];
}
int main() { int n = 0; k<<<1, 3>>>(&n); EXPECT(n == 6 + 1 + 4 + 9); EXPECT(host(1) == 1); })~");
}

TEST_CASE("shared: at file scope, in a namespace, whose names mean other things elsewhere") {
  REQUIRE_RUNS(R"~(
namespace a { __shared__ int total; __device__ int* own() { return &total; } }
__global__ void k(int* p) { int total = 2; if (threadIdx.x == 0) *a::own() = 3; *p = total + *a::own(); }
int main() { int n = 0; k<<<1, 1>>>(&n); EXPECT(n == 5); })~");
}

TEST_CASE("shared: declared by a macro, name and type its parameters, in a function of a macro") {
  REQUIRE_RUNS(R"~(
#define DEVICE static __device__
#define DECLARE(type, name, size) __shared__ type name##_tile[size]
#define DYNAMIC(type, name) extern __shared__ type name[]
DEVICE float f() { DECLARE(float, a, 4); a_tile[1] = 2; DYNAMIC(float, d); d[0] = 3; return a_tile[1] + d[0]; }
__global__ void k(float* p) { *p = f(); }
int main() { float x = 0; k<<<1, 1>>>(&x); EXPECT(x == 5); })~");
}

TEST_CASE("shared: in nested blocks the same storage on every pass, two of one name apart") {
  REQUIRE_RUNS(R"~(
__global__ void k(int* p) {
  for (int i = 0; i < 3; ++i) {
    __shared__ int n;
    if (i == 0) n = 0;
    n += 1;
    *p = n;
  }
  if (p) { __shared__ int n; n = 10; *p += n; }
  __syncthreads();
  __shared__ int late[2];
  late[1] = 1;
  *p += late[1];
}
int main() { int n = 0; k<<<1, 1>>>(&n); EXPECT(n == 14); })~");
}

TEST_CASE("shared: the type before, static, volatile, const pointers and alignment on either side") {
  REQUIRE_RUNS(R"~(
__global__ void k(int* p) {
  int __shared__ a[2];
  float const* __shared__ pointer;
  static __shared__ int s;
  volatile __shared__ int v[2];
  __shared__ volatile float w;
  __shared__ alignas(64) char b[3];
  alignas(128) __shared__ int c;
  __shared__ __align__(32) float d[3];
  __align__(16) __shared__ char e[5];
  __shared__ char g[5] __attribute__((aligned(16)));
  __device__ __shared__ int h;
  struct __align__(8) Pair { int x, y; };
  __shared__ Pair pair;
  EXPECT((unsigned long)b % 64 == 0 && (unsigned long)&c % 128 == 0 && (unsigned long)d % 32 == 0);
  EXPECT((unsigned long)e % 16 == 0 && (unsigned long)g % 16 == 0 && (unsigned long)&pair % 8 == 0);
  static_assert(sizeof(b) == 3 && sizeof(d) == 12 && sizeof(c) == 4);
  a[1] = 1; s = 2; v[1] = 3; w = 4; c = 5; h = 6; pointer = nullptr; pair.y = 1;
  *p = a[1] + s + v[1] + int(w) + c + h + pair.y;
}
int main() { int n = 0; k<<<1, 1>>>(&n); EXPECT(n == 22); })~");
}

TEST_CASE("shared: unions and structs without a name, enums and named ones in place") {
  REQUIRE_RUNS(R"~(
__global__ void k(int* p) {
  __shared__ union { int i; float f; struct { short lo, hi; } parts; } u;
  __shared__ struct {
    int x;
    int get() const { return x; }
  } s, t[2];
  __shared__ struct Named { int y; } named;
  __shared__ enum { red, green } colour;
  u.i = 3; s.x = 4; t[1].x = 5; named.y = 6; colour = green;
  Named copy = named;
  *p = u.i + s.get() + t[1].get() + copy.y + colour;
}
int main() { int n = 0; k<<<1, 1>>>(&n); EXPECT(n == 19); })~");
}

TEST_CASE("shared: template-id types with commas, sizes from macros and sizeof, classes without a constructor call") {
  REQUIRE_RUNS(R"~(
template <class A, class B> struct Pair { A a; B b; template <int N> int times() const { return a * N; } };
#define TILE 4
struct Loud { int x; Loud() : x(77) {} };
__global__ void k(int* p) {
  __shared__ Pair<int, Pair<int, float>> pairs[TILE * 2 + sizeof(int)], one;
  __shared__ Loud loud;
  __shared__ int sized[TILE > 3 ? TILE : 3];
  static_assert(sizeof(pairs) / sizeof(pairs[0]) == 12 && sizeof(sized) == 16);
  EXPECT(loud.x != 77);
  pairs[11].a = 2; one.a = 3;
  *p = pairs[11].a + one.times<3>();
}
template <class T> __global__ void t(T* p) {
  __shared__ Pair<int, int> pair;
  pair.a = 2;
  *p = pair.times<4>();
}
int main() { int n = 0; k<<<1, 1>>>(&n); EXPECT(n == 11); t<<<1, 1>>>(&n); EXPECT(n == 8); })~");
}

TEST_CASE("shared: directly in a switch, where control jumps past it") {
  REQUIRE_RUNS(R"~(
__global__ void k(int* p, int how) {
  if (p)
    switch (how) {
      case 0:
        __shared__ int a[2],
            b;
        a[1] = 5;
        *p = a[1];
        break;
      case 1: {
        __shared__ int c;
        c = 6;
        *p = c;
        break;
      }
      default: __shared__ float d; a[0] = 7; d = 1; *p = a[0] + int(d);
    }
}
int main() { int n = 0; k<<<1, 1>>>(&n, 0); EXPECT(n == 5); k<<<1, 1>>>(&n, 1); EXPECT(n == 6); k<<<1, 1>>>(&n, 2); EXPECT(n == 8); })~");
}

TEST_CASE("shared: used in lambdas whatever they capture") {
  REQUIRE_RUNS(R"~(
__shared__ int whole;
__global__ void k(int* p) {
  __shared__ int a[2];
  int v = 1;
  auto copy = [=] { a[0] = v; };
  auto none = [] { a[1] = 2; };
  auto one = [v] __device__ (int i) { a[0] += v + i; whole = 1; };
  auto reference = [&]() mutable noexcept { a[1] += v; };
  auto nested = [=] { return [=] { return a[1]; }(); };
  auto other = [](int a) { return a; };
  copy(); none(); one(1); reference();
  *p = a[0] * 100 + nested() + other(10) + whole;
}
int main() { int n = 0; k<<<1, 1>>>(&n); EXPECT(n == 314); })~");
}

TEST_CASE("shared: tables handed on as references, pointers and template arguments deduced") {
  REQUIRE_RUNS(R"~(
template <int N> __device__ int length(int (&)[N]) { return N; }
__device__ int second(const int* p) { return p[1]; }
__device__ void fill(int (*rows)[3]) { rows[1][2] = 5; }
__global__ void k(int* p) {
  __shared__ int a[7], rows[2][3];
  a[1] = 1;
  fill(rows);
  int sum = 0;
  for (int& each : rows[1]) sum += &each == &rows[1][2] ? each : 0;
  *p = length(a) + second(a) + sum;
}
int main() { int n = 0; k<<<1, 1>>>(&n); EXPECT(n == 13); })~");
}

TEST_CASE("shared: mistakes are said in nvcc's words at their line") {
  const auto in_kernel = [](const std::string& text) { return errors_of("__global__ void k() {\n" + text + "\n}"); };
  CHECK(in_kernel("__shared__ int a = 3;")
            .find("sample.cu:2:16: error: initializer not allowed for __shared__ variable") == 0);
  CHECK(in_kernel("__shared__ int a{3};").find(":2:16: error: initializer not allowed") != std::string::npos);
  CHECK(in_kernel("__shared__ int a[2] = {1, 2};").find(":2:16: error: initializer not allowed") != std::string::npos);
  CHECK(in_kernel("__shared__ int& a;").find("reference variable \"a\" requires an initializer") != std::string::npos);
  CHECK(in_kernel("__shared__ int a").find(":2:1: error: expected a \";\" after the __shared__ variable") !=
        std::string::npos);
  CHECK(in_kernel("__shared__ int a[2\n a[0] = 1;") == "sample.cu:2:17: error: expected a \"]\" to match this \"[\"\n");
}

}  // namespace
}  // namespace warpfiber::translate::test
