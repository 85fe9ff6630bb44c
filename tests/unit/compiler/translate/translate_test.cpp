// SPDX-License-Identifier: Apache-2.0
#include "translate/translate.hpp"

#include <string>

#include "support/catch.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

TEST_CASE("text without words of CUDA comes out byte for byte") {
  for (const std::string text :
       {"", "\n", "int main() { return 1 << 3; }", "# 1 \"a.cu\"\ntemplate <class T> void f(T<<5>>) ;\n\r\t\x80",
        "struct S { friend S& operator<< <>(S&, int); }; asm(\"nop\");", "}}}}))))\"'"}) {
    CHECK(translate(text, "").text == text);
    CHECK(translate(text, "").diagnostics.empty());
  }
}

TEST_CASE("a qualifier leaves blanks of its length in the source") {
  CHECK(translated("__device__ int f();") == "           int f();");
  CHECK(translated("struct S { __host__ __device__ S(int) {} __device__ ~S(); };") ==
        "struct S {                     S(int) {}            ~S(); };");
}

TEST_CASE("__noinline__ is ours outside of attributes only") {
  CHECK(translated("__noinline__ int f();") == "__attribute__((noinline)) int f();");
  const std::string theirs =
      "__attribute__((__noinline__)) int f(); __attribute__((cold, __noinline__)) int g(); [[gnu::__noinline__]] int "
      "h();";
  CHECK(translated(theirs) == theirs);
}

TEST_CASE("a backslash that a comment followed joins lines") {
  CHECK(translated("__host__ int a = 1 + \\\n  2;") == "         int a = 1 +  \n  2;");
  CHECK(translated("#define A \\\n  1\n__host__ const char* a = \"\\\n\";") ==
        "#define A \\\n  1\n         const char* a = \"\\\n\";");
}

TEST_CASE("a brace that is never closed is the only error, at its place") {
  CHECK(errors_of("__global__ void k(int* p) {\n  if (p) {\n    *p = 1;\n}\nint main() { k<<<1>>>(0); }") ==
        "sample.cu:1:27: error: expected a \"}\" to match this \"{\"\n");
  CHECK(errors_of("namespace a {\n__device__ int f() { return 1; }") ==
        "sample.cu:1:13: error: expected a \"}\" to match this \"{\"\n");
}

TEST_CASE("a program that is only to be read stays as it is written") {
  const TranslateOptions as_written{.as_written = true};
  const auto read = [&](std::string_view text) { return translate(with_tokens(text), "", as_written).text; };
  CHECK(read("__device__ Foo g[4]; __global__ void k(int* p) { *p = g[0]; printf(\"\"); }") ==
        "           Foo g[4];            void k(int* p) { *p = g[0]; printf(\"\"); }");
  CHECK(read("__device__ void f() {\n  __shared__ T s[SIZE], t;\n}") ==
        "           void f() {\n  static     T s[SIZE], t;\n}");
  CHECK(read("__device__ void f() {\n  extern __shared__ T s[];\n}") ==
        "           void f() {\n  extern            T s[];\n}");
  CHECK(read("extern __shared__ T s[];") == "extern            T s[];");
}

TEST_CASE("a program that is only to be read says which lines have which names") {
  const Translation result =
      translate(with_tokens("# 1 \"a.cu\"\n__device__ int a,\n  b;\n__device__ void f() {\n  __shared__ T s;\n}\n"), "",
                {.as_written = true});
  std::string names;
  for (const NamedLines& each : result.variables) {
    names += each.name + " " + each.file + " " + std::to_string(each.first_line) + "-" +
             std::to_string(each.last_line) + "\n";
  }
  CHECK(names == "s a.cu 4-4\na a.cu 1-2\nb a.cu 1-2\n");
  const Translation kernel = translate(with_tokens("# 1 \"a.cu\"\n__global__ void k(\n  int a) {\n}\n"), "", {});
  REQUIRE(kernel.kernels.size() == 1);
  CHECK(kernel.kernels[0].name == "k");
  CHECK(kernel.kernels[0].first_line == 1);
  CHECK(kernel.kernels[0].last_line == 3);
}

