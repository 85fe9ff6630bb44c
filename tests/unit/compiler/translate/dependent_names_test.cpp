// SPDX-License-Identifier: Apache-2.0
//
// Calls of member templates without `template`, which NVIDIA's front end takes in functions of the device.
#include "support/catch.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("calls of member templates in templates of the device are marked") {
  const auto* const call = GENERATE("A<T>::|cast<3>(x)", "P::|cast<n + 1>(x)", "A<B<T>>::|cast<sizeof(x)>(x)",
                                    "a.|get<n>(x)", "p->|get<n>(x)", "Alias::|cast<n>(x)");
  CAPTURE(call);
  std::string with = call;
  std::string without = call;
  with.replace(with.find('|'), 1, "template ");
  without.erase(without.find('|'), 1);
  const auto* const head = GENERATE("template <class T, class P, int n> __device__ int f(int x) ",
                                    "template <class T, class P> struct S { __host__ __device__ int f(int x) ",
                                    "template <class T, class P, int n> __global__ void f(int x) ");
  const std::string text = translated(std::string(head) + "{ using Alias = A<T>; g(" + without + "); }" +
                                      (std::string_view(head).find("struct") != std::string_view::npos ? "};" : ""));
  CHECK_THAT(text, ContainsSubstring("g(" + with + ")"));
}

TEST_CASE("whatever else has angles stays as it is") {
  const auto* const code =
      GENERATE("template <class T> __device__ int f(int x) { return A<T>::template cast<3>(x); }",
               "template <class T> __device__ auto f(int x) { return cg::tiled_partition<32>(x); }",
               "template <class T> __device__ auto f(int x) { return std::get<0>(x); }",
               "template <class T> __device__ int f(int x) { return A<T>::value < 3 > (x); }",
               "template <class T> __device__ int f(int x) { return A<T>::value<x && x>(0); }",
               "template <class T> __device__ int f(int x) { return A<T>::as<float>(x); }",
               "template <class T> __device__ int f(int x) { return A<T>::cast<3>(); }",
               "template <class T> int f(int x) { return A<T>::cast<3>(x); } __device__ int g();",
               "__device__ int f(int x) { return A<int>::cast<3>(x) + a.get<3>(x); }");
  CAPTURE(code);
  const std::string source = code;
  const auto count = [](const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = text.find("template "); at != std::string::npos; at = text.find("template ", at + 1)) ++found;
    return found;
  };
  CHECK(count(translated(source)) == count(source));
}

TEST_CASE("a template of the device has constants of any type in its class") {
  REQUIRE_RUNS(R"(
template <class T> struct Limit { static const T top = T(9.5); static const int size = 2; };
template <typename T, int n> class Scaled { public: static const T step = T(n) / 2; static __device__ T get() { return step; } };
template <class T> struct User { static __device__ T get() { return 0 + Limit<T>::top; } };
template <class T> struct Outside { static const T value = T(3); };
template <class T> const T Outside<T>::value;
template <class T> __global__ void k(T* out) {
  int sizes[Limit<T>::size] = {1, 2};
  *out = Limit<T>::top + User<T>::get() + Scaled<T, 3>::get() + sizes[1] + *&Outside<int>::value;
}
int main() {
  float f = 0;
  k<float><<<1, 1>>>(&f);
  EXPECT(f == 19 + 1.5f + 2 + 3);
})");
  CHECK(translated("template <class T> struct A { static const T a = 1; }; __host__ int i;")
            .find("static inline const") != std::string::npos);
  for (const char* other : {"struct A { static const T a = 1; }; __host__ int i;",
                            "template <class U> struct A { static const T a = 1; }; __host__ int i;",
                            "template <class T> void f() { static const T a = 1; } __host__ int i;"}) {
    CHECK(translated(other).find("inline") == std::string::npos);
  }
}

}  // namespace
}  // namespace warpfiber::translate::test
