// SPDX-License-Identifier: Apache-2.0
//
// __CUDA_ARCH__ on both sides: bodies of the device see it, code of the host does not.
#include "translate/arch_merge.hpp"

#include "support/catch.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

TEST_CASE("arch: a kernel guarded by it has the body of the device") {
  REQUIRE_RUNS(R"~(
__global__ void k(int* p) {
#if __CUDA_ARCH__ >= 700
  *p = __CUDA_ARCH__;
#endif
}
#ifdef __CUDA_ARCH__
#define WHERE 1
#else
#define WHERE 2
#endif
__device__ int where() { return WHERE; }
int host_where() { return WHERE; }
__global__ void w(int* p) { *p = where(); }
int main() {
  int n = 0;
  k<<<1, 1>>>(&n);
  EXPECT(n == 900 && __LINE__ == 18);
  w<<<1, 1>>>(&n);
  EXPECT(n == 1 && host_where() == 2);
})~");
}

TEST_CASE("arch: a function of both does the right thing where it runs") {
  REQUIRE_RUNS(R"~(
struct S {
  int v;
  __host__ __device__ S() : v(1) {
#ifdef __CUDA_ARCH__
    v = 10;
#endif
  }
  __host__ __device__ constexpr static int number() {
#ifdef __CUDA_ARCH__
    return 100;
#else
    return 200;
#endif
  }
};
template <class T> __host__ __device__ __forceinline__ T both(T t) {
#ifndef __CUDA_ARCH__
  return t + 1;
#else
  __shared__ int a[2];
  a[0] = 2;
  return t + a[0];
#endif
}
static_assert(S::number() == 200);
__global__ void k(int* p) { *p = S().v + S::number() + both(1000); }
int main() {
  int n = 0;
  k<<<1, 1>>>(&n);
  EXPECT(n == 10 + 100 + 1002);
  EXPECT(S().v + S::number() + both(1000) == 1 + 200 + 1001);
})~");
}

TEST_CASE("arch: declarations that one text alone has") {
  REQUIRE_RUNS(R"~(
#if __CUDA_ARCH__ >= 600
__device__ int choose(int) { return 1; }
#else
__device__ int choose(int) { return 2; }
__device__ int only_old(int a) { return a; }
inline int only_old(long a) { return 5 + int(a); }
#endif
#ifdef __CUDA_ARCH__
namespace deep { __constant__ int table[2] = {3, 4}; }
__device__ int named(int i) { return i + 1; }
struct Helper { int v = 1; static __device__ int get() { return 7; } __device__ int more() { return v; } } helper;
namespace only { inline namespace here { __device__ int get() { return Helper::get() + Helper().more(); } } }
#else
namespace deep { static const int table[2] = {5, 6}; }
int named(int i) { return i + 2; }
#endif
class C {
 public:
#ifdef __CUDA_ARCH__
  __device__ int get() const { return 3; }
#endif
  int other = 4;
};
#ifdef __CUDA_ARCH__
__device__ int last() { return 8; }
#endif
__global__ void k(int* p) {
  *p = choose(1);
  p[1] = named(0) + C().get();
#ifdef __CUDA_ARCH__
  p[2] = last() + only::get();
#endif
}
int main() {
  int n[3] = {};
  k<<<1, 1>>>(n);
  EXPECT(n[0] == 1 && n[1] == 4 && n[2] == 16);
  EXPECT(named(0) == 2 && only_old(1) == 6 && deep::table[1] == 6);
})~");
}

