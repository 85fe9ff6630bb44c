// SPDX-License-Identifier: Apache-2.0
#include "tools/nvcc/messages.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"

using warpfiber::tools::nvcc::are_same_errors;
using warpfiber::tools::nvcc::with_names_of_user;
using warpfiber::tools::nvcc::without_follow_ups;
using warpfiber::translate::NamedLines;

namespace {

const std::vector<NamedLines> kKernels{{"k", "a.cu", 2, 9}, {"other", "a.cu", 12, 20}};
const std::vector<NamedLines> kVariables{{"s", "a.cu", 3, 3}, {"t", "a.cu", 5, 6}};

const char* const kUnknownSize =
    "a.cu: In function ‘void k(int*)’:\n"
    "a.cu:3:20: error: ‘SIZE’ was not declared in this scope\n"
    "    3 |   __shared__ int s[SIZE];\n"
    "      |                    ^~~~\n";
const char* const kFollowUp =
    "a.cu:4:3: error: ‘s’ was not declared in this scope\n"
    "    4 |   s[0] = 1;\n"
    "      |   ^\n";

}  // namespace

TEST_CASE("an error of the program as it is written speaks for those at its line") {
  CHECK(are_same_errors("a.cu:3:20: error: unknown\n", "a.cu:3:50: error: unknown\na.cu:3:90: error: ours\n"));
  CHECK(are_same_errors("a.cu:1:2: warning: unused\na.cu:3:20: fatal error: x\n", "a.cu:3: error: x\n"));
  CHECK(are_same_errors("\x1b[01ma.cu:3:20:\x1b[m \x1b[31merror: \x1b[mx\n", "a.cu:3:50: error: x\n"));
}

TEST_CASE("an error that only the program as it is written has speaks for nothing") {
  CHECK_FALSE(are_same_errors("a.cu:4:20: error: x\n", "a.cu:3:50: error: x\n"));
  CHECK_FALSE(are_same_errors("b.cu:3:20: error: x\n", "a.cu:3:50: error: x\n"));
  CHECK_FALSE(are_same_errors("a.cu:3:20: warning: x\n", "a.cu:3:50: error: x\n"));
  CHECK_FALSE(are_same_errors("", "a.cu:3:50: error: x\n"));
}

TEST_CASE("uses of a variable whose declaration has an error are no errors of their own") {
  const std::string first = kUnknownSize;
  CHECK(without_follow_ups(first + kFollowUp, kVariables, {}) == first);
  CHECK(without_follow_ups(kFollowUp, kVariables, {}) == kFollowUp);
  CHECK(without_follow_ups(first + kFollowUp, {}, {}) == first + kFollowUp);
}

TEST_CASE("what follows a message that is left out keeps the function it is in") {
  const std::string context = "a.cu: In function ‘int main()’:\n";
  const std::string own = "a.cu:9:3: error: ‘q’ was not declared in this scope\n    9 |   q;\n";
  CHECK(without_follow_ups(std::string(kUnknownSize) + context + kFollowUp + own + "compilation terminated.\n",
                           kVariables, {}) == std::string(kUnknownSize) + context + own + "compilation terminated.\n");
  const std::string last = "cc1plus: all warnings being treated as errors\n";
  CHECK(without_follow_ups(std::string(kUnknownSize) + context + kFollowUp + last, kVariables, {}) ==
        kUnknownSize + last);
}

TEST_CASE("a message that comes twice is said once") {
  const std::string once = "a.cu:4:36: error: ‘float’ is not a class\n";
  CHECK(without_follow_ups(once + once, {}, {}) == once);
}

TEST_CASE("names that only resemble one of the user's are not proposed where they are ours") {
  const std::string error = "a.cu:9:7: error: ‘blocks’ was not declared in this scope";
  const std::string source = "    9 |   k<<<blocks, 32>>>(d, 3);\n      |       ^~~~~~\n";
  CHECK(without_follow_ups(error + "; did you mean ‘warpfiber::Limit::blocks’?\n" + source +
                               "      |       warpfiber::Limit::blocks\n"
                               "In file included from /p/include/cuda/cuda_runtime.h:26,\n"
                               "                 from <command-line>:\n"
                               "/p/include/warpfiber/o.hpp:4:3: note: ‘warpfiber::Limit::blocks’ declared here\n"
                               "    4 |   blocks,\n",
                           {}, {"/p/include"}) == error + "\n" + source);
  const std::string own = error + "; did you mean ‘block’?\n" + source;
  CHECK(without_follow_ups(own, {}, {}) == own);
}

