// SPDX-License-Identifier: Apache-2.0
//
// A kernel depends on its seed only, and so do its line and what the program prints about it.
#include "tools/fuzz/regions/comparison.hpp"

#include <algorithm>
#include <iterator>

#include "tools/fuzz/regions/draft.hpp"

namespace warpfiber::tools::fuzz {
namespace {

constexpr const char* kPrologue = R"(#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

constexpr unsigned kWords = 1u << 14;  // of the input and of the output
constexpr unsigned kFull = 0xffffffffu;

struct Pair {
  unsigned low;
  double high;
};

__device__ unsigned f_bits(float f) { return __float_as_uint(f); }

__device__ Pair mixed(Pair a, unsigned b) {
  a.low = a.low * 31 + (b ^ static_cast<unsigned>(a.high));
  a.high = a.high * 0.25 + b / 3.0;
  return a;
}

__device__ unsigned sum_of(const unsigned* p) {
  return p[0] + 3 * p[1] + 5 * p[2] + 7 * p[3] + 9 * p[4] + 11 * p[5] + 13 * p[6] + 15 * p[7];
}

__device__ unsigned bits_of(unsigned long long w, const Pair& pair) {
  return static_cast<unsigned>(w >> 11) ^ pair.low ^ static_cast<unsigned>(__double_as_longlong(pair.high) >> 9);
}

)";

constexpr const char* kMatrixPrologue = R"(#include <mma.h>

namespace wmma = nvcuda::wmma;

__device__ unsigned in_shared(const unsigned* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

)";

constexpr const char* kEpilogue = R"(
void require(cudaError_t status, const char* name) {
  if (status == cudaSuccess) return;
  printf("%s: %s\n", name, cudaGetErrorName(status));
  exit(1);
}

// A hash of all of the output (FNV-1a), the sum of its words, and six of them.
void print_result(const char* name, const unsigned* words) {
  unsigned long long hash = 0xcbf29ce484222325ull;
  unsigned sum = 0;
  for (unsigned i = 0; i < kWords; ++i) {
    hash = (hash ^ words[i]) * 0x100000001b3ull;
    sum += words[i];
  }
  printf("%s %016llx %08x ", name, hash, sum);
  for (unsigned i : {0u, 1u, 31u, 32u, 63u, 99u}) printf(" %08x", words[i]);
  printf("\n");
}

// Memory that all launches use until one of them fails.
struct Memory {
  Memory() {
    require(cudaMalloc(&in, kWords * sizeof(unsigned)), "input");
    require(cudaMalloc(&out, kWords * sizeof(unsigned)), "output");
    std::vector<unsigned> words(kWords);
    for (unsigned i = 0; i < kWords; ++i) words[i] = (i + 1) * 2654435761u ^ i >> 3;
    require(cudaMemcpy(in, words.data(), kWords * sizeof(unsigned), cudaMemcpyHostToDevice), "copy of the input");
  }

  unsigned* in = nullptr;
  unsigned* out = nullptr;
};

// How many launches failed.
int main(int argc, char** argv) {
  Memory memory;
  std::vector<unsigned> words(kWords);
  int failures = 0;
  unsigned first = argc > 1 ? static_cast<unsigned>(atoi(argv[1])) : 0;
  for (const Launch& launch : kLaunches) {
    if (first != 0) {
      --first;
      continue;
    }
    require(cudaMemset(memory.out, 0, kWords * sizeof(unsigned)), launch.name);
    launch.kernel<<<launch.grid, launch.block, launch.shared_bytes>>>(memory.in, memory.out);
    const cudaError_t status = cudaDeviceSynchronize();
    if (status == cudaSuccess) {
      require(cudaMemcpy(words.data(), memory.out, kWords * sizeof(unsigned), cudaMemcpyDeviceToHost), launch.name);
      print_result(launch.name, words.data());
    } else {
      printf("%s: %s\n", launch.name, cudaGetErrorName(status));
      ++failures;
      require(cudaDeviceReset(), launch.name);
      memory = Memory();
    }
    fflush(stdout);
  }
  return failures;
}
)";

constexpr unsigned kThreads[] = {1, 32, 32, 33, 64, 64, 64, 96, 96, 100, 128, 128, 160, 256, 256, 1000, 1024};
constexpr unsigned kRows[] = {1, 1, 1, 2, 4, 8, 10};

