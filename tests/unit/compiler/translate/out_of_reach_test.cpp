// SPDX-License-Identifier: Apache-2.0
//
// Which pointers of a kernel serve for accesses only, and which arguments of launches are names of the host's copies.
// In doubt none is.
#include "support/catch.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

/// The bits of the last kernel's parameters; "0" where it has none.
std::string reached(const std::string& program) {
  constexpr std::string_view kBegin = "reached() { return ";
  const std::string text = translated(program);
  const std::size_t at = text.rfind(kBegin);
  if (at == std::string::npos) return "0";
  return text.substr(at + kBegin.size(), text.find(';', at) - at - kBegin.size());
}

std::string reached_by(const std::string& body) {
  return reached(
      "__device__ int use(int* p, int i) { return p[i]; } __device__ int* keep(int* p) { return p; }\n"
      "__global__ void k(int* p, int** o, int n) {" +
      body + "}");
}

/// The arguments of the launch in a function with this body.
std::string arguments(const std::string& body) {
  const std::string text = translated(
      "__device__ int list[4]; __device__ int one; __managed__ int both[4]; __device__ int twice(int x) { return x; }\n"
      "__global__ void k(int*); __global__ void call(int (*)(int)); void f() {" +
      body + "}");
  const std::size_t at = text.rfind("host_name(");
  return at == std::string::npos ? "" : text.substr(at + 10, text.find(')', at) - at - 10);
}

}  // namespace

TEST_CASE("out of reach: pointers that serve for accesses only") {
  const auto* const body = GENERATE("p[n] = 1;", "*p = 1;", "*(p + n) = 1;", "if (p != nullptr) p[0] = 1;",
                                    "if (p) p[0]++;", "const int* q = p + n; *o[0] = q[1];", "p += n; *p = 2;",
                                    "atomicAdd(p, 1);", "atomicAdd(&p[n], 1);", "use(p, n);", "use(p + 1, n);");
  CHECK(reached_by(body) == "1");
}

TEST_CASE("out of reach: pointers that a program may see") {
  const auto* const body = GENERATE("o[0] = p;", "o[0] = p + 1;", "o[0] = &p[1];", "o[0] = keep(p);", "unknown(p);",
                                    "if (p == o[0]) return;", "long long a = (long long)p;",
                                    "const int* q = p; o[0] = q;", "o[0] = n ? p : nullptr;", "int** r = &p;");
  CHECK(reached_by(body) == "0");
}

TEST_CASE("out of reach: only pointers to objects, by number") {
  CHECK(reached("__global__ void k(float* a, int n, const float* b, float& c) { a[n] = b[n] + c; }") == "5");
  CHECK(reached("template <class... T> __global__ void k(int* a, T... b) { a[0] = 1; }") == "0");
}

TEST_CASE("out of reach: functions that call themselves many times, and a call that has no end") {
  std::string calls;
  for (int i = 0; i < 30; ++i) calls += " walk(p, n);";
  CHECK(reached("__device__ void walk(int* p, int n) {" + calls +
                " } __global__ void k(int* p, int n) { walk(p, n); }") == "0");
  CHECK(reached("__device__ void use(int*, int); __global__ void k(int* p) { use(p, 1; }") == "0");
}

TEST_CASE("out of reach: names of the host's copies in launches") {
  CHECK(arguments("k<<<1, 1>>>(list);") == "list");
  CHECK(arguments("k<<<1, 1>>>(list + 2);") == "list + 2");
  CHECK(arguments("k<<<1, 1>>>(&list[2]);") == "&list[2]");
  CHECK(arguments("k<<<1, 1>>>(&one);") == "&one");
  CHECK(arguments("k<<<1, 1>>>((int*)list);") == "list");
  CHECK(arguments("k<<<1, 1>>>(reinterpret_cast<int*>(list));") == "list");
  CHECK(arguments("call<<<1, 1>>>(twice);") == "twice");
  CHECK(arguments("call<<<1, 1>>>(&twice);") == "&twice");
}

