// SPDX-License-Identifier: Apache-2.0
//
// Which pointers of a kernel serve for accesses only, and which arguments of launches are names of the host's copies.
// In doubt none is.
#include "support/catch.hpp"
#include "unit/translate/sample.hpp"

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
      "both(3);", "auto& f = both;", "int both = 1; return both;", "use([](int both) { return both; });",
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

TEST_CASE("out of reach: arguments that are the device's") {
  CHECK(arguments("k<<<1, 1>>>(both);") == "");
  CHECK(arguments("int* list = make(); k<<<1, 1>>>(list);") == "");
  CHECK(arguments("k<<<1, 1>>>(where(list));") == "");
  CHECK(arguments("k<<<1, 1>>>(lists.list);") == "");
  CHECK(arguments("int (*twice)(int) = make(); call<<<1, 1>>>(twice);") == "");
}

}  // namespace warpfiber::translate::test
