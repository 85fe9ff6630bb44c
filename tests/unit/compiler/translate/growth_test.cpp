// SPDX-License-Identifier: Apache-2.0
//
// Files that programs write: their size may be any, how deep they nest has a limit. Translation is linear in the size;
// if any of it were quadratic again, these cases would take minutes and run into the test's limit.
#include <functional>
#include <string>

#include "support/catch.hpp"
#include "translate/translate.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr int kMany = 2000;
#else
constexpr int kMany = 20000;
#endif

/// What `line` gives for 0, 1, 2 and so on, each in lines of its own, with CUDA's qualifiers as the headers have them.
std::string many(const std::function<std::string(const std::string&)>& line) {
  std::string text = "# 1 \"a.cu\"\n";
  for (int i = 0; i < kMany; ++i) text += line(std::to_string(i)) + "\n";
  return text;
}

std::string repeated(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

const std::string kDevice = "__warpfiber_device__ ";
const std::string kKernel = "__warpfiber_global__ void k";
const std::string kNothingBefore = "# 1 \"a.cu\"\n" + kKernel;

/// Translates many lines of one kind. Line N + 1 has the kernel kN where it has one.
void check_many(const std::function<std::string(const std::string&)>& line) {
  TranslateOptions options;
  options.checked = true;
  const Translation result = translate(many(line), "", options);
  CHECK(result.diagnostics.empty());
  for (const NamedLines& kernel : result.kernels) {
    const bool in_place = kernel.name == "k" + std::to_string(kernel.first_line - 1);
    if (!in_place) FAIL(kernel.name << " in line " << kernel.first_line);
  }
}

std::string error_of(const std::string& text) {
  const Translation result = translate(text, "");
  return result.diagnostics.empty() ? std::string() : to_text(result.diagnostics.front());
}

/// One statement for a kernel, which is refused as too deep in this line.
void check_refused(const std::string& body, const std::string& line) {
  const std::string error = error_of(kNothingBefore + "(volatile int* p) {\n" + body + "}\n");
  INFO(error);
  CHECK(error.starts_with("a.cu:" + line + ":"));
  CHECK(error.ends_with("error: statements and brackets are nested more than 2000 deep here"));
}

}  // namespace

TEST_CASE("a file may have any number of kernels", "[growth]") {
  check_many([](const auto& i) { return kKernel + i + "(int* p, int n) { if (n > 1) p[n] = " + i + "; }"; });
  check_many([](const auto& i) {
    return "template <class T, int N> " + kKernel + i + "(T* p, const int n) { p[n] = N; } template <class T> void h" +
           i + "(T* p) { k" + i + "<T, 3><<<1, 32>>>(p, 1); }";
  });
  check_many([](const auto& i) {
    return kKernel + i + "(int* p) { __warpfiber_shared__ int s[32]; s[threadIdx.x] = " + i + "; p[0] = s[1]; }";
  });
}

TEST_CASE("a file may have any number of launches", "[growth]") {
  check_many(
      [](const auto& i) { return kKernel + i + "(int* p) { ++*p; } void h" + i + "() { k" + i + "<<<1, 32>>>(p); }"; });
  const std::string launches = repeated(kMany, " k<<<1, 32>>>(p);");
  const Translation result = translate(kNothingBefore + "(int* p) { ++*p; } void h(int* p) {" + launches + " }\n", "");
  CHECK(result.diagnostics.empty());
  CHECK(result.text.find("<<<") == std::string::npos);
}

TEST_CASE("a file may have any number of variables of the device", "[growth]") {
  check_many([](const auto& i) {
    return kDevice + "int v" + i + " = " + i + "; " + kDevice + "int f" + i + "(int a) { return a + v" + i + "; }";
  });
  check_many([](const auto& i) {
    return kDevice + "volatile int v" + i + "; " + kKernel + i + "(volatile int* p) { while (p[0] != v" + i + "); }";
  });
  check_many([](const auto& i) {
    return "template <int N> " + kDevice + "int t" + i + "; " + kKernel + i + "(int* p) { p[0] = t" + i + "<3>; }";
  });
}

