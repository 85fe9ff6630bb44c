// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber-dev fuzz --regions`: the kernels as text, and what it makes of programs that differ. In place of the
// drop-in and of the programs that it builds there are scripts; tests/regions runs the real ones.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fuzz/support.hpp"
#include "tools/fuzz/fuzz.hpp"
#include "tools/fuzz/options.hpp"
#include "tools/fuzz/regions/both_forms.hpp"
#include "tools/fuzz/regions/comparison.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"
#include "tools/shards/fuzz_results.hpp"

using namespace fuzz_test;
using Catch::Matchers::ContainsSubstring;
using warpfiber::tools::Reply;
using warpfiber::tools::nvcc::content_of;
using warpfiber::tools::nvcc::ScratchFolder;
namespace shards = warpfiber::tools::shards;

namespace {

/// An installation whose drop-in says what it is told to, and builds a script in place of a program.
class ScriptedInstallation {
 public:
  ScriptedInstallation(const std::string& said, const std::string& program, const std::string& plugin = "plugin.so") {
    const std::filesystem::path real = WARPFIBER_FUZZ_PREFIX;
    std::ifstream file(real / "lib/warpfiber/toolchain.json");
    nlohmann::json toolchain = nlohmann::json::parse(file);
    toolchain["region_plugin"] = plugin;
    toolchain["region_llvm"] = "14";
    write("lib/warpfiber/toolchain.json", toolchain.dump());
    write("said", said);
    write("program", "#!/bin/sh\n" + program);
    write("bin/warpfiber", "#!/bin/sh\ncat '" + prefix() + "/said' >&2\ncp '" + prefix() + "/program' \"$7\"\n");
    for (const char* script : {"program", "bin/warpfiber"})
      std::filesystem::permissions(prefix() + "/" + script, std::filesystem::perms::owner_all);
  }

  const std::string& prefix() const { return folder_.path(); }

 private:
  void write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = std::filesystem::path(prefix()) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  ScratchFolder folder_;
};

const std::string kBothForms =
    "warpfiber nvcc: a.cu:31: kernel kernel_5(unsigned int const*, unsigned int*) runs as 9 regions\n"
    "warpfiber nvcc: a.cu:89: kernel kernel_6(unsigned int const*, unsigned int*) runs as 1 region\n"
    "warpfiber nvcc: a.cu:99: kernel kernel_7(unsigned int const*, unsigned int*) runs on fibers: it calls printf\n";

/// Kernels 5 to 7, with the script as their program.
Reply compared(const std::string& program, RegionsRequest request = {}) {
  const ScriptedInstallation installation(kBothForms, program);
  request.seed = 5;
  request.count = 3;
  return compare_with_regions(request, installation.prefix());
}

std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char character : text) hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3;
  return hash;
}

