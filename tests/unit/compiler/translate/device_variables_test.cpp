// SPDX-License-Identifier: Apache-2.0
//
// Variables of the device of every shape that real programs have.
#include "support/catch.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

TEST_CASE("device variables: registered with their names and kinds") {
  REQUIRE_RUNS(R"~(
__device__ int a = 3;
__constant__ float b[4];
__managed__ double c, d[2];
__device__ __managed__ int e;
static __device__ volatile int f;
__device__ static int g = 1, h[2] = {1, 2};
namespace n { __constant__ struct { int x; } i; }
__device__ int (*j)(int);
__device__ const int constant = 4;
__constant__ const float table[2] = {1, 2};
__device__ constexpr int k = 5;
__device__ const char* text = "a";
__device__ alignas(64) char aligned[3];
alignas(64) __constant__ [[maybe_unused]] char aligned_too[3];
extern __device__ int elsewhere;
template <class T> __device__ T per_type = T(2);
using warpfiber::cuda::Variable;
using warpfiber::cuda::VariableKind;
bool is(const char* name, const void* address, VariableKind kind) {
  const Variable* v = Variable::find(name);
  return v && v->address == address && v->kind == kind;
}
int main() {
  EXPECT(is("a", &a, VariableKind::device) && is("b", &b, VariableKind::constant) && is("c", &c, VariableKind::managed));
  EXPECT(is("d", &d, VariableKind::managed) && is("e", &e, VariableKind::managed) && is("h", &h, VariableKind::device));
  EXPECT(is("i", &n::i, VariableKind::constant) && is("j", &j, VariableKind::device) && is("text", &text, VariableKind::device));
  EXPECT(is("aligned", &aligned, VariableKind::device) && is("aligned_too", &aligned_too, VariableKind::constant));
  EXPECT(reinterpret_cast<unsigned long>(&aligned) % 64 == 0 && reinterpret_cast<unsigned long>(&aligned_too) % 64 == 0);
  EXPECT(is("f", const_cast<int*>(&f), VariableKind::device));
  EXPECT(is("constant", &constant, VariableKind::device) && is("table", &table, VariableKind::constant));
  EXPECT(is("k", &k, VariableKind::device) && !Variable::find("elsewhere"));
  EXPECT(a == 3 && h[1] == 2 && constant + k == 9 && per_type<int> == 2);
})~");
}

TEST_CASE("device variables: instances of templates are registered where they are used") {
  REQUIRE_RUNS(R"~(
template <class T, int kCount = 2> __constant__ T mask[kCount];
namespace n { template <typename... Ts> __device__ int sizes = (sizeof(Ts) + ... + 0); }
template <class T> __device__ constexpr T half = T(1) / 2;
template <> __device__ int n::sizes<char> = 7;
template <class T> __device__ T get(int i) { return mask<T>[i] + half<T>; }
template <class T> __global__ void k(T* out) { *out = get<T>(1) + n::sizes<T, char>; n::sizes<T, char> += 1; }
using warpfiber::cuda::Variable;
int registered(const void* address) {
  int found = 0;
  for (int i = 0; i < Variable::count; ++i) found += Variable::all[i]->address == address;
  return found;
}
template <class T> T run() {
  T out = 0;
  mask<T>[1] = 3;
  k<<<1, 1>>>(&out);
  return out;
}
int main() {
  const int& sizes = n::sizes<double, char>;
  const float& element = *mask<float, 3>;
  EXPECT(run<double>() == 3.5 + 9 && run<int>() == 3 + 5 && sizes == 10);
  EXPECT(registered(&mask<double>) == 1 && registered(&mask<int>) == 1 && registered(&sizes) == 1);
  EXPECT(registered(&element) == 1 && n::sizes<char> == 7);
  warpfiber::cuda::device = 1;
  EXPECT(run<double>() == 0.5 && sizes == 10);
})~");
}

TEST_CASE("device variables: those of constant memory are marked where loops over threads are made") {
  const std::string variables =
      "extern \"C\" __warpfiber_constant__ int a;\n"
      "alignas(8) __warpfiber_constant__ int b[2], c;\n"
      "template <class T> __warpfiber_constant__ T d;\n"
      "__warpfiber_device__ int e;\n";
  const auto marks = [](const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find("annotate"); at != std::string::npos; at = text.find("annotate", at + 1)) ++count;
    return count;
  };
  CHECK(marks(translate(variables, "").text) == 0);
  const std::string text =
      translate("constexpr bool kRunsAsRegions = Execution::regions == Execution::regions;\n" + variables, "").text;
  CHECK(marks(text) == 3);
  CHECK(text.find("alignas(8) __attribute__((annotate(\"warpfiber_constant\"))) ") != std::string::npos);
}