std::string dimensions(unsigned x, unsigned y, unsigned z) {
  return "dim3(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

/// A block of so many threads, which may be rows, or layers of rows.
std::string draw_block(Drawing& drawing, unsigned threads) {
  unsigned rows = drawing.one_of(kRows);
  if (threads % rows != 0) rows = 1;
  const unsigned layers = rows % 4 == 0 && drawing.once_in(2) ? 2 : 1;
  return dimensions(threads / rows, rows / layers, layers);
}

/// Four blocks at most, which may be two rows.
std::string draw_grid(Drawing& drawing) {
  const unsigned blocks = drawing.between(1, 4);
  const unsigned rows = blocks % 2 == 0 && drawing.once_in(4) ? 2 : 1;
  return dimensions(blocks / rows, rows, 1);
}

void write_kernel(KernelDraft& draft, bool has_dynamic) {
  draft.write("__shared__ unsigned s0[1024], bins[16];\n__shared__ Pair cells[1024];");
  draft.write(has_dynamic ? "extern __shared__ unsigned s1[];" : "__shared__ unsigned s1[1024];");
  if (draft.has_matrices()) draft.write("__shared__ alignas(128) unsigned rows[4096];");
  write_position(draft);
  draft.write(
      "const unsigned u0 = in[b], u1 = in[b + 100] >> 5;\n"
      "unsigned v0 = in[gid], v1 = in[gid + 1000] ^ t, v2 = u1 + t, p[8] = {v0, v1, v2, t, u0};\n"
      "unsigned* q = &p[t % 8];\n"
      "float f0 = static_cast<float>(v0 >> 16), f1 = 1.25f;\n"
      "short h0 = static_cast<short>(v1);\n"
      "bool c0 = (v2 & 8u) != 0;\n"
      "unsigned long long w0 = v0;\n"
      "Pair pair = {v2, v1 * 0.125};\n"
      "s0[t] = v0;\ns1[t] = v1;\ncells[t] = pair;\n"
      "for (unsigned i = t; i < 16; i += n) bins[i] = i;");
  if (draft.has_matrices()) draft.write("for (unsigned i = 0; i < 4; ++i) rows[4 * t + i] = v0 * (i + 1);");
  draft.write("__syncthreads();");
  write_statements(draft);
  draft.write(
      "out[gid] += v0 + v1 * 3 + v2 * 5 + sum_of(p) + *q + h0 + c0 + f_bits(f0) + 11 * f_bits(f1) + bits_of(w0, "
      "pair);");
}

struct KernelSource {
  std::string text;
  std::string launch;  // an element of the table
};

KernelSource draw_kernel(std::uint64_t seed, bool mistakes, bool matrices) {
  KernelDraft draft(seed, mistakes, matrices);
  Drawing& drawing = draft.drawing();
  draft.threads = drawing.one_of(kThreads);
  const std::string grid = draw_grid(drawing);
  const std::string block = draw_block(drawing, draft.threads);
  const bool has_dynamic = drawing.once_in(4);
  draft.body.left = drawing.between(6, 26);
  write_kernel(draft, has_dynamic);
  KernelSource source;
  for (const std::string& line : draft.written) source.text += line + "\n";
  source.text += "__global__ void " + draft.name() + "(const unsigned* in, unsigned* out) {\n";
  for (const std::string& line : draft.body.lines) source.text += line + "\n";
  source.text += "}\n\n";
  source.launch = "    {\"" + draft.name() + "\", " + draft.name() + ", " + grid + ", " + block + ", " +
                  (has_dynamic ? "1024 * sizeof(unsigned)" : "0") + "},\n";
  return source;
}

}  // namespace

std::string kernel_program(std::uint64_t seed, std::uint64_t count, bool mistakes, bool matrices) {
  std::string text = kPrologue;
  if (matrices) text += kMatrixPrologue;
  std::string launches;
  for (std::uint64_t i = 0; i < count; ++i) {
    const KernelSource source = draw_kernel(seed + i, mistakes, matrices);
    text += source.text;
    launches += source.launch;
  }
  text += "struct Launch {\n  const char* name;\n  void (*kernel)(const unsigned* in, unsigned* out);\n";
  text +=
      "  dim3 grid;\n  dim3 block;\n  unsigned shared_bytes;\n};\n\nconst Launch kLaunches[] = {\n" + launches + "};\n";
  return text + kEpilogue;
}

}  // namespace warpfiber::tools::fuzz