TEST_CASE("a launch keeps the columns of its parts") {
  const std::string text = translate(with_tokens("  k<<<1, 2>>>(a);"), "", {.as_written = true}).text;
  CHECK(text.find("\n      1, 2") != std::string::npos);
  CHECK(text.find("\n  k          (a)") != std::string::npos);
}

TEST_CASE("GCC's greatest count of unrolling goes for every compiler") {
  for (const bool unrolls : {false, true}) {
    CHECK(
        translate(with_tokens("__host__ int a;\n#pragma  GCC unroll 65534\nint b;\n"), "", {.unrolls = unrolls}).text ==
        "         int a;\n" + std::string(25, ' ') + "\nint b;\n");
  }
}

TEST_CASE("GCC's count of unrolling goes that is a template's parameter") {
  const std::string text = translate(with_tokens("__host__ int a;\n#pragma GCC unroll (n)\nint b;\n"), "", {}).text;
  CHECK(text == "         int a;\n" + std::string(22, ' ') + "\nint b;\n");
  const std::string kept = "\n#pragma GCC unroll (4)\n";
  CHECK(translate(with_tokens("__host__ int a;" + kept), "", {}).text.find(kept) != std::string::npos);
}

TEST_CASE("#pragma unroll goes for compilers that do not know it") {
  const std::string text =
      "__host__ int a;\n#pragma unroll 4\n#pragma   nounroll\n#pragma GCC unroll 4\nconst char* s = \"#pragma "
      "unroll\";\n";
  const std::string without =
      "         int a;\n                \n                  \n#pragma GCC unroll 4\nconst char* s = \"#pragma "
      "unroll\";\n";
  CHECK(translate(with_tokens(text), "", {.unrolls = false}).text == without);
  CHECK(translate(with_tokens(text), "", {}).text.find("#pragma unroll 4\n#pragma   nounroll\n") != std::string::npos);
}

TEST_CASE("a pragma that a macro has left behind blanks begins its line") {
  const std::string text =
      "__host__ int a;\n  #pragma GCC unroll 4\n\t# pragma omp simd\n b = R\"(\n #pragma x\n)\"; #pragma y\n";
  CHECK(translate(with_tokens(text), "", {}).text ==
        "         int a;\n#pragma GCC unroll 4  \n# pragma omp simd\t\n b = R\"(\n #pragma x\n)\"; #pragma y\n");
  // Also where the program has no word of CUDA's, and of those that a compiler does not know.
  CHECK(translate("int a;\n #pragma omp simd\nint b;\n", "", {}).text == "int a;\n#pragma omp simd \nint b;\n");
  CHECK(translate(with_tokens("__host__ int a;\n  #pragma unroll\n"), "", {.unrolls = false}).text ==
        "         int a;\n                \n");
}

TEST_CASE("inline is said once") {
  CHECK(translated("__device__ inline __attribute__((always_inline)) inline int f();") ==
        "           inline __attribute__((always_inline))        int f();");
}

TEST_CASE("always inline is a wish that no function has which calls itself") {
  const std::string wish = "__attribute__((always_inline)) __device__ ";
  const std::string none = "__attribute__((             ))            ";
  const std::string text =
      translated(wish + "int odd(int n);\n" + wish + "int even(int n) { return n ? odd(n - 1) : 1; }\n" + wish +
                 "int odd(int n) { return n ? even(n - 1) : 0; }\n" + wish + "int once(int n) { return even(n); }\n" +
                 wish + "int once(float n) { return once(int(n)); }\n");
  CHECK(text == none + "int odd(int n);\n" + none + "int even(int n) { return n ? odd(n - 1) : 1; }\n" + none +
                    "int odd(int n) { return n ? even(n - 1) : 0; }\n" + "__attribute__((always_inline))            " +
                    "int once(int n) { return even(n); }\n" + "__attribute__((always_inline))            " +
                    "int once(float n) { return once(int(n)); }\n");
}

TEST_CASE("a texture reference is one error, a template of the program's own none") {
  CHECK(errors_of("texture<float, 2> image;\n__device__ float f() { return tex2D(image, 0, 0); }\n"
                  "static texture<int> other;") ==
        "sample.cu:1:1: error: texture references, which CUDA 12 removed, are not supported; use a texture object "
        "(cudaCreateTextureObject)\n"
        "sample.cu:3:8: error: texture references, which CUDA 12 removed, are not supported; use a texture object "
        "(cudaCreateTextureObject)\n");
  CHECK(errors_of("template <class T> struct texture {};\ntexture<int> mine;\n__global__ void k() {}").empty());
}