TEST_CASE("device variables: a function of the device uses the instance of its device") {
  REQUIRE_RUNS(R"~(
__device__ int n = 3;
__device__ int m[2];
__constant__ int by[2] = {5, 6};
__managed__ int everywhere;
struct S { int n; __device__ int own() { return this->n; } __device__ int global() { return m[1]; } };
__device__ int parameter(int n) { return n; }
template <class T> __device__ T from_template() { return n + by[1]; }
__global__ void k(int* p) {
  n += 1;
  ++everywhere;
  auto in_lambda = [=] { return n; };
  auto nothing = [] { return m[0]; };
  S s{100};
  int sum = in_lambda() + nothing() + s.own() + s.global() + parameter(1000);
  { int n = 10000; sum += n; }
  *p = sum + from_template<int>();
}
int main() {
  int out = 0;
  k<<<1, 1>>>(&out);
  EXPECT(n == 4 && everywhere == 1 && out == 4 + 100 + 1000 + 10000 + 4 + 6);
  warpfiber::cuda::device = 1;
  k<<<1, 1>>>(&out);
  EXPECT(n == 4 && everywhere == 2 && out == 1 + 100 + 1000 + 10000 + 1);
  auto host = [] __device__ (int i) { return n + i; };
  EXPECT(host(1) == 2);
})~");
}

TEST_CASE("device variables: their names mean other things outside of their namespaces") {
  REQUIRE_RUNS(R"~(
namespace a { __device__ int total = 1; __device__ int own() { return total; } }
namespace b { __device__ int total = 2; namespace c { __device__ int own() { return total; } } }
namespace reopened { __device__ int count = 3; }
namespace reopened { __device__ int own() { return count; } }
namespace used { __device__ int size = 4; }
namespace named { __device__ int one = 5; }
namespace qualified { __device__ int word = 6; __device__ int get(); }
__device__ int qualified::get() { return word; }
namespace { __device__ int unnamed = 7; }
inline namespace in { __device__ int inlined = 8; }
extern "C" { __device__ int linked = 9; }
using namespace used;
using named::one;
__device__ int everywhere() { return size + one + unnamed + inlined + linked; }
__global__ void k(int* p) {
  int total = a::own() + b::c::own() + reopened::own() + qualified::get();
  for (int i = 0; i < 2; ++i) total += everywhere();
  *p = total;
}
int main() { int n = 0; k<<<1, 1>>>(&n); EXPECT(n == 1 + 2 + 3 + 6 + 2 * 33); n = a::own(); })~");
}

TEST_CASE("device variables: in functions they are plain static ones") {
  REQUIRE_RUNS(R"~(
__device__ int count() { static __device__ int n = 4; return ++n; }
__global__ void k(int* p) { count(); *p = count(); }
int main() { int n = 0; k<<<1, 1>>>(&n); EXPECT(n == 6); })~");
}

TEST_CASE("device variables: each translation unit has its own without relocatable device code") {
  const std::string text =
      with_tokens("__device__ int a; extern __device__ int b; __device__ int b; inline __device__ int c;");
  const std::string own = translate(text, "").text;
  CHECK(own.find("static            int a;") == 0);
  CHECK(own.find("static            int b") == std::string::npos);
  CHECK(own.find("static inline") == std::string::npos);
  TranslateOptions options;
  options.relocatable_device_code = true;
  CHECK(translate(text, "", options).text.find("static            int a") == std::string::npos);
}

TEST_CASE("device variables: static members of classes are refused, as nvcc refuses them") {
  const std::string told = "error: memory qualifier on data member is not allowed\n";
  CHECK(errors_of("struct S {\n  static __device__ int n;\n};") == "sample.cu:2:10: " + told);
  CHECK(errors_of("template <class T> struct S { static __shared__ T n[4]; };") == "sample.cu:1:38: " + told);
  CHECK(errors_of("class S { inline static const __constant__ float f = 1; };") == "sample.cu:1:31: " + told);
  CHECK(errors_of("namespace n { union U { __managed__ static int m; }; }") == "sample.cu:1:25: " + told);
}

