// SPDX-License-Identifier: Apache-2.0
//
// Which of the compiler's messages say that a library of NVIDIA's is not there.
#include "tools/nvcc/compiler_messages/missing_headers.hpp"

#include "support/catch.hpp"

namespace warpfiber::tools::nvcc {

using Lines = std::vector<std::string>;

TEST_CASE("a header that is not found is told by its library, in the words of either compiler") {
  const auto* const said = GENERATE(
      "a.cu:3:10: fatal error: cudnn.h: No such file or directory\n    3 | #include <cudnn.h>\n",
      "a.cu:3:10: fatal error: 'cudnn.h' file not found\n#include <cudnn.h>\n",
      "\x1b[01m\x1b[Ka.cu:3:10:\x1b[m\x1b[K \x1b[01;31m\x1b[Kfatal error: \x1b[m\x1b[Kcudnn.h: No such file or "
      "directory\n");
  CHECK(missing_libraries(said) == Lines{"<cudnn.h> is not there: Warpfiber has no cuDNN"});
}

TEST_CASE("the beginning of a header's name identifies the library") {
  const std::string end = ": No such file or directory\n";
  CHECK(missing_libraries("a.cu:1:1: fatal error: cufftw.h" + end) ==
        Lines{"<cufftw.h> is not there: Warpfiber has no cuFFT's interface of FFTW"});
  CHECK(missing_libraries("a.cu:1:1: fatal error: cub/cub.cuh" + end + "b.cu:1:1: fatal error: cudaEGL.h" + end) ==
        Lines{"<cub/cub.cuh> is not there: Warpfiber has no CUB",
              "<cudaEGL.h> is not there: Warpfiber has no EGL interoperability"});
}

TEST_CASE("a name that is not declared is told by its library, in the words of either compiler") {
  const auto* const said = GENERATE(
      "a.cu:3:5: error: ‘cudnnFoo’ was not declared in this scope; did you mean ‘cudnnCreate’?\n",
      "a.cu:3:5: error: 'cudnnFoo' was not declared in this scope\n",
      "a.cu:3:1: error: ‘cudnnFoo’ does not name a type\n", "a.cu:3:9: error: ‘cudnnFoo’ has not been declared\n",
      "a.cu:3:5: error: use of undeclared identifier 'cudnnFoo'\n",
      "a.cu:3:5: error: use of undeclared identifier 'cudnnFoo'; did you mean 'cudnnFop'?\n",
      "a.cu:3:1: error: unknown type name 'cudnnFoo'\n");
  CHECK(missing_libraries(said) ==
        Lines{"cudnnFoo is not there: either a header of cuDNN is not included, or Warpfiber does not have it"});
  CHECK(
      missing_libraries("a.cu:1:1: error: ‘CUDNN_DATA_FLOAT’ was not declared in this scope\n") ==
      Lines{"CUDNN_DATA_FLOAT is not there: either a header of cuDNN is not included, or Warpfiber does not have it"});
}

TEST_CASE("MTGP32's parameter sets are in a header of a toolkit") {
  CHECK(
      missing_libraries("a.cu:1:1: fatal error: 'curand_mtgp32dc_p_11213.h' file not found\n") ==
      Lines{"<curand_mtgp32dc_p_11213.h> is not there: Warpfiber has no parameter sets for MTGP32. A CUDA toolkit has "
            "them: -I/usr/local/cuda/include"});
  CHECK(missing_libraries("a.cu:1:1: error: ‘mtgp32dc_params_fast_11213’ was not declared in this scope\n") ==
        Lines{"mtgp32dc_params_fast_11213 is not there: either a header of a CUDA toolkit (curand_mtgp32dc_p_11213.h) "
              "is not included, or Warpfiber does not have it"});
}

TEST_CASE("nothing is said of other headers, other errors and what is said twice") {
  CHECK(missing_libraries("a.cu:1:1: fatal error: mine.h: No such file or directory\n").empty());
  CHECK(missing_libraries("a.cu:1:1: error: 'mine' was not declared in this scope\n").empty());
  CHECK(missing_libraries("a.cu:1:1: error: 'cublasCreate' was not declared in this scope\n").empty());
  CHECK(missing_libraries("a.cu:1:1: error: no matching function for call to ‘cublasCreate()’\n").empty());
  const std::string twice = "a.cu:1:1: fatal error: nccl.h: No such file or directory\n";
  CHECK(missing_libraries(twice + twice).size() == 1);
}

}  // namespace warpfiber::tools::nvcc