/// How many names of a function in this body become the host's.
int names_in(const std::string& body) {
  const std::string text = translated(
      "using F = int (*)(int); struct Op { F f; int n; }; __device__ int twice(int x) { return x; }\n"
      "__device__ int more(int); __device__ int more(float); __host__ __device__ int both(int x) { return x; }\n"
      "void use(F); __global__ void k(F); template <class T> void each(T); F f() {" +
      body + "}");
  int count = 0;
  for (std::size_t at = text.find("host_name("); at != std::string::npos; at = text.find("host_name(", at + 1)) ++count;
  return count;
}

TEST_CASE("out of reach: functions of the device that host code names") {
  const auto* const body = GENERATE("F f = twice; k<<<1, 1>>>(f);", "F f = &twice;", "Op op{twice, 3};", "use(twice);",
                                    "return twice;", "F list[] = {twice, nullptr};", "k<<<1, 1>>>(twice);");
  CHECK(names_in(body) == 1);
}

namespace {

/// The text of a function of the host with this body.
std::string host_code(const std::string& body) {
  return translated(
      "using F = int (*)(int); struct Op { F f; int n; }; __device__ int twice(int x); __device__ float twice(float "
      "x);\n"
      "__host__ __device__ int both(int x); __host__ __device__ int other(int x); namespace ns {\n"
      "__host__ __device__ int inner(int x); } void use(F); __global__ void k(F); F f(bool b) {" +
      body + "}");
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("out of reach: functions of both sides that host code names") {
  const auto* const body = GENERATE(
      "F f = both;", "use(&both);", "return both;", "k<<<1, 1>>>(both);", "Op op{both, 3};", "F f = (F)both;",
      "F f = static_cast<F>(both);", "if (f == both) return f;", "if (both != f) return f;", "F f = ns::inner;",
      "return 0; } const F list[] = {both}; F g() { return 0;", "return 0; } F one = both; F g() { return 0;");
  CHECK(count(host_code(body), "host_function(") == 1);
}

TEST_CASE("out of reach: functions of both sides that nobody takes the address of in host code") {
  const auto* const body = GENERATE(
      "both(3);", "auto& f = both;", "int both = 1; return both;", "return one.both != 3;", "use(one->both);",
      "use([](int both) { return both; });",
      "return 0; } __device__ F one = both; __constant__ F list[] = {both}; F g() { return 0;",
      "return 0; } __host__ __device__ F g() { return both;", "return 0; } constexpr F one = both; F g() { return 0;",
      "return 0; } int both(double); F g() { F f = both; return 0;");
  CHECK(count(host_code(body), "host_function(") == 0);
}

TEST_CASE("out of reach: what a name of several functions is used for chooses one") {
  CHECK(count(host_code("F f = twice;"), "host_overloads<false>([](auto warpfiber_chosen)") == 1);
  CHECK(count(host_code("use(&twice);"), "warpfiber_chosen = &twice; return") == 1);
  CHECK(count(host_code("F f = (int (*)(int))twice;"), "host_name((int (*)(int))twice)") == 1);
  CHECK(count(host_code("return b ? both : other;"), "host_function(") == 2);
}

TEST_CASE("out of reach: a function of the host, where another namespace has one of the device by that name") {
  const std::string host = "int fill(int); void use(int (*)(int)); __global__ void k(); void f() { use(fill); }";
  const std::string device = "__device__ int fill(int x) { return x; }";
  CHECK(translated("namespace a { " + device + " } namespace b { " + host + " }").find("host_name(") ==
        std::string::npos);
  CHECK(
      translated("namespace a { " + device + " void use(int (*)(int)); __global__ void k(); void f() { use(fill); } }")
          .find("host_name(") != std::string::npos);
}

TEST_CASE("out of reach: functions whose address nobody takes in host code") {
  const auto* const body =
      GENERATE("F f = both;", "auto& f = twice;", "using T = decltype(twice);", "twice(3);",
               "each([] __device__(int i) { F f = twice; return f(i); });", "int twice = 3; use(twice);",
               "static_assert(sizeof(twice(3)) == 4);", "constexpr F f = twice;", "constexpr Op op = {twice, 3};",
               "pick<3, twice, 4>();", "const F& twice = list[0]; use(twice);", "auto& [n, twice] = op; use(twice);",
               "enum { twice, other };", "struct S { F twice; F get() { return twice; } };",
               "return 0; } struct S { F get(); }; F S::get() { return twice;");
  CHECK(names_in(body) == 0);
}

namespace {

/// The text of a function of the host with this body, where templates and classes have functions of the device.
std::string code_with_classes(const std::string& body) {
  return translated(
      "using F = int (*)(int); template <class T> __device__ T twice(T x); template <class T, int N = 2> __host__ "
      "__device__ T times(T x); template <class T> __device__ T sum(T x); template <class T> __device__ T sum(T x, T "
      "y);\n"
      "struct Ops { static __device__ int get(int x); static __device__ int mixed(int x); static float mixed(float x); "
      "__device__ int member(int x); template <int N> static __device__ int add(int x); };\n"
      "namespace ns { template <class T> struct Scale { static __host__ __device__ T apply(T x); }; } "
      "namespace cpu { struct Taken { static int get(int); }; } struct Taken { static __device__ int get(int); };\n"
      "template <class Alias> F pick() { return Alias::get; } struct Alias { static __device__ int get(int); };\n"
      "void use(F); __global__ void k(F); F f(bool b) {" +
      body + "}");
}

}  // namespace

TEST_CASE("out of reach: instances of templates that host code names") {
  CHECK(count(code_with_classes("F f = twice<int>;"), "host_name(twice<int>)") == 1);
  CHECK(count(code_with_classes("k<<<1, 1>>>(&twice<int>);"), "host_name(&twice<int>)") == 1);
  CHECK(count(code_with_classes("return times<int>;"), "host_function(times<int>)") == 1);
  CHECK(count(code_with_classes("use((F)times<int, 3>);"), "host_function((F)times<int, 3>)") == 1);
  CHECK(count(code_with_classes("F f = twice;"), "warpfiber_chosen = twice; return") == 1);
  CHECK(count(code_with_classes("F f = sum<int>;"), "warpfiber_chosen = sum<int>; return") == 1);
}

TEST_CASE("out of reach: static member functions that host code names") {
  CHECK(count(code_with_classes("F f = &Ops::get;"), "host_name(&Ops::get)") == 1);
  CHECK(count(code_with_classes("k<<<1, 1>>>(Ops::get);"), "host_name(Ops::get)") == 1);
  CHECK(count(code_with_classes("use(Ops::add<3>);"), "host_name(Ops::add<3>)") == 1);
  CHECK(count(code_with_classes("return ns::Scale<int>::apply;"), "host_function(ns::Scale<int>::apply)") == 1);
  CHECK(count(code_with_classes("return 0; } struct S { F f; void set() { f = Ops::get; } }; void g() {"),
              "host_name(Ops::get)") == 1);
}

TEST_CASE("out of reach: templates and classes of which no address of the device is taken") {
  const auto* const body =
      GENERATE("twice<int>(3);", "Ops::get(3);", "F f = Ops::mixed;", "auto f = &Ops::member;", "F f = Taken::get;",
               "F f = cpu::Taken::get;", "F f = Alias::get;", "using T = decltype(&Ops::get);", "auto& f = twice<int>;",
               "Holder<twice<int>> h;", "Holder<&Ops::get, 3> h;", "constexpr F f = Ops::get;",
               "bool b = twice < b > (3);", "return 0; } constexpr F g() { return twice<int>; } F h() { return 0;",
               "return 0; } struct S { F f = Ops::get; }; F h() { return 0;",
               "return 0; } __device__ F one = &Ops::get; F h() { return 0;",
               "return 0; } __global__ void fill(F* to) { *to = &Ops::get; to[1] = twice<int>; } F h() { return 0;");
  CHECK(count(code_with_classes(body), "warpfiber::cuda::host_") == 0);
}

TEST_CASE("out of reach: a name that namespaces have for functions of the host and of the device") {
  const auto named_in = [](const std::string& body) {
    return count(translated("using F = int (*)(int); namespace cpu { int fill(int); } namespace gpu { __device__ int "
                            "fill(int); } namespace both { int fill(int, int); __device__ int fill(int); }\n"
                            "__global__ void k(F); " +
                            body),
                 "host_name(");
  };
  CHECK(named_in("void f() { F f = gpu::fill; }") == 1);
  CHECK(named_in("void f() { k<<<1, 1>>>(&gpu::fill); }") == 1);
  CHECK(named_in("void f() { F f = cpu::fill; }") == 0);
  CHECK(named_in("void f() { F f = both::fill; }") == 0);
  CHECK(named_in("void f() { using cpu::fill; F f = fill; }") == 0);
  CHECK(named_in("using namespace cpu; void f() { F f = fill; }") == 0);
}

TEST_CASE("out of reach: overloads of which one is the host's and one the device's") {
  const auto code = [](const std::string& body) {
    return translated(
        "int half(float x) { return x; } __device__ int half(int x = 3) { return x; } namespace ns { __host__ int "
        "one(float); __device__ int one(int); } namespace other { int apart(float); } __device__ int "
        "apart(int); template <class F> void use(F); using F = int (*)(int); void f() { " +
        body + "}");
  };
  const std::string mixed = code("F f = half; f = &half;");
  CHECK(count(mixed, "mixed_overloads(") == 2);
  CHECK(count(mixed, "OfDevice warpfiber_of_device_half(int x = 3);") == 1);
  CHECK(count(code("F f = ns::one;"), "warpfiber_mark = ns::warpfiber_of_device_one") == 1);
  CHECK(count(code("use((F)half);"), "mixed_overloads(") == 1);
  const auto* const body =
      GENERATE("half(3);", "use(half);", "int (&f)(int) = half;", "using other::apart; F f = apart;",
               "using ns::one; F f = one;", "float half = 3; float x = half;");
  CHECK(count(code(body), "mixed_overloads(") == 0);
}

TEST_CASE("out of reach: objects that host code makes with new") {
  const auto made = [](const std::string& body) {
    return translated("template <class T> struct A { struct B {}; }; __global__ void k(); void f(void* p, int n) {" +
                      body + "}");
  };
  const auto* const object = GENERATE("new A<int>", "new (p) A<int>()", "::new (p) A<int>{}", "new A<int>::B",
                                      "new const A<A<int>>(n)", "new typename A<int>::B{1, 2}", "new ::A<int>");
  CHECK(count(made("g(" + std::string(object) + ");"),
              "g(::warpfiber::cuda::built_by_host<false>(" + std::string(object) + "));") == 1);
  CHECK(count(made("new (p) A<int>[n][2];"), "built_by_host<true>(new (p) A<int>[n][2]);") == 1);
  const auto* const other = GENERATE("new int[n];", "new A<int>*[n];", "new auto(3);", "new (int)(3);",
                                     "auto l = [] __device__(void* p) { "
                                     "new (p) A<int>; };",
                                     "} __host__ __device__ void g(void* p) { new (p) A<int>;",
                                     "} struct S { void* operator new(unsigned long); }; void g() {");
  CHECK(count(made(other), "built_by_host") == 0);
}

TEST_CASE("out of reach: arguments that are the device's") {
  CHECK(arguments("k<<<1, 1>>>(both);") == "");
  CHECK(arguments("int* list = make(); k<<<1, 1>>>(list);") == "");
  CHECK(arguments("k<<<1, 1>>>(where(list));") == "");
  CHECK(arguments("k<<<1, 1>>>(lists.list);") == "");
  CHECK(arguments("int (*twice)(int) = make(); call<<<1, 1>>>(twice);") == "");
}

}  // namespace warpfiber::translate::test