TEST_CASE("a file may have any number of other things", "[growth]") {
  check_many([](const auto& i) { return kKernel + i + R"((int* p) { asm("add.s32 %0, %0, 1;" : "+r"(p[0])); })"; });
  check_many([](const auto& i) {
    return "template <class T> struct S" + i + " { static const T v = T(1); " + kDevice + "T f() { return v; } };";
  });
  check_many(
      [](const auto& i) { return kKernel + i + "(volatile int* p, int n) { p[n] += p[n + 1]; p[n] += p[2]; }"; });
  check_many(
      [](const auto& i) { return kKernel + i + "() { printf(\"" + i + "\"); int* p = new int[3]; delete[] p; }"; });
}

TEST_CASE("errors are told of any number of kernels", "[growth]") {
  const Translation result =
      translate(many([](const auto& i) { return "__warpfiber_global__ int k" + i + "() {}"; }), "");
  REQUIRE(result.diagnostics.size() == kMany);
  CHECK(result.diagnostics.back().line == kMany);
}

TEST_CASE("statements, brackets and scopes that are nested too deep are refused") {
  const int deep = GENERATE(2001, 200000);
  check_refused(repeated(deep, "if (p[0])\n") + "p[1] = p[2];", "1999");
  check_refused(repeated(deep, "for (;;)\n") + "p[1] = p[2];", "2000");
  check_refused(repeated(deep, "do\n") + "p[1] = p[2];" + repeated(deep, "while (p[0]);"), "2001");
  check_refused(repeated(deep, "if (p[0]) {\n") + repeated(deep, "}"), "1001");
  check_refused(repeated(deep, "{\n") + repeated(deep, "}"), "2001");
  check_refused("p[1] = " + repeated(deep, "(\n") + "1" + repeated(deep, ")") + ";", "2001");
  check_refused("p[1] = " + repeated(deep, "p[\n") + "1" + repeated(deep, "]") + ";", "2001");
  const std::string scopes = repeated(deep, "namespace n {") + kDevice + "int v;" + repeated(deep, "}");
  CHECK_FALSE(error_of("# 1 \"a.cu\"\n" + scopes).empty());
}

TEST_CASE("namespaces and classes are nested up to 200 deep") {
  const auto nested = [](int deep) {
    return "# 1 \"a.cu\"\n" + repeated(deep, "namespace n {\n") + kDevice + "int v;" + repeated(deep, "}") + "\n";
  };
  CHECK(error_of(nested(199)) == "");
  CHECK(error_of(nested(250)) == "a.cu:201:1: error: namespaces and classes are nested more than 200 deep here");
}

TEST_CASE("chains of else and sequences of statements are not nested", "[growth]") {
  const std::string begin = kNothingBefore + "(volatile int* p) {\n";
  CHECK(error_of(begin + repeated(kMany, "if (p[0]) p[1] = p[2];\nelse ") + "p[1] = 1;\n}\n") == "");
  CHECK(error_of(begin + repeated(kMany, "if (p[0]) { p[1] = p[2]; } else ") + "{ p[1] = 1; }\n}\n") == "");
  CHECK(error_of(begin + repeated(kMany, "for (;;) if (p[0]) break; else continue;\n") + "}\n") == "");
  CHECK(error_of(begin + repeated(kMany, "do { p[1] = 1; } while (p[0]);\n") + "}\n") == "");
  CHECK(error_of(begin + "p[1] = " + repeated(kMany, "p[0] ? 1 :\n") + "2;\n}\n") == "");
  CHECK(error_of(begin + repeated(900, "if (p[0]) {\n") + repeated(900, "}") + "\n}\n") == "");
}

}  // namespace warpfiber::translate::test