TEST_CASE("arch: types, aliases and constants that the device's text alone has") {
  REQUIRE_RUNS(R"~(
template <class T> struct traits { enum { size = 1 }; };
#ifdef __CUDA_ARCH__
typedef int number;
template <class T> using pointer = T*;
enum { step = 4 };
enum class Mode : char { slow, fast };
constexpr int limit = 100;
template <> struct traits<float> { enum { size = 2 }; };
namespace own { struct Pair { int a, b; }; }
typedef float shared_name;
#else
namespace own { using number = double; }
typedef int shared_name;
#endif
template <class T> struct Reduce {
#if __CUDA_ARCH__ >= 300
  typedef T (&array)[2];
  static constexpr int lanes = 32;
  template <class Op> __device__ int reduce(array, Op op) const { return op(lanes); }
#else
  struct list {};
  template <class Op> __device__ int reduce(T*, Op op) const { return op(1); }
#endif
};
__global__ void k(pointer<number> p) {
  own::Pair pair{step, limit};
  int both[2];
  *p = pair.a + pair.b + Reduce<int>().reduce(both, [](int lanes) { return lanes; });
  p[1] = traits<float>::size + (Mode::fast == Mode::slow) + (shared_name(1) / 2 == 0);
}
int main() {
  int n[2] = {};
  k<<<1, 1>>>(n);
  EXPECT(n[0] == 136 && n[1] == 2 && __LINE__ == 35);
  EXPECT(sizeof(own::number) == 8 && traits<int>::size == 1);
})~");
}

TEST_CASE("arch: kernels whose declarations for the host leave names out are those of the device") {
  REQUIRE_RUNS(R"~(
struct Agent { static constexpr int value = 7; };
#ifdef __CUDA_ARCH__
template <class Which, class T> __global__ void __launch_bounds__(64) agent(T* out, int add) {
  *out = Which::value + add;
}
template <class Which> __global__ void agent(int* out) { *out = Which::value; }
#else
template <class, class T> __global__ void agent(T*, int) {}
template <class> __global__ void agent(int*) {}
#endif
int main() {
  int n = 0;
  agent<Agent><<<1, 1>>>(&n, 3);
  EXPECT(n == 10);
  agent<Agent><<<1, 1>>>(&n);
  EXPECT(n == 7 && __LINE__ == 17);
})~");
}

TEST_CASE("arch: a function of both that each text declares in another place") {
  REQUIRE_RUNS(R"~(
#ifdef __CUDA_ARCH__
inline __host__ __device__ int where() { return 1; }
#else
inline __host__ __device__ int where() { return 2; }
#endif
#ifdef __CUDA_ARCH__
class __attribute__((unused)) Marked { public: int value = 3; };
#else
class Marked { public: int value = 3; };
#endif
__global__ void k(int* p) { *p = where() + Marked().value; }
int main() {
  int n = 0;
  k<<<1, 1>>>(&n);
  EXPECT(n == 4 && where() == 2);
})~");
}

TEST_CASE("arch: a function of both whose body for the device needs what stands before it there") {
  REQUIRE_RUNS(R"~(
namespace guts {
#ifndef __CUDA_ARCH__
template <class T> __host__ __device__ constexpr T twice(T v) { return v + v; }
#else
namespace detail {
template <class T> __host__ __device__ constexpr T times(T v, int n) { return v * n + 1; }
}
template <class T> __host__ __device__ constexpr T twice(T v) {
  return detail::times(v, 2);
}
#endif
}
__global__ void k(int* p) { *p = guts::twice(3) + __LINE__; }
int main() {
  int n = 0;
  k<<<1, 1>>>(&n);
  EXPECT(n == 7 + 14 && guts::twice(3) == 6);
  static_assert(guts::twice(4) == 8);
})~");
}

TEST_CASE("arch: types that are made of it are the device's") {
  REQUIRE_RUNS(R"~(
#ifdef __CUDA_ARCH__
#define ARCH __CUDA_ARCH__
#else
#define ARCH 0
#endif
template <bool, class A, class> struct If { typedef A Type; };
template <class A, class B> struct If<false, A, B> { typedef B Type; };
template <class T, int PTX_ARCH = ARCH> struct Block;
template <class T, int PTX_ARCH> struct Block { static constexpr int arch = PTX_ARCH; };
template <int VERSION, class Policy, class Older> struct Chained {
  typedef typename If<(ARCH < VERSION), typename Older::Active, Policy>::Type Active;
};
struct First { typedef First Active; enum { threads = 128 }; };
struct Second : Chained<700, Second, First> { enum { threads = 256 }; };
template <class T, int PTX_ARCH = ARCH> struct Warp { static constexpr int arch = PTX_ARCH; };
template <class Policy> __global__ void k(int* p) {
  p[0] = Policy::Active::threads;
  p[1] = Block<int>::arch + Warp<int>::arch;
}
int main() {
  int n[2] = {};
  k<Second><<<1, 1>>>(n);
  EXPECT(n[0] == 256 && n[1] == 1800 && Second::Active::threads == 256);
})~");
}

