// SPDX-License-Identifier: Apache-2.0
//
// What the user's text tells of a program, and the command line of `warpfiber crosscheck`.
#include "tools/crosscheck/sources.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/catch.hpp"
#include "tools/crosscheck/explain.hpp"
#include "tools/crosscheck/options.hpp"

using Catch::Matchers::ContainsSubstring;
using namespace warpfiber::tools::crosscheck;
namespace fs = std::filesystem;

namespace {

/// The type of a copy that a call in the middle of this text makes.
std::string type_in(const std::string& declarations, const std::string& call) {
  Sources sources;
  sources.files.push_back({"app.cu", declarations + "\n" + call + "\nint rest;\n"});
  Copy copy;
  copy.place = "src/app.cu:2";
  return type_of(copy, sources);
}

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / fmt::format("warpfiber-sources-{}", getpid())) {
    fs::create_directories(path_ / "inc");
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string write(const char* name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  std::string path(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string error_of(const std::vector<std::string>& arguments) {
  return parse(arguments).error;
}

}  // namespace

TEST_CASE("the type of a copy is what the call takes the size of") {
  CHECK(type_in("", "cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);") == "float");
  CHECK(type_in("", "check(cudaMemcpy(h, d, sizeof( unsigned  int ) * n,") == "uint32");
  CHECK(type_in("", "cudaMemcpy(h, d, n * sizeof(double4), kind);") == "double");
}

TEST_CASE("else it is what one of its pointers is declared to point to") {
  const std::string call = "cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);";
  CHECK(type_in("std::vector<float> h(10);", call) == "float");
  CHECK(type_in("double *x, *d;", call) == "double");
  CHECK(type_in("const __half* d;", call) == "half");
  CHECK(type_in("unsigned char h[16];", call) == "uint8");
  CHECK(type_in("struct Cell { int a; }; Cell* d;", call).empty());
  CHECK(type_in("", call).empty());
}

TEST_CASE("what a call counts with tells no type, and a template's parameter has none") {
  const std::string call = "CHECK(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));";
  CHECK(type_in("std::vector<T> host_copy(const T* device, size_t count) {", call).empty());
  CHECK(type_in("size_t count; Cell* d;", "cudaMemcpy(h, d, count, cudaMemcpyDeviceToHost);").empty());
  CHECK(type_in("float h[4]; size_t count;", "cudaMemcpy(p, d, sizeof(h), kind);") == "float");
  CHECK(type_in("int w; float* d;", "cudaMemcpy2D(h, w, d, pitch, w, 3, kind);") == "float");
}

TEST_CASE("a program's hash is of its files and of what they include of the user's, and of nothing else") {
  const Folder folder;
  warpfiber::tools::nvcc::Options program;
  program.inputs = {folder.write("a.cu", "#include \"a.h\"\n#include <stdio.h>\n#include <b.h>\nint main() {}\n")};
  program.preprocessing = {"-I" + folder.path("inc"), "-DN=3"};
  folder.write("a.h", "int a;\n");
  folder.write("inc/b.h", "#include \"../a.h\"\n");
  const Sources first = read_sources(program);
  CHECK(first.files.size() == 3);
  CHECK(first.options == "-DN=3");
  CHECK(read_sources(program).hash == first.hash);
  folder.write("inc/b.h", "#include \"../a.h\"\n\n");
  CHECK(read_sources(program).hash != first.hash);
}

TEST_CASE("why floats may differ is read from the text") {
  Sources sources;
  CHECK_THAT(reasons(sources, false), ContainsSubstring("-fmad=false"));
  CHECK_THAT(reasons(sources, false), !ContainsSubstring("atomics"));
  sources.files.push_back({"a.cu", "atomicAdd(sum, expf(x));"});
  CHECK_THAT(reasons(sources, false), ContainsSubstring("atomics") && ContainsSubstring("mathematical library"));
  CHECK_THAT(reasons(sources, true), ContainsSubstring("-use_fast_math"));
}

TEST_CASE("options of crosscheck and of nvcc stand in any order before the program's arguments") {
  const Parsed parsed = parse({"-O3", "--ulp=7", "a.cu", "--replay", "there", "-DN=3", "--", "--ulp", "9"});
  REQUIRE(parsed.error.empty());
  CHECK(parsed.options.ulp == 7);
  CHECK(parsed.options.replay == "there");
  CHECK(parsed.options.words == std::vector<std::string>{"-O3", "a.cu", "-DN=3"});
  CHECK(parsed.options.arguments == std::vector<std::string>{"--ulp", "9"});
  CHECK_FALSE(parsed.options.is_gallery());
  CHECK(parse({"--replay", "there", "--", "saxpy"}).options.is_gallery());
}

TEST_CASE("a command line that makes no sense is refused with what is wrong") {
  CHECK_THAT(error_of({"--record", "a", "--replay", "b", "a.cu"}), ContainsSubstring("name one"));
  CHECK_THAT(error_of({"--record"}), ContainsSubstring("needs a value"));
  CHECK_THAT(error_of({"--ulp", "many", "a.cu"}), ContainsSubstring("units in the last place"));
  CHECK_THAT(error_of({"-O3"}), ContainsSubstring("no CUDA file"));
  CHECK_THAT(error_of({"--build-only", "a"}), ContainsSubstring("needs a program"));
  CHECK_THAT(error_of({"app.o"}), ContainsSubstring("is no source"));
  CHECK_THAT(error_of({"-o", "app", "a.cu"}), ContainsSubstring("-o has no meaning"));
  CHECK_THAT(error_of({"--nonsense", "a.cu"}), ContainsSubstring("unknown option '--nonsense'"));
}
