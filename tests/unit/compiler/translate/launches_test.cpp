// SPDX-License-Identifier: Apache-2.0
//
// Launches of every shape that real programs have.
#include "support/catch.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

TEST_CASE("launch: two, three and four configuration arguments") {
  REQUIRE_RUNS(R"~(
__global__ void k(int* p) { *p += 1; }
int main() {
  int n = 0;
  cudaStream_t stream = reinterpret_cast<cudaStream_t>(8);
  k<<<2, 3>>>(&n);
  EXPECT(n == 6 && warpfiber::cuda::last_kernel.dynamic_bytes == 0 && warpfiber::cuda::last_kernel.stream == nullptr);
  k<<<2, 3, 100>>>(&n);
  EXPECT(n == 12 && warpfiber::cuda::last_kernel.dynamic_bytes == 100);
  k<<<2, 3, 0, stream>>>(&n);
  EXPECT(n == 18 && warpfiber::cuda::last_kernel.stream == stream);
})~");
}

TEST_CASE("launch: names of kernels, parameters and variables with letters that are not ASCII") {
  REQUIRE_RUNS(R"~(
__device__ int zähler = 3;
__global__ void größe(int* µ) { __shared__ int ß[4]; ß[0] = zähler; *µ += ß[0]; }
template <class T> __global__ void 核(T* p) { *p += 5; }
int main() {
  int n = 0;
  größe<<<1, 1>>>(&n);
  if (n) 核<int><<<1, 1>>>(&n); else größe<<<1, 1>>>(&n);
  EXPECT(n == 8);
})~");
}

TEST_CASE("launch: the unbraced body of if, else, for, while and do, after a case label and a brace") {
  REQUIRE_RUNS(R"~(
__global__ void add(int* p, int by) { *p += by; }
int main() {
  int n = 0;
  if (n) add<<<1, 1>>>(&n, 100); else add<<<1, 1>>>(&n, 1);
  for (int i = 0; i < 3; ++i) add<<<1, 1>>>(&n, 10);
  while (n < 100) add<<<1, 1>>>(&n, 1000);
  do add<<<1, 1>>>(&n, 1); while (false);
  switch (n) { case 1032: add<<<1, 1>>>(&n, 5); break; default: n = -1; }
  { } add<<<1, 1>>>(&n, 1);
  if (n) (add)<<<1, 1>>>(&n, 1);
  EXPECT(n == 1039);
})~");
}

TEST_CASE("launch: arguments, configuration, template arguments and name on lines of their own") {
  REQUIRE_RUNS(R"~(
template <class A, int N> __global__ void k(A* p, int line) { *p += N; EXPECT(line == 7); }
int main() {
  int n = 0;
  k<int, 0>
    <<<1, 1>>>(&n, 7);
  k<int, 2>
    <<<1,
       dim3(
         1)>>>
    (&n,
     __LINE__ - 5);
  k<
    int,
    3>
    <<<1, 1>>>(&n, 7);
  EXPECT(n == 5);
})~");
}

TEST_CASE("launch: template-ids with commas, nested template-ids and expressions") {
  REQUIRE_RUNS(R"~(
template <class T> struct Box { T value; };
template <class T, int N> __global__ void k(T* p) { p->value.value += N; }
template <bool B> __global__ void flag(int* p) { *p += B; }
int main() {
  Box<Box<int>> box{};
  k<Box<Box<int>>, 3><<<1, 1>>>(&box);
  k<Box<Box<int>>, (4 > 3)><<<1, 1>>>(&box);
  k<Box<Box<int>>, 1 << 2><<<1, 1>>>(&box);
  k<decltype(box), sizeof(Box<int>)><<<1, 1>>>(&box);
  EXPECT(box.value.value == 12);
  int n = 0;
  if (n < 3) flag<true><<<1, 1>>>(&n);
  flag<(1 < 2)><<<1, 1>>>(&n);
  EXPECT(n == 2);
})~");
}

TEST_CASE("launch: a template-id that ends in two closing angles") {
  REQUIRE_RUNS(R"~(
template <class T> struct Box { T value; };
template <class T> __global__ void k(T* p) { p->value += 1; }
int main() {
  Box<int> box{};
  k<Box<int>><<<1, 1>>>(&box);
  EXPECT(box.value == 1);
})~");
}

TEST_CASE("launch: blanks between the angles, as formatters of C++ leave them") {
  REQUIRE_RUNS(R"~(
template <class T, int N> __global__ void k(T* p) { *p += N; }
__global__ void at_line(int* p, int line) { *p += 100; EXPECT(line == 10); }
int main() {
  int n = 0;
  k<int, 3> << <1, 1 >> > (&n);
  k<int, 4><< < 1, 8 >> 2 >> >(&n);
  at_line <<
    < 1, 1 >>
    > (&n, __LINE__);
  EXPECT(n == 111 && __LINE__ == 11);
})~");
}