TEST_CASE("candidates in our headers are named as CUDA declares them and not shown") {
  const std::string error = "a.cu:6:12: error: no matching function for call to ‘atomicAdd(float*&)’\n";
  const std::string user = "a.cu:2:1: note: candidate: ‘void atomicAdd(A)’\n    2 | void f\n";
  CHECK(without_follow_ups(error +
                               "In file included from <command-line>:\n"
                               "/p/include/a.hpp:224:12: note: candidate: ‘int atomicAdd(int*, int, "
                               "warpfiber::Site)’\n"
                               "  224 | ATOMIC(atomicAdd)\n      |        ^~~~\n"
                               "/p/include/a.hpp:224:12: note:   candidate expects 3 arguments, 1 provided\n" +
                               user,
                           {}, {"/p/include"}) ==
        error + "/p/include/a.hpp:224:12: note: candidate: ‘int atomicAdd(int*, int)’\n" +
            "/p/include/a.hpp:224:12: note:   candidate expects 2 arguments, 1 provided\n" + user);
}

TEST_CASE("the body of a kernel is called by the kernel's name") {
  CHECK(with_names_of_user("a.cu: In lambda function:\na.cu:4:7: warning: unused variable ‘x’\n", kKernels) ==
        "a.cu: In function ‘k’:\na.cu:4:7: warning: unused variable ‘x’\n");
  CHECK(with_names_of_user("a.cu: In lambda function:\na.cu:14:7: warning: unused variable 'x'\n", kKernels) ==
        "a.cu: In function 'other':\na.cu:14:7: warning: unused variable 'x'\n");
  const std::string lambda = "a.cu: In lambda function:\na.cu:10:7: warning: unused variable ‘x’\n";
  CHECK(with_names_of_user(lambda, kKernels) == lambda);
}

TEST_CASE("instantiations name the kernel and no lambda in it") {
  CHECK(with_names_of_user("a.cu: In instantiation of ‘k(T*)::<lambda(T*)> [with T = int]’:\n", kKernels) ==
        "a.cu: In instantiation of ‘k(T*) [with T = int]’:\n");
  const std::string own = "a.cu: In instantiation of ‘f(T*)::<lambda(T*)> [with T = int]’:\n";
  CHECK(with_names_of_user(own, kKernels) == own);
}

TEST_CASE("the type of a shared variable is what it was declared with") {
  CHECK(with_names_of_user("a.cu:4:7: warning: ‘n_shared_type’ {aka ‘unsigned int’} and ‘int’\n", {}) ==
        "a.cu:4:7: warning: ‘unsigned int’ and ‘int’\n");
  CHECK(with_names_of_user("a.cu:4:7: warning: 'n_shared_type' (aka 'unsigned int') and 'int'\n", {}) ==
        "a.cu:4:7: warning: 'unsigned int' and 'int'\n");
  CHECK(with_names_of_user("a.cu:4:7: note: n_shared_type is here\n", {}) == "a.cu:4:7: note: n_shared_type is here\n");
}

TEST_CASE("an extern shared variable of a second type is told of in nvcc's words") {
  const std::vector<NamedLines> variables = {{"s", "a.cu", 2, 2}};
  const std::string fix =
      "; extern __shared__ variables of one name have one type: declare an array of char and cast its address\n";
  CHECK(without_follow_ups("a.cu:2:9: error: conflicting declaration ‘double s []’\n", variables, {}) ==
        "a.cu:2:9: error: declaration is incompatible with previous \"s\": ‘double s []’" + fix);
  CHECK(without_follow_ups("a.cu:2:9: error: redeclaration of 's' with a different type: 'double[]' vs 'float[]'\n",
                           variables, {}) ==
        "a.cu:2:9: error: declaration is incompatible with previous \"s\": 'double[]' vs 'float[]'" + fix);
  const std::string other = "a.cu:3:9: error: conflicting declaration ‘double s []’\n";
  CHECK(without_follow_ups(other, variables, {}) == other);
}

TEST_CASE("the optimiser's messages name the kernel and nothing that runs its threads, once") {
  const std::string warning =
      "a.cu:4:94: warning: ‘r’ may be used uninitialized [-Wmaybe-uninitialized]\n    4 |   p = r;\n";
  const std::string run = "warpfiber::cuda::detail::Packing<ns::k<float>(float*)::<lambda(float*)>, void(float*)>";
  const auto in = [&](const std::string& function) {
    return "In lambda function,\n    inlined from ‘" + run + "::pack<0>()’ at /p/translated.hpp:183:15,\n" +
           "    inlined from ‘bool warpfiber::detail::" + function + "(Row)’ at /p/claim.hpp:32:3:\n" + warning +
           "a.cu: In function ‘void warpfiber::detail::run_threads() [with Body = " + run + "]’:\n" +
           "a.cu:2:48: note: ‘r’ was declared here\n";
  };
  const std::string own = "a.cu: In function ‘void f()’:\na.cu:30:1: warning: unused variable ‘x’\n";
  CHECK(with_names_of_user(in("run_thread") + in("run_row") + own, kKernels) ==
        "In function ‘k’:\n" + warning + "a.cu: In function ‘ns::k’:\na.cu:2:48: note: ‘r’ was declared here\n" + own);
}
