// SPDX-License-Identifier: Apache-2.0
//
// What the user's text tells of a program, and the command line of `warpfiber crosscheck`.
#include "tools/crosscheck/sources.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/catch.hpp"
#include "tools/crosscheck/crosscheck.hpp"
#include "tools/crosscheck/explain.hpp"

using Catch::Matchers::ContainsSubstring;
using namespace warpfiber::tools::crosscheck;
namespace fs = std::filesystem;

namespace {

/// The type of a copy that a call in the middle of this text makes.
std::string type_in(const std::string& declarations, const std::string& call) {
  Sources sources;
  sources.files.push_back({"app.cu", declarations + "\n" + call + "\nint rest;\n"});
  Copy copy;
  const std::size_t name = call.find("cudaMemcpy");
  copy.function = call.substr(name, call.find('(', name) - name);
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
  CHECK(type_in("", "check(cudaMemcpy(h, d, sizeof( unsigned  int ) * n, kind));") == "uint32");
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

TEST_CASE("what a call counts with gives no type, and a template's parameter has none") {
  const std::string call = "CHECK(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));";
  CHECK(type_in("template <class T> std::vector<T> host_copy(const T* device, size_t count) {", call).empty());
  CHECK(type_in("size_t count; Cell* d;", "cudaMemcpy(h, d, count, cudaMemcpyDeviceToHost);").empty());
  CHECK(type_in("float h[4]; size_t count;", "cudaMemcpy(p, d, sizeof(h), kind);") == "float");
  CHECK(type_in("int w; float* d;", "cudaMemcpy2D(h, w, d, pitch, w, 3, kind);") == "float");
}

TEST_CASE("what else stands in the line of a call says nothing of it") {
  CHECK(type_in("float* i;", "for (int i = 0; i < 1; ++i) cudaMemcpy(h, d, 64 * sizeof(int), kind);") == "int32");
  CHECK(type_in("", "k<<<1, 64>>>(d, sizeof(float)); cudaMemcpy(h, d, 64 * sizeof(int), kind);") == "int32");
  CHECK(
      type_in("", "/* sizeof(float) */ cudaMemcpy(h, d, n * 4 /* sizeof(float) */, kind); f(sizeof(float));").empty());
  CHECK(type_in("", "cudaMemcpy(a, b, sizeof(int), kind); cudaMemcpy(c, d, sizeof(float), kind);").empty());
  CHECK(type_in("", "cudaMemcpy(a, b, sizeof(int), kind); cudaMemcpy(c, d, sizeof(int), kind);") == "int32");
}

TEST_CASE("a call is found in the middle of its statement") {
  Sources sources;
  sources.files.push_back(
      {"app.cu", "void f() {\n  check(\n    cudaMemcpy(h, d,\n      n * sizeof(float), kind));\n}"});
  Copy copy;
  copy.function = "cudaMemcpy";
  for (const char* const line : {"2", "3", "4"}) {
    copy.place = std::string("app.cu:") + line;
    CHECK(type_of(copy, sources) == "float");
  }
  copy.place = "app.cu:5";
  CHECK(type_of(copy, sources).empty());
}

TEST_CASE("a name means what is declared last and visible where the call is") {
  const std::string call = "cudaMemcpy(h, d, n, kind);";
  CHECK(type_in("__global__ void k(float* d) { d[0] = 1; } int main() { int* d;", call) == "int32");
  CHECK(type_in("float* d; int main() { { int* d; } f(d);", call) == "float");
  CHECK(type_in("float* d; int main() { for (int d = 0; d < 3; ++d) { } f(int{3});", call) == "float");
  CHECK(type_in("float* d; template <class T> void f() { T* d; T h[4];", call).empty());
  CHECK(type_in("float* d; void f(void* h, const void* d) {", call).empty());
  CHECK(type_in("float* h; int* d;", call).empty());
  CHECK(type_in("float *x = f(1, 2), *d{nullptr};", call) == "float");
  CHECK(type_in("struct P { float* d; }; void f(float* d);", call).empty());
  CHECK(type_in("float* d[4];", call).empty());
  CHECK(type_in("float** d;", call).empty());
  CHECK(type_in("int n; int y = n * 2; float* const d = nullptr;", call) == "float");
}

TEST_CASE("casts are looked through, members and functions are not") {
  const std::string declarations =
      "std::unique_ptr<float[]> u; std::array<float, 4> h; float* d; std::pair<int, float> p;";
  CHECK(type_in(declarations, "cudaMemcpy((void*)u.get(), x, n, kind);") == "float");
  CHECK(type_in(declarations, "cudaMemcpy(static_cast<void*>(h.data() + 1), x, n, kind);") == "float");
  CHECK(type_in(declarations, "cudaMemcpy(&h[2], x, n, kind);") == "float");
  CHECK(type_in(declarations, "cudaMemcpy(d->x, x, n, kind);").empty());
  CHECK(type_in(declarations, "cudaMemcpy(&d.x, x, n, kind);").empty());
  CHECK(type_in(declarations, "cudaMemcpy(d(), x, n, kind);").empty());
  CHECK(type_in(declarations, "cudaMemcpy(&p, x, n, kind);").empty());
}

TEST_CASE("the type of a box is that of the pointers in its parameters, as they are set last") {
  const std::string declared = "float* h; int* i; void* v; cudaMemcpy3DParms p = {}; ";
  const std::string call = "cudaMemcpy3D(&p);";
  CHECK(type_in(declared + "p.dstPtr = make_cudaPitchedPtr((void*)h, 4 * f(1, 2), 8, 8);", call) == "float");
  CHECK(type_in(declared + "p.dstPtr.ptr = h; p.srcPtr = pitched;", "check(cudaMemcpy3DAsync(&p, s));") == "float");
  CHECK(type_in(declared + "p.extent = make_cudaExtent(n * sizeof(double), 2, 2);", call) == "double");
  CHECK(type_in(declared + "p.dstPtr.ptr = i; p.dstPtr.ptr = h;", call) == "float");
  CHECK(type_in(declared + "cudaMemcpy3DParms* q = &p; q->dstPtr.ptr = h;", "cudaMemcpy3D(q);").empty());
  CHECK(type_in(declared + "p.dstPtr.ptr = h; p.srcPtr.ptr = i;", call).empty());
  CHECK(type_in(declared + "p.dstPtr.ptr = h; p.extent = make_cudaExtent(sizeof(Cell), 2, 2);", call).empty());
  CHECK(type_in(declared + "p.dstPtr.ptr = v;", call).empty());
  CHECK(type_in("float* h; void f(cudaMemcpy3DParms* p) {", call).empty());
  CHECK(type_in("float* h; cudaMemcpy3DParms p; p.dstPtr.ptr = h; } void g() { cudaMemcpy3DParms p;", call).empty());
}

TEST_CASE("names of types of the user's are followed where there is one meaning") {
  const std::string call = "cudaMemcpy(h, d, n * sizeof(real), kind);";
  CHECK(type_in("using real = float;", call) == "float");
  CHECK(type_in("typedef double real;", call) == "double");
  CHECK(type_in("typedef double real; namespace a { using real = float; }", call).empty());
  CHECK(type_in("using real = float; template <class real> void f() {", call).empty());
}

TEST_CASE("managed memory has the type that all of its allocations have") {
  Copy copy;
  copy.managed = true;
  copy.function = "cudaMallocManaged";
  const auto type = [&copy](const std::string& text) {
    Sources sources;
    sources.files.push_back({"app.cu", text});
    return type_of(copy, sources);
  };
  CHECK(type("int main() { int* d; cudaMallocManaged(&d, 4); }") == "int32");
  CHECK(type("int main() { float* d; cudaMallocManaged((void**)&d, n); cudaMallocManaged(&d, n); }") == "float");
  CHECK(type("int main() { float* d; int* e; cudaMallocManaged(&d, n); cudaMallocManaged(&e, n); }").empty());
  CHECK(type("void* alloc(size_t n) { void* p; cudaMallocManaged(&p, n); return p; }").empty());
  CHECK(type("int main() { cudaMallocManaged(reinterpret_cast<void**>(&p), n * sizeof(float)); }") == "float");
  CHECK(type("int main() {}").empty());
}

TEST_CASE("a program's hash is of its files and of what they include of the user's, and of nothing else") {
  const Folder folder;
  warpfiber::tools::nvcc::NvccOptions program;
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
  const auto parsed = parse({"-O3", "--ulp=7", "a.cu", "--replay", "there", "-DN=3", "--", "--ulp", "9"});
  REQUIRE(parsed.error.empty());
  CHECK(parsed.options.ulp == 7);
  CHECK(parsed.options.replay == "there");
  CHECK(parsed.options.words == std::vector<std::string>{"-O3", "a.cu", "-DN=3"});
  CHECK(parsed.options.arguments == std::vector<std::string>{"--ulp", "9"});
  CHECK_FALSE(parsed.options.is_gallery());
  CHECK(parse({"--replay", "there", "--", "saxpy"}).options.is_gallery());
}

TEST_CASE("a command line that makes no sense is refused with what is wrong") {
  CHECK_THAT(error_of({"--replay"}), ContainsSubstring("needs a value"));
  CHECK_THAT(error_of({"--ulp", "many", "a.cu"}), ContainsSubstring("units in the last place"));
  CHECK_THAT(error_of({"--as", "char", "a.cu"}), ContainsSubstring("one of float, double, half, bfloat16 and int"));
  CHECK_THAT(error_of({"-O3"}), ContainsSubstring("no CUDA file"));
  CHECK_THAT(error_of({"--build-only", "a", "a.cu"}),
             ContainsSubstring("'--build-only' is an option of warpfiber-dev record"));
  CHECK_THAT(error_of({"app.o"}), ContainsSubstring("is not a source file"));
  CHECK_THAT(error_of({"-o", "app", "a.cu"}), ContainsSubstring("-o is not supported"));
  CHECK_THAT(error_of({"--nonsense", "a.cu"}), ContainsSubstring("unknown option '--nonsense'"));
}

TEST_CASE("a recording needs a folder, or a program for another machine") {
  const auto error = [](const std::vector<std::string>& words) { return parse_recording(words).error; };
  CHECK(parse_recording({"--to", "there", "a.cu"}).options.record == "there");
  CHECK(parse_recording({"--to", "there"}).options.is_gallery());
  CHECK_THAT(error({"a.cu"}), ContainsSubstring("--to DIR is missing"));
  CHECK_THAT(error({"--to", "a", "--build-only", "b", "a.cu"}), ContainsSubstring("use only one of"));
  CHECK_THAT(error({"--build-only", "a"}), ContainsSubstring("needs a program"));
  CHECK_THAT(error({"--ulp", "4", "--to", "a", "a.cu"}), ContainsSubstring("an option of warpfiber crosscheck"));
}
