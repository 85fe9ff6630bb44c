// SPDX-License-Identifier: Apache-2.0
//
// Programs that are none: whatever the text, the translator answers, and what has none of CUDA's words stays as it is.
// The seeds are fixed, so that a failure repeats.
#include <random>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "translate/text/tokens.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

// With sanitizers every mutation takes many times as long, so one in so many is tried.
#ifdef __SANITIZE_ADDRESS__
constexpr int kStep = 20;
#else
constexpr int kStep = 1;
#endif

/// A little of everything the translator knows.
const std::string& everything() {
  static const std::string text = with_tokens(R"~(# 1 "a.cu"
namespace n { inline namespace m { template <class T, int = 3> struct S : B<T> { __host__ __device__ S() : a{1}, b(2) {} }; } }
__device__ int v = 3, w[2]; __constant__ struct { int x; } c; extern __managed__ float m;
__shared__ int file[4]; extern __shared__ double dynamic[];
template <class T, int N> requires C<T> && (N > 2) __global__ __launch_bounds__(256, N) void k(T* p, int, char (*q)[2] = {}) {
  extern __shared__ __align__(16) char bytes[];
  __shared__ T a[N], b, *d;
  static __shared__ struct { int x; float y[2]; } s;
  __shared__ alignas(8) Pair<int, T> t;
  switch (N) { case 1: __shared__ int in; break; default: { __shared__ typename T::x y; } }
  auto f = [=] __device__ (int i) mutable -> int { return a[i] + v + w[1] + file[0]; };
# 20 "b.h" 1
  child<T><<<1, 2>>>(p, f(1));
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(b));
  asm("add.s32 %0, %1, 3;" : "=r"(a[0]) : "r"(b) : "memory");
# 14 "a.cu" 2
}
extern "C" { static __global__ void e(const __grid_constant__ int n) noexcept { if (n) return; } }
template <> __global__ void k<float, 3>(float* p) { __func__; R"x(<<<)x"; '<'; 1'000 >> 2; }
struct __align__(8) U { friend __global__ void e(int); __device__ __noinline__ operator int() const; __device__ int operator()(int) { return 1; } };
struct V { volatile int* p; __device__ void f(int i) { p[i] += this->p[i + 1]; } };
template <int N> __device__ int step(volatile int* s, volatile T (*q)[2], int i) {
  auto u = (volatile int*)s; extern volatile __shared__ int z[]; volatile int& r = s[1];
  if (N > 1) s[i] += s[i + 1]; else if (i) [[likely]] s[i] = t = u[i] + *(s + 2); else { *s = r; }
  for (int n = 1; n < i; n *= 2) do (s[i]) = f<1, 2>(s[i - n]), u[i] = u[0]; while (0);
  switch (i) { case 1: l: z[i] = z[i + 1]; default: ((volatile int*)s)[i] = ((volatile int*)s)[1]; __syncthreads(); }
  while (r) static_cast<volatile int*>(s)[0] <<= static_cast<volatile int*>(s)[1]; return (*q)[i] = (*q)[1];
}
int main() {
  if (x < 3) n::m::k<Pair<int, int>, (4 > 3)>
    <<<dim3(1, 2), {3}, sizeof(int), s[1]>>>(p, 1);
  else (*table[2])<<<g, 1 << 5>>>(a...);
  for (;;) h.k<<<1, 1>>>();
}
)~");
  return text;
}

void survives(const std::string& text) {
  const Translation result = translate(text, "");
  if (!has_words(text)) CHECK(result.text == text);
}

TEST_CASE("fuzz: a text that ends anywhere", "[sweep]") {
  const std::string& text = everything();
  for (std::size_t length = 0; length <= text.size(); length += kStep) survives(text.substr(0, length));
  for (std::size_t start = 0; start < text.size(); start += 3 * kStep) survives(text.substr(start));
}