TEST_CASE("a member may have the name of its type") {
  REQUIRE_RUNS(R"(
namespace shapes {
struct Point { int x; };
template <class T> struct Box { T x; Box(T v = 0) : x(v) {} };
}
using shapes::Box; using shapes::Point;
enum class Kind { round, square };
enum Colour { red, green };
struct Corner { Point first; Point Point; };
struct Shape { Kind Kind = Kind::square; mutable const Point* Point = nullptr; Colour Colour; int area() { return Colour * Colour; } };
struct Crate { static constexpr int n = 2; Box<int> Box; };
struct Maker { Point Point() { return {7}; } };
template <class T> struct Derived : Box<T> { using Box = Box<T>; using Box::Box; };
template <class T> class User { using Box = Box<T>; public: Box a = 4; };
template <class T> class Older { typedef Box<T> Box; public: Box a = 5; };
template <class T> struct Outer { using Element = T; struct Inner { using Element = Element; Element a = 6; }; };
__global__ void k(Corner c, int* out) { *out = c.Point.x + c.first.x; }
int main() {
  EXPECT(Shape().Kind == Kind::square && Maker().Point().x == 7 && Derived<int>(3).x == 3 && User<int>().a.x == 4 && Older<int>().a.x == 5 && Outer<int>::Inner().a == 6);
  EXPECT((Corner{{1}, {2}}).Point.x == 2 && Crate{}.Box.x == 0);
  int out = 0;
  k<<<1, 1>>>(Corner{{1}, {2}}, &out);
  EXPECT(out == 3);
}
)");
  CHECK(translated("struct P {}; struct Q { __host__ P f(); P* P, x; };") ==
        "struct P {}; struct Q {          struct P f(); struct P* P, x; };");
  const std::string other =
      "struct P {}; int f(int P) { return P * P; } struct R { int a; P x; __host__ int g(int P) { P * P; return P; } "
      "R(const P& y); void h(const P& P, int); };";
  CHECK(translated("__host__ " + other) ==
        "         " + other.substr(0, other.find("__host__")) + "        " + other.substr(other.find("__host__") + 8));
}

TEST_CASE("a class may be specialised under its global name") {
  REQUIRE_RUNS(R"~(
namespace lib { template <class T> struct traits { enum { size = 1 }; }; template <class T> struct base {}; }
struct mine {};
template <> struct ::lib::traits<mine> { enum { size = 2 }; };
template <> struct ::lib::traits<char> : ::lib::base<char> { enum { size = 3 }; };
template <class T> struct ::lib::traits<T*> final { enum { size = 4 }; };
struct ::lib::traits<int> plain;
__global__ void k(int* p) {
  *p = ::lib::traits<mine>::size * 1000 + lib::traits<char>::size * 100 + lib::traits<int*>::size * 10 + plain.size;
}
int main() {
  int n = 0;
  k<<<1, 1>>>(&n);
  EXPECT(n == 2341);
})~");
}

TEST_CASE("older language: constructors that repeat arguments, and aggregates with defaulted constructors") {
  const auto older = [](const std::string& text) {
    return translate(text, "", {.relocatable_device_code = false, .older_language = true}).text;
  };
  CHECK(older("template <class T> class A { A<T>(int); ~A<T>(); };") ==
        "template <class T> class A { A(int); ~A(); };");
  CHECK(older("template <class T> A<T>::~A<T>() {}") == "template <class T> A<T>::~A() {}");
  CHECK(older("struct V { V() = default;\n V(const V&) = default; int x; };").find("default") == std::string::npos);
  for (const std::string kept :
       {"struct V { V() = default; V(int); };", "struct V { explicit V() = default; };", "class V { V() = default; };",
        "struct V { V() = delete; };", "template <class T> struct A { A<T> f(); A<T>* g(A<T>); };"}) {
    CHECK(older(kept) == kept);
    CHECK(translate(kept, "").text == kept);
  }
  const std::string newer = "struct V { V() = default; };";
  CHECK(translate(newer, "").text == newer);
}

}  // namespace
}  // namespace warpfiber::translate::test
