// SPDX-License-Identifier: Apache-2.0
//
// Calls of member templates without `template`, which NVIDIA's front end takes in functions of the device.
#include "support/catch.hpp"
#include "unit/translate/sample.hpp"

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

}  // namespace
}  // namespace warpfiber::translate::test