TEST_CASE("device variables: functions and lambdas of classes are no static members") {
  CHECK(errors_of(R"~(
struct S {
  static __device__ int f(int a);
  static __host__ __device__ constexpr int g() { return 1; }
  static __device__ int (*pointer())(int);
  static __device__ __forceinline__ auto h(int (&a)[3]) -> int { return a[0]; }
  template <class T> static __device__ T t(T v = T()) { return v; }
  static __device__ S operator+(int);
  static constexpr int plain = 3;
  static constexpr auto lambda = [] __device__ (int v) { return v; };
};
__device__ static int n;
)~") == "");
}

std::string translate_checked(const char* text) {
  TranslateOptions options;
  options.checked = true;
  return translate(with_tokens(text), "", options).text;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("device variables: red zones lie behind those of checked programs") {
  const std::string text = translate_checked("__device__ int a[4];");
  CHECK(contains(text, "static __attribute__((used))"));
  CHECK(contains(text, "char warpfiber_red_zeros_1[::warpfiber::cuda::kRedZone<decltype(a)>];"));
  CHECK(contains(text, "char warpfiber_red_values_1[::warpfiber::cuda::kRedZone<decltype(a)>] = {1};"));
  CHECK(contains(text, "RedZone warpfiber_red_zone_1{"));
  CHECK_FALSE(contains(translate(with_tokens("__device__ int a[4];"), "").text, "red"));
  CHECK_FALSE(contains(translate_checked("extern __device__ int a[4];"), "red"));
  CHECK_FALSE(contains(translate_checked("inline __device__ int a[4];"), "red"));
  CHECK_FALSE(contains(translate_checked("__constant__ const int a[4] = {1, 2, 3, 4};"), "red"));
}

TEST_CASE("device variables: each declarator of a checked program has a red zone") {
  const std::string text = translate_checked("alignas(16) __device__ unsigned long a[4], *b, c[2] = {1, 2};");
  CHECK(contains(text, "[::warpfiber::cuda::kRedZone<decltype(a)>]"));
  CHECK(contains(text, "[::warpfiber::cuda::kRedZone<decltype(b)>]"));
  CHECK(contains(text, "[::warpfiber::cuda::kRedZone<decltype(c)>]"));
  CHECK(contains(text, "; alignas (16) static"));
  CHECK(contains(text, "unsigned long  *b"));
  const std::string defined = translate_checked("__device__ struct { int x; } one, other;");
  CHECK_FALSE(contains(defined, "decltype(one)"));
  CHECK(contains(defined, "decltype(other)"));
  CHECK_FALSE(contains(translate(with_tokens("__device__ int a[4], b[4];"), "").text, ";  int"));
}

TEST_CASE("device variables: declarations of several are as they were") {
  TranslateOptions options;
  options.checked = true;
  REQUIRE_RUNS_WITH(options, R"~(
template <class T, int N> struct Box { T of[N]; };
alignas(32) __device__ int a[3] = {1, 2, 3}, *p, b = sizeof(int[2]), (*rows)[3];
static __device__ Box<int, 2> box, boxes[2];
__device__ decltype(1, 2.0) half = 0.5, third[2]{0.25, 1};
__constant__ float scale, offset[2] = {0, 3};
__device__ struct Point { int x, y; } point, line[2];
__global__ void k(int* out) {
  p = a;
  rows = &a;
  boxes[1].of[1] = 7;
  line[1].y = 5;
  *out = p[2] + b + (*rows)[1] + boxes[1].of[1] + line[1].y + static_cast<int>(4 * half + third[1]) +
         static_cast<int>(scale + offset[1]) + point.x + box.of[0];
}
int main() {
  int result = 0;
  k<<<1, 1>>>(&result);
  EXPECT(result == 3 + 8 + 2 + 7 + 5 + 3 + 3);
  EXPECT(reinterpret_cast<unsigned long>(&b) % 32 == 0);
})~");
}

TEST_CASE("device variables: red zones follow variables of every kind") {
  TranslateOptions options;
  options.checked = true;
  REQUIRE_RUNS_WITH(options, R"~(
__device__ int a[3];
__device__ float f[] = {1, 2, 3}, g;
namespace inner { __constant__ double d[2][5] = {{1}}; }
__device__ struct { int x, y; } point;
static __device__ char c;
alignas(32) __device__ char bytes[5];
template <class T> struct Box { T of[2]; };
__device__ Box<int> box;
__managed__ int m[2];
__global__ void k(int* p) {
  if (p == nullptr) return;
  a[2] = 1; g = f[2]; point.y = 2; c = 3; bytes[4] = 4; box.of[1] = 5; m[1] = 6;
  *p = a[2] + static_cast<int>(g + inner::d[0][0]) + point.y + c + bytes[4] + box.of[1] + m[1];
}
int main() {
  int out = 0;
  k<<<1, 1>>>(nullptr);
  k<<<1, 1>>>(&out);
  EXPECT(out == 1 + 3 + 1 + 2 + 3 + 4 + 5 + 6);
})~");
}

}  // namespace
}  // namespace warpfiber::translate::test
