// SPDX-License-Identifier: Apache-2.0
//
// g++ says `a.cu:3:10: fatal error: cudnn.h: No such file or directory`, clang++ `a.cu:3:10: fatal error: 'cudnn.h'
// file not found`. Of a name g++ says `‘cudnnCreate’ was not declared in this scope`, `‘cudnnHandle_t’ does not name a
// type` or `has not been declared`, clang++ `use of undeclared identifier 'cudnnCreate'` or `unknown type name`.
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

constexpr HeaderOfLibrary kHeaders[] = {
    {"cudnn", "cuDNN"},
    {"cufftw", "cuFFT's interface of FFTW"},
    {"curand_mtgp32dc_p_11213.h", "parameter sets for MTGP32. A CUDA toolkit has them: -I/usr/local/cuda/include"},
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
    {"thrust/", "Thrust"},
    {"cub/", "CUB"},
    {"cutlass/", "CUTLASS"},
    {"cute/", "CuTe"},
    {"cudaEGL", "EGL interoperability"},
    {"cuda_egl_interop", "EGL interoperability"},
    {"cudaVDPAU", "VDPAU interoperability"},
    {"cuda_vdpau_interop", "VDPAU interoperability"},
};

/// Names of functions, types and constants begin with these. Those of NPP and the like are short, and may be the user's
/// own; libraries whose functions are all declared need no line.
constexpr HeaderOfLibrary kNames[] = {
    {"CUBLASLT_", "cuBLASLt"}, {"cudnn", "cuDNN"},
    {"CUDNN_", "cuDNN"},       {"cutensor", "cuTENSOR"},
    {"cupti", "CUPTI"},        {"nccl", "NCCL"},
    {"nvml", "NVML"},          {"nvrtc", "NVRTC"},
    {"nvjpeg", "nvJPEG"},      {"mtgp32dc_", "a CUDA toolkit (curand_mtgp32dc_p_11213.h)"},
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

/// The name that a line of the compiler says is not declared; empty where it says something else.
std::string_view undeclared_name_in(std::string_view line) {
  constexpr std::string_view kBefore[] = {" error: use of undeclared identifier '", " error: unknown type name '"};
  constexpr std::string_view kBehind[] = {" was not declared in this scope", " does not name a type",
                                          " has not been declared"};
  constexpr std::string_view kOpen[] = {" error: ‘", " error: '"};
  constexpr std::string_view kClose[] = {"’", "'"};
  for (const std::string_view before : kBefore) {
    const std::size_t at = line.find(before);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = line.substr(at + before.size());
    return rest.substr(0, rest.find('\''));
  }
  for (std::size_t quotes = 0; quotes < std::size(kOpen); ++quotes) {
    const std::size_t at = line.find(kOpen[quotes]);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = line.substr(at + kOpen[quotes].size());
    const std::size_t close = rest.find(kClose[quotes]);
    if (close == std::string_view::npos) continue;
    const std::string_view behind = rest.substr(close + kClose[quotes].size());
    const auto begins = [behind](std::string_view words) { return behind.starts_with(words); };
    if (std::ranges::any_of(kBehind, begins)) return rest.substr(0, close);
  }
  return {};
}

/// Nothing where the name is of no library that is listed.
template <std::size_t kSize>
const HeaderOfLibrary* library_of(const HeaderOfLibrary (&known)[kSize], std::string_view name) {
  const auto* const found = std::find_if(std::begin(known), std::end(known),
                                         [name](const HeaderOfLibrary& one) { return name.starts_with(one.prefix); });
  return name.empty() || found == std::end(known) ? nullptr : found;
}

/// What is missing by a line of the compiler's; empty where nothing is.
std::string missing_in(std::string_view line) {
  const std::string_view header = header_in(line);
  if (const HeaderOfLibrary* const library = library_of(kHeaders, header)) {
    return "<" + std::string(header) + "> is not there: Warpfiber has no " + std::string(library->library);
  }
  const std::string_view name = undeclared_name_in(line);
  const HeaderOfLibrary* const library = library_of(kNames, name);
  if (library == nullptr) return {};
  return std::string(name) + " is not there: either a header of " + std::string(library->library) +
         " is not included, or Warpfiber does not have it";
}

}  // namespace

std::vector<std::string> missing_libraries(const std::string& messages) {
  std::vector<std::string> lines;
  const std::string text = without_colours(messages);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    std::string said = missing_in(line);
    if (said.empty()) continue;
    if (std::ranges::find(lines, said) == lines.end()) lines.push_back(std::move(said));
  }
  return lines;
}

}  // namespace warpfiber::tools::nvcc