TEST_CASE("fuzz: tokens that are missing, doubled or swapped", "[sweep]") {
  const std::string& text = everything();
  const Tokens tokens(text);
  std::mt19937 random(20250101);
  const auto pick = [&] { return std::uniform_int_distribution<std::size_t>(0, tokens.size() - 1)(random); };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    survives(text.substr(0, tokens[i].begin) + text.substr(tokens[i].end));
    survives(text.substr(0, tokens[i].end) + " " + text.substr(tokens[i].begin));
  }
  for (int round = 0; round < 2000 / kStep; ++round) {
    std::string mutated = text;
    for (int change = 0; change < 4; ++change) {
      const Tokens now(mutated);
      const std::size_t at = std::uniform_int_distribution<std::size_t>(0, now.size())(random);
      const std::size_t other = pick();
      mutated.replace(now[at].begin, now[at].end - now[at].begin, tokens.text(other));
    }
    survives(mutated);
  }
}

TEST_CASE("fuzz: bytes that are no program", "[sweep]") {
  std::mt19937 random(7);
  const std::string alphabet = "(){}[]<>;:,=*&#\"'\\\n /._-a1\x80R";
  std::uniform_int_distribution<std::size_t> letter(0, alphabet.size() - 1);
  const std::vector<std::string> words = {"__warpfiber_global__ ",
                                          "__warpfiber_shared__ ",
                                          "__warpfiber_device__ ",
                                          "<<<",
                                          ">>>",
                                          "template<",
                                          "operator",
                                          "asm(",
                                          "__warpfiber_launch_bounds__("};
  for (int round = 0; round < 5000 / kStep; ++round) {
    std::string text;
    for (int i = 0; i < 60; ++i) {
      if (random() % 4 == 0) text += words[random() % words.size()];
      text += alphabet[letter(random)];
    }
    survives(text);
  }
}

TEST_CASE("fuzz: two texts that have little in common", "[sweep]") {
  const std::string& text = everything();
  const Tokens tokens(text);
  std::mt19937 random(99);
  for (int round = 0; round < 300 / kStep; ++round) {
    std::string host = text;
    std::string device = text;
    for (std::string* each : {&host, &device}) {
      for (int change = 0; change < 3; ++change) {
        const std::size_t from = random() % each->size();
        each->erase(from, random() % 40);
      }
    }
    CHECK_NOTHROW(translate(host, device, {.relocatable_device_code = false, .older_language = true}));
  }
}

TEST_CASE("fuzz: a program without CUDA's words stays as it is, whatever is done to it", "[sweep]") {
  const std::string text =
      "# 1 \"a.cpp\"\ntemplate <class T> struct S { friend O& operator<<<>(O&, S); }; int a = b << c >> d;\n"
      "auto f = [=](int x) -> int { return x; }; char s[] = R\"(<<)\"; extern \"C\" { void g(void); }\n";
  std::mt19937 random(3);
  for (int round = 0; round < 3000 / kStep; ++round) {
    std::string mutated = text;
    for (int change = 0; change < 3; ++change) mutated[random() % mutated.size()] = static_cast<char>(random());
    if (!has_words(mutated)) CHECK(translate(mutated, "").text == mutated);
  }
}

TEST_CASE("fuzz: brackets as deep as anybody likes", "[sweep]") {
  for (const std::string piece : {"(", "{", "[", "<", "namespace a {", "struct a {", "template <", "f<", "[] {",
                                  "void f(volatile int* s) {", "if (s) ", "else ", "do ", "for (;;) { s[1] = s[2]; "}) {
    std::string text = "__warpfiber_device__ ";
    // Whether a `<` opens a list takes a look at what follows, so that many of them cost their number squared.
    const int times = piece.ends_with('<') ? 1000 : 5000;
    for (int i = 0; i < times / kStep; ++i) text += piece;
    CHECK_NOTHROW(translate(text, ""));
    CHECK_NOTHROW(translate("__warpfiber_device__ void f(volatile int* s) {" + text + "s[1] = s[2]; }", ""));
    CHECK_NOTHROW(translate(text + "__warpfiber_shared__ int x; k<<<1, 2>>>();", text,
                            {.relocatable_device_code = false, .older_language = true}));
  }
}

}  // namespace
}  // namespace warpfiber::translate::test
