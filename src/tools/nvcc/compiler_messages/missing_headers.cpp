// SPDX-License-Identifier: Apache-2.0
//
// g++ says `a.cu:3:10: fatal error: cudnn.h: No such file or directory`, clang++ `a.cu:3:10: fatal error: 'cudnn.h'
// file not found`.
#include "tools/nvcc/compiler_messages/missing_headers.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "tools/nvcc/compiler_messages/message_lines.hpp"

namespace warpfiber::tools::nvcc {
namespace {

struct HeaderOfLibrary {
  std::string_view prefix;  // of the header's name in an #include
  std::string_view library;
};

// Longer prefixes before those that they begin with.
constexpr HeaderOfLibrary kHeaders[] = {
    {"cublasLt", "cuBLASLt"},
    {"cublas", "cuBLAS"},
    {"cudnn", "cuDNN"},
    {"cufft", "cuFFT"},
    {"curand_mtgp32", "the generator MTGP32 of cuRAND"},
    {"cusolverMg", "cuSOLVER for several devices"},
    {"cusolverRf", "cuSOLVER's refactorisation"},
    {"cusolver", "cuSOLVER"},
    {"cusparse", "cuSPARSE"},
    {"cutensor", "cuTENSOR"},
    {"cufile", "cuFile"},
    {"cupti", "CUPTI"},
    {"nccl", "NCCL"},
    {"nvml", "NVML"},
    {"npp", "NPP"},
    {"nvjpeg", "nvJPEG"},
    {"nvshmem", "NVSHMEM"},
    {"nvrtc", "NVRTC: programs are compiled before they run"},
    {"nvJitLink", "nvJitLink: programs are compiled before they run"},
    {"optix", "OptiX"},
    {"mma.h", "matrix functions of warps (wmma)"},
    {"crt/mma.h", "matrix functions of warps (wmma)"},
    {"thrust/", "Thrust"},
    {"cub/", "CUB"},
    {"cutlass/", "CUTLASS"},
    {"cute/", "CuTe"},
    {"cudaGL", "OpenGL interoperability"},
    {"cuda_gl_interop", "OpenGL interoperability"},
    {"cudaEGL", "EGL interoperability"},
    {"cuda_egl_interop", "EGL interoperability"},
    {"cudaVDPAU", "VDPAU interoperability"},
    {"cuda_vdpau_interop", "VDPAU interoperability"},
    {"cuda_fp4", "numbers of 4 bits"},
    {"cuda_fp6", "numbers of 6 bits"},
};

constexpr std::string_view kFatal = "fatal error: ";
constexpr std::string_view kNotFound[] = {": No such file or directory", " file not found"};

/// The header that a line of the compiler says is missing; empty where it says something else.
std::string_view header_in(std::string_view line) {
  const std::size_t error = line.find(kFatal);
  if (error == std::string_view::npos) return {};
  std::string_view rest = line.substr(error + kFatal.size());
  for (const std::string_view ending : kNotFound) {
    if (!rest.ends_with(ending)) continue;
    rest.remove_suffix(ending.size());
    if (rest.size() > 2 && rest.front() == '\'' && rest.back() == '\'') rest = rest.substr(1, rest.size() - 2);
    return rest;
  }
  return {};
}

}  // namespace

std::vector<std::string> missing_libraries(const std::string& messages) {
  std::vector<std::string> lines;
  const std::string text = without_colours(messages);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    const std::string_view header = header_in(line);
    const auto known = std::find_if(std::begin(kHeaders), std::end(kHeaders), [header](const HeaderOfLibrary& one) {
      return !header.empty() && header.starts_with(one.prefix);
    });
    if (known == std::end(kHeaders)) continue;
    std::string said = "<" + std::string(header) + "> is not there: Warpfiber has no " + std::string(known->library);
    if (std::ranges::find(lines, said) == lines.end()) lines.push_back(std::move(said));
  }
  return lines;
}

}  // namespace warpfiber::tools::nvcc