TEST_CASE("arch: of two classes of one name the device's stands where it did") {
  REQUIRE_RUNS(R"~(
#if __CUDA_ARCH__ >= 750
template <int A, int B> struct Sizes {
  static constexpr int first = 1;
};
template <int A> struct Sizes<A, 8> {
  static constexpr int first = 2;
};
#else
template <int A, int B> struct Sizes {
  static constexpr int first = 3;
};
#endif
#ifndef __CUDA_ARCH__
struct Later { short s[4]; };
struct Log { int text() { return 7; } };
#else
struct Later {
  long s[8];
  __device__ int size() { return sizeof(s); }
};
struct Log { int text() { return 8; } };
#endif
template <int A, int B> __global__ void k(int* p, Later later) { *p = Sizes<A, B>::first * 1000 + later.size(); }
int main() {
  int n = 0;
  k<4, 8><<<1, 1>>>(&n, Later());
  EXPECT(n == 2064 && Log().text() == 7);
  k<4, 4><<<1, 1>>>(&n, Later());
  EXPECT(n == 1064 && __LINE__ == 30);
})~");
}

TEST_CASE("arch: files that the device's text alone includes") {
  REQUIRE_RUNS(R"~(
#if __CUDA_ARCH__ >= 700
#include <ratio>
#endif
#include <type_traits>
template <class T> __host__ __device__ std::enable_if_t<std::is_same_v<T, int>, T> number(T n) {
#ifdef __CUDA_ARCH__
  return n + T(std::ratio<8, 2>::num);
#else
  return n;
#endif
}
__global__ void k(int* p) { *p = number(3); }
int main() {
  int n = 0;
  k<<<1, 1>>>(&n);
  EXPECT(n == 7 && number(3) == 3 && __LINE__ == 17);
})~");

  // What the host includes further down moves up to where the device needs it.
  const std::string all = "# 1 \"a.cu\"\n";
  const std::string second = "# 1 \"second.h\" 1\nstruct Second {};\n# 2 \"";
  const std::string first =
      "# 1 \"first.h\" 1\n\n" + second + "first.h\" 2\nstruct First : Second {};\n# 3 \"a.cu\" 2\n";
  const std::string end = "__global__ void k() {}\n";
  const std::string merged = merge_for_arch(with_tokens(all + "\n\n\n\n" + second + "a.cu\" 2\n" + end),
                                            with_tokens(all + "\n" + first + "\n\n" + end));
  CHECK(merged.find("struct Second") < merged.find("struct First"));
  CHECK(merged.find("struct Second") == merged.rfind("struct Second"));
  CHECK(merged.find("struct First") < merged.find(" k()"));
}

TEST_CASE("arch: equal texts merge to the text itself") {
  const std::string text = with_tokens("# 1 \"a.cu\"\n__global__ void k() {}\nint f();\n");
  CHECK(merge_for_arch(text, text) == text);
}

TEST_CASE("arch: a function of the device's text alone leaves another scope's of its name as it is") {
  const std::string around = "# 1 \"a.cu\"\nnamespace a {\nint f(int i) { return i; }\n}\nnamespace b {\n";
  const std::string merged =
      merge_for_arch(with_tokens(around + "\n}\n"), with_tokens(around + "__device__ int f(int i) { return 2; }\n}\n"));
  CHECK(merged.find("on_device") == std::string::npos);
  CHECK(merged.find("return 2;") != std::string::npos);
}

TEST_CASE("a function of the device only may stand before a variable that the host declares further down") {
  REQUIRE_RUNS(R"(
#ifdef __CUDA_ARCH__
__device__ int count = 3, other = 4;
__device__ int get(int i) { return count + other + i; }
__device__ int twice(int i) { return 2 * get(i); }
#endif
#ifndef __CUDA_ARCH__
__device__ int count = 3, other = 4;
#endif
__global__ void k(int* p) {
#ifdef __CUDA_ARCH__
  *p = twice(1);
#endif
}
int main() {
  int v = 0;
  k<<<1, 1>>>(&v);
  EXPECT(v == 16);
})");
}

}  // namespace
}  // namespace warpfiber::translate::test