TEST_CASE("launch: qualified names") {
  REQUIRE_RUNS(R"~(
namespace a { namespace b { __global__ void k(int* p) { ++*p; } template <int N> __global__ void t(int* p) { *p += N; } } }
template <class T> struct S { static void (*k)(int*); };
template <class T> void (*S<T>::k)(int*) = a::b::k;
int main() {
  int n = 0;
  a::b::k<<<1, 1>>>(&n);
  ::a::b::k<<<1, 1>>>(&n);
  a::b::t<5><<<1, 1>>>(&n);
  S<int>::k<<<1, 1>>>(&n);
  EXPECT(n == 8);
})~");
}

TEST_CASE("launch: function pointers, aliases, members, table entries, template parameters and calls") {
  REQUIRE_RUNS(R"~(
__global__ void one(int* p) { *p += 1; }
__global__ void ten(int* p) { *p += 10; }
using Kernel = void (*)(int*);
struct Holder { Kernel kernel; Kernel get() const { return kernel; } };
template <Kernel K> void by_template(int* p) { K<<<1, 1>>>(p); }
template <class F> void by_argument(F f, int* p) { f<<<1, 1>>>(p); }
Kernel choose(bool first) { return first ? one : ten; }
int main() {
  int n = 0;
  auto alias = ten;
  Kernel table[2] = {one, &ten};
  Holder holder{one};
  Holder* there = &holder;
  alias<<<1, 1>>>(&n);
  table[1]<<<1, 1>>>(&n);
  holder.kernel<<<1, 1>>>(&n);
  there->kernel<<<1, 1>>>(&n);
  holder.get()<<<1, 1>>>(&n);
  choose(false)<<<1, 1>>>(&n);
  (n ? one : ten)<<<1, 1>>>(&n);
  (*table[0])<<<1, 1>>>(&n);
  static_cast<Kernel>(one)<<<1, 1>>>(&n);
  by_template<one>(&n);
  by_argument(ten, &n);
  EXPECT(n == 47);
  EXPECT(alias == &ten && table[0] == &one && table[0] != ten);
})~");
}

TEST_CASE("launch: the kernel, its qualifiers and its name hide behind macros") {
  REQUIRE_RUNS(R"~(
#define GLOBAL __global__
#define BOUNDS(a, b) __launch_bounds__(a, b)
#define NAME(x) kernel_##x
GLOBAL void BOUNDS(64, 2) NAME(a)(int* p) { ++*p; }
int main() {
  int n = 0;
  NAME(a)<<<1, 1>>>(&n);
  EXPECT(n == 1 && warpfiber::cuda::last_kernel.bounds.blocks == 2);
})~");
}

TEST_CASE("launch: inside of macros, names and arguments their parameters") {
  REQUIRE_RUNS(R"~(
template <int A, int B> __global__ void k2(int* p, int by) { *p += A * B * by; }
#define LAUNCH(name, suffix, a, b, ...) do { \
    name##suffix<a, b><<<1, 1>>>(__VA_ARGS__); \
  } while (0)
#define CONFIGURED(grid, block) <<<grid, block>>>
#define WRAP(expression) (expression)
int main() {
  int n = 0;
  LAUNCH(k, 2, 3, 4, &n, 2);
  k2<1, 1> CONFIGURED(1, 1)(&n, 1);
  WRAP((k2<1, 2><<<1, 1>>>(&n, 1)));
  EXPECT(n == 27);
})~");
}

TEST_CASE("launch: after a macro without a semicolon") {
  REQUIRE_RUNS(R"~(
#define CHECKED { int error = 0; EXPECT(error == 0); }
#define NOTHING
__global__ void k(int* p) { ++*p; }
int main() {
  int n = 0;
  CHECKED
  k<<<1, 1>>>(&n);
  NOTHING
  k<<<1, 1>>>(&n);
  EXPECT(n == 2);
})~");
}

TEST_CASE("launch: directives inside the arguments and the configuration") {
  REQUIRE_RUNS(R"~(
__global__ void k(int* p, int a, int b) { *p += a + b; }
int main() {
  int n = 0;
  k<<<1,
#ifdef NEVER
      2, 3
#else
      1
#endif
      >>>(&n,
#if 1
          5,
#endif
          6);
  EXPECT(n == 11);
})~");
}

TEST_CASE(
    "launch: dim3 temporaries, braces, shifts, conditions, comparisons, subscripts and lambdas in the configuration") {
  REQUIRE_RUNS(R"~(
__global__ void k(int* p) { ++*p; }
template <int A, int B> int number() { return A + B; }
int main() {
  int n = 0, i = 1, big = 64;
  cudaStream_t streams[2] = {nullptr, reinterpret_cast<cudaStream_t>(8)};
  k<<<dim3(2, 2), dim3(3)>>>(&n);
  EXPECT(n == 12);
  k<<<{2, 2}, {1}>>>(&n);
  EXPECT(n == 16);
  k<<<big >> 5, 1 << 1>>>(&n);
  EXPECT(n == 20);
  k<<<i ? 2 : 1, big < 3 ? 1 : 2, big > 3>>>(&n);
  EXPECT(n == 24 && warpfiber::cuda::last_kernel.dynamic_bytes == 1);
  k<<<(big + 63) / 64, 1, sizeof(int) * 3, streams[i]>>>(&n);
  EXPECT(n == 25 && warpfiber::cuda::last_kernel.stream == streams[1]);
  k<<<[&] { return i; }(), number<1, 2>(), 0>>>(&n);
  EXPECT(n == 28);
})~");
}