constexpr const char* kPartsOfKernels = R"(do {
break;
continue;
[[fallthrough]];
return;
__syncthreads_or(
__syncthreads_count(
__any_sync(
__ballot_sync(
__match_any_sync(
__match_all_sync(
__reduce_xor_sync(
__shfl_up_sync(
, 16)
__reduce_add_sync(mask
0xffff0000u
tiled_partition<4>
cg::reduce(
cg::inclusive_scan(
cells[t] = mixed(
extern __shared__
_f1(
atomicAdd(&bins
dim3(16, 2, 1)
dim3(8, 2, 2)
dim3(2, 2, 1)
sqrtf(
/ (v0 | 1u)
*q +=
c0 =
out[b * n +
if (__syncthreads_and()";

}  // namespace

TEST_CASE("a random kernel is the same on every machine and in every file") {
  // A change of the generator changes this number, and what the seeds in reports stand for.
  CHECK(hash_of(kernel_program(1, 40, false)) == 0xc63ad811301c7517);
  CHECK(hash_of(kernel_program(1, 40, true)) == 0x41db096415995680);
  const std::string one = kernel_program(7, 1, false);
  const std::size_t begin = one.find("__global__ void kernel_7(");
  REQUIRE(begin != std::string::npos);
  const std::string kernel = one.substr(begin, one.find("\n}\n", begin) - begin);
  CHECK_THAT(kernel_program(5, 4, false), ContainsSubstring(kernel));
}

TEST_CASE("random kernels have everything that regions are made of") {
  const std::string text = kernel_program(1, 600, false);
  CHECK(text.find('@') == std::string::npos);
  std::istringstream parts(kPartsOfKernels);
  for (std::string part; std::getline(parts, part);) {
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
  }
  const std::string wrong = kernel_program(1, 20, true);
  CHECK(wrong != kernel_program(1, 20, false));
}

TEST_CASE("a seed that is printed is a whole program") {
  const Reply reply = fuzz({"--regions", "--print", "12"}, WARPFIBER_FUZZ_PREFIX);
  CHECK(reply.status == 0);
  CHECK(reply.out == kernel_program(12, 1, false));
  CHECK_THAT(reply.out, ContainsSubstring("{\"kernel_12\", kernel_12, ") && ContainsSubstring("int main("));
  CHECK(fuzz({"--regions", "--mistakes", "--print", "12"}, WARPFIBER_FUZZ_PREFIX).out == kernel_program(12, 1, true));
  CHECK(fuzz({"--regions", "--matrices", "--print", "12"}, WARPFIBER_FUZZ_PREFIX).out ==
        kernel_program(12, 1, false, true));
}

TEST_CASE("random kernels multiply and move matrices where that is asked for") {
  const std::string text = kernel_program(1, 200, false, true);
  CHECK(text.find('@') == std::string::npos);
  for (const std::string part :
       {"mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32", "row.col.f32.bf16.bf16.f32", "ldmatrix.sync.aligned.m8n8.x4",
        "stmatrix.sync.aligned.m8n8.x2.trans", "movmatrix.sync", "wmma::mma_sync(sum, a, b, sum)", "wmma::col_major"}) {
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
    CHECK(kernel_program(1, 600, false).find(part) == std::string::npos);
  }
}

TEST_CASE("output is that of the kernel whose line follows") {
  std::string rest;
  const std::vector<std::string> kernels = output_of_kernels(
      "kernel_1 00ab\n\ndeadlock  kernel_2<<<1, 2>>>\nkernel_ 3\nkernel_2: cudaErrorX\nkernel_3 01\nerror\nkernel_4 0",
      rest);
  REQUIRE(kernels.size() == 3);
  CHECK(kernels[0] == "kernel_1 00ab\n");
  CHECK(kernels[1] == "\ndeadlock  kernel_2<<<1, 2>>>\nkernel_ 3\nkernel_2: cudaErrorX\n");
  CHECK(kernels[2] == "kernel_3 01\n");
  CHECK(rest == "error\nkernel_4 0\n");
}

TEST_CASE("kernels that print the same both ways are counted by what became of them") {
  const Reply reply = compared("test \"$WARPFIBER_WORKERS\" = 1 && printf 'kernel_5 a\\nkernel_6 b\\nkernel_7 c\\n'");
  CHECK(reply.status == 0);
  CHECK(reply.err.empty());
  CHECK(reply.out ==
        "3 kernels from seed 5: no difference between fibers and regions\n"
        "  2 ran as regions, 1 on fibers only\n"
        "    1: it calls printf\n");
}

TEST_CASE("a kernel that prints something else as regions is named, and its file kept") {
  const ScratchFolder folder;
  RegionsRequest request;
  request.keep = folder.path() + "/kept";
  const Reply reply = compared(
      "echo kernel_5 a\ntest $WARPFIBER_REGIONS = off && echo oops >&2\necho kernel_6 $WARPFIBER_REGIONS\n"
      "echo kernel_7 c",
      request);
  CHECK(reply.status == 1);
  CHECK_THAT(reply.out, ContainsSubstring("seed 6: fibers and regions differ\n"
                                          "  fibers   oops\n  regions  kernel_6 on\n"
                                          "  the kernel: warpfiber-dev fuzz --regions --print 6\n"));
  CHECK_THAT(reply.out, ContainsSubstring("3 kernels from seed 5: 1 differ\n"));
  CHECK(content_of(request.keep + "/regions_5.cu") == kernel_program(5, 3, false));
}

TEST_CASE("a kernel that fails one way only is one difference") {
  const Reply reply = compared(
      "echo kernel_5 a\nif test $WARPFIBER_REGIONS = on; then echo 'kernel_6: cudaErrorX'; else echo kernel_6 b; fi\n"
      "echo kernel_7 c\ntest $WARPFIBER_REGIONS = off");
  CHECK(reply.status == 1);
  CHECK_THAT(reply.out, ContainsSubstring("  fibers   kernel_6 b\n  regions  kernel_6: cudaErrorX\n") &&
                            ContainsSubstring(" 1 differ\n"));
}

TEST_CASE("a run that ends or stays in a kernel is a difference, and the kernels behind it run all the same") {
  const std::string all = "test $1 -le 0 && echo kernel_5 a\ntest $1 -le 1 && echo kernel_6 b\necho kernel_7 c\n";
  const Reply ends = compared("if test $WARPFIBER_REGIONS$1 = on0; then echo kernel_5 a; exit 9; fi\n" + all);
  CHECK(ends.status == 1);
  CHECK_THAT(ends.out, ContainsSubstring("seed 6: fibers and regions differ\n  fibers   kernel_6 b\n"
                                         "  regions  (ends with exit code 9)\n") &&
                           ContainsSubstring(" 1 differ"));
  RegionsRequest request;
  request.most_seconds = 1;
  const Reply stays = compared("while test $WARPFIBER_REGIONS$1 = on0; do :; done\n" + all, request);
  CHECK(stays.status == 1);
  CHECK_THAT(stays.out, ContainsSubstring("seed 5: fibers and regions differ\n  fibers   kernel_5 a\n"
                                          "  regions  (does not end, and is killed)\n") &&
                            ContainsSubstring(" 1 differ"));
  const Reply same = compared("test $1 = 0 && exit 9\necho kernel_6 b\necho kernel_7 c\n");
  CHECK(same.status == 0);
  const Reply code = compared(all + "test $WARPFIBER_REGIONS = off");
  CHECK(code.status == 1);
  CHECK_THAT(code.out, ContainsSubstring("fibers   (ends with exit code 0)\n  regions  (ends with exit code 1)"));
}

TEST_CASE("without a compiler for regions it is said what to install") {
  RegionsRequest request;
  const ScriptedInstallation no_compiler("warpfiber nvcc: -fregions has no effect: no clang++ of version 14\n", "");
  const Reply compiler = compare_with_regions(request, no_compiler.prefix());
  CHECK(compiler.status == 2);
  CHECK(compiler.out.empty());
  CHECK(
      compiler.err ==
      "warpfiber-dev fuzz: --regions: kernels cannot be compiled as regions (apt install clang-14; docs/regions.md):\n"
      "warpfiber nvcc: -fregions has no effect: no clang++ of version 14\n");
  const ScriptedInstallation no_plugin("", "", "");
  const Reply plugin = compare_with_regions(request, no_plugin.prefix());
  CHECK(plugin.status == 2);
  CHECK_THAT(plugin.err,
             ContainsSubstring("without the plugin for clang++") && ContainsSubstring("apt install clang llvm-dev"));
  const ScratchFolder empty;
  CHECK_THAT(compare_with_regions(request, empty.path()).err, ContainsSubstring("toolchain.json"));
}

TEST_CASE("a file that cannot be built is named, and the others are compared") {
  const ScriptedInstallation broken("a.cu:3: error: no\n", "");
  RegionsRequest request;
  request.count = 3;
  request.in_a_file = 2;
  const Reply reply = compare_with_regions(request, broken.prefix());
  CHECK(reply.status == 2);
  CHECK_THAT(reply.err, ContainsSubstring("seeds 1 to 2 cannot be built (exit code 0):\na.cu:3: error: no") &&
                            ContainsSubstring("seeds 3 to 3 cannot be built"));
  // What was compiled is no use where it could not be joined to the program.
  const ScriptedInstallation apart(
      kBothForms + "warpfiber nvcc: a.cu: without regions: the two objects cannot be joined\n", "echo kernel_1 a");
  request.in_a_file = 3;
  const Reply joined = compare_with_regions(request, apart.prefix());
  CHECK(joined.status == 2);
  CHECK_THAT(joined.err, ContainsSubstring("seeds 1 to 3 cannot be built") && ContainsSubstring("cannot be joined"));
  const ScriptedInstallation fewer(kBothForms, "echo kernel_1 a");
  request.count = 4;
  request.in_a_file = 4;
  CHECK(compare_with_regions(request, fewer.prefix()).status == 2);
  request.keep = broken.prefix() + "/said/x";
  CHECK_THAT(compare_with_regions(request, broken.prefix()).err, ContainsSubstring("--keep: "));
}

TEST_CASE("a shard of kernels goes on with those that could not be built, and keeps what was compared") {
  const ScriptedInstallation broken("a.cu:3: error: no\n", "");
  const ScriptedInstallation whole(kBothForms, "for k in 5 6 7; do echo kernel_$k a; done");
  const ScratchFolder folder;
  RegionsRequest request;
  request.seed = 5;
  request.count = 3;
  const auto compared_by = [&](const ScriptedInstallation& installation, shards::ShardProgress& progress) {
    shards::StateFile state(folder.path() + "/part.json", {"fuzz", "", "", "", ""}, {{1, 1}, {5, 3}});
    REQUIRE(state.open(document_of(shards::FuzzResults{}), shards::read_fuzz_document).empty());
    const Reply reply = compare_with_regions(request, installation.prefix(), &state);
    progress = state.progress();
    return reply;
  };
  shards::ShardProgress progress;
  CHECK(compared_by(broken, progress).status == 2);
  CHECK(progress.ran == 0);
  CHECK(compared_by(whole, progress).status == 0);
  CHECK(progress.ran == 3);
  CHECK(progress.end == shards::ShardEnd::all);
  const Reply again = compared_by(broken, progress);
  CHECK(again.status == 0);
  CHECK_THAT(again.out, ContainsSubstring("3 kernels from seed 5: no difference") &&
                            ContainsSubstring("2 ran as regions, 1 on fibers only\n    1: it calls printf"));
}

TEST_CASE("options of regions go with --regions, and those of devices do not") {
  const ParsedFuzzOptions parsed = parse({"--regions", "--in-a-file", "7", "--seed", "9", "--mistakes", "--keep", "x"});
  REQUIRE((!parsed.reply && parsed.options.regions));
  CHECK(parsed.options.regions->in_a_file == 7);
  CHECK(parsed.options.regions->seed == 9);
  CHECK(parsed.options.regions->count == 100);
  CHECK(parsed.options.regions->mistakes);
  CHECK(parsed.options.regions->keep == "x");
  CHECK(parse({"--regions", "--count", "7"}).options.regions->count == 7);
  CHECK(parse({}).options.count == 1000);
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--in-a-file", "7"},
                                                {"--mistakes"},
                                                {"--keep", "x"},
                                                {"--in-a-file", "0", "--regions"},
                                                {"--regions", "--against", "model"},
                                                {"--regions", "--record", "x"},
                                                {"--regions", "--recordings", "x"}}) {
    INFO(wrong.front());
    const ParsedFuzzOptions refused = parse(wrong);
    REQUIRE(refused.reply);
    CHECK(refused.reply->status == 2);
    CHECK_THAT(refused.reply->err, ContainsSubstring(wrong.front()));
  }
}