TEST_CASE("launch: no arguments and more than forty") {
  REQUIRE_RUNS(R"~(
__device__ int count;
__global__ void none() { ++count; }
__global__ void many(int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9, int a10, int a11, int a12, int a13, int a14, int a15, int a16, int a17, int a18, int a19, int a20, int a21, int a22, int a23, int a24, int a25, int a26, int a27, int a28, int a29, int a30, int a31, int a32, int a33, int a34, int a35, int a36, int a37, int a38, int a39, int a40, int a41, int a42, int a43) { count += a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 + a12 + a13 + a14 + a15 + a16 + a17 + a18 + a19 + a20 + a21 + a22 + a23 + a24 + a25 + a26 + a27 + a28 + a29 + a30 + a31 + a32 + a33 + a34 + a35 + a36 + a37 + a38 + a39 + a40 + a41 + a42 + a43; }
int main() {
  none<<<2, 2>>>();
  none <<< 1, 1 >>> ( );
  many<<<1, 1>>>(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
  EXPECT(count == 5 + 44);
})~");
}

TEST_CASE("launch: pack expansions, casts, calls and conversions in the arguments, evaluated once") {
  REQUIRE_RUNS(R"~(
__global__ void k(float* p, double a, int b) { *p += float(a) + b; }
int calls = 0;
int called() { return ++calls; }
template <class... A> void launch(float* p, A... args) { k<<<2, 2>>>(p, args...); }
struct Converts { operator float*() const { return p; } float* p; };
int main() {
  float x = 0;
  launch(&x, 1.5, 2);
  EXPECT(x == 14);
  k<<<2, 1>>>(Converts{&x}, (double)1, called());
  EXPECT(x == 18 && calls == 1);
})~");
}

TEST_CASE("launch: an expression of a comma, of a return and of a conditional") {
  REQUIRE_RUNS(R"~(
__global__ void k(int* p) { ++*p; }
void forward(int* p) { return k<<<1, 1>>>(p); }
int main() {
  int n = 0;
  k<<<1, 1>>>(&n), k<<<1, 2>>>(&n);
  n ? k<<<1, 1>>>(&n) : (void)0;
  forward(&n);
  EXPECT(n == 5);
})~");
}

TEST_CASE("launch: inside of a kernel") {
  REQUIRE_RUNS(R"~(
__global__ void child(int* p) { ++*p; }
__global__ void parent(int* p) { if (threadIdx.x == 0) child<<<1, 2>>>(p); }
int main() {
  int n = 0;
  parent<<<1, 1>>>(&n);
  EXPECT(n == 2);
})~");
}

TEST_CASE("launch: default arguments, references and overloads are those of the kernel") {
  REQUIRE_RUNS(R"~(
__global__ void k(int* p, int by = 3) { *p += by; }
__global__ void k(float* p) { *p += 1; }
int main() {
  int n = 0;
  float x = 0;
  k<<<1, 1>>>(&n);
  k<<<1, 1>>>(&x);
  EXPECT(n == 3 && x == 1);
})~");
}

TEST_CASE("launch: every token keeps its line when the callee moves") {
  const std::string sample = "# 1 \"a.cu\"\nint main() {\n  k<int,\n    two>\n  <<<grid,\n block>>>\n  (a);\n}\n";
  const std::string text = translate(sample, "").text;
  CHECK(text.find("# 2 \"a.cu\"\n  k<int,\n    two>\n# 5 \"a.cu\"\n") != std::string::npos);
}

TEST_CASE("launch: what is wrong with a launch is said where it stands") {
  const std::string kernel = "__global__ void k(int) {}\n";
  CHECK(errors_of(kernel + "void f() { k<<<1>>>(1); }") ==
        "sample.cu:2:13: error: too few arguments in the configuration of a launch\n");
  CHECK(errors_of(kernel + "\nvoid f() { k<<<1, 2, 3, 0, 5>>>(1); }") ==
        "sample.cu:3:13: error: too many arguments in the configuration of a launch\n");
  CHECK(errors_of(kernel + "void f() { k<<<1, 2(1); }") == "sample.cu:2:13: error: expected a \">>>\"\n");
  CHECK(errors_of(kernel + "void f() { k<<<1, 2>>>; }") ==
        "sample.cu:2:20: error: expected the arguments of the launch in parentheses\n");
  CHECK(errors_of(kernel + "void f() { return <<<1, 2>>>(1); }") ==
        "sample.cu:2:19: error: expected the kernel to launch before \"<<<\"\n");
}

}  // namespace
}  // namespace warpfiber::translate::test
