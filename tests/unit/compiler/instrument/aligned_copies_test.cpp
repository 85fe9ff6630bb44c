// SPDX-License-Identifier: Apache-2.0
// Calls that are put into clang's intermediate text before copies of structures.
#include "instrument/aligned_copies.hpp"

#include <string>

#include "support/catch.hpp"

using warpfiber::instrument::with_aligned_copies;

TEST_CASE("a copy between two pointers is expected to be aligned at both ends") {
  const std::string text =
      "define void @_Z1fv(%struct.s* %0, %struct.s* %1) !dbg !9 {\n"
      "  %2 = bitcast %struct.s* %0 to i8*, !dbg !31\n"
      "  %3 = bitcast %struct.s* %1 to i8*, !dbg !31\n"
      "  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 16 %2, i8* align 8 %3, i64 16, i1 false), !dbg !33, !tbaa !34\n"
      "}\n";
  const std::string made = with_aligned_copies(text);
  CHECK(made.find("  call void @__warpfiber_expect_aligned(i8* %3, i64 8, i32 0), !dbg !33\n"
                  "  call void @__warpfiber_expect_aligned(i8* %2, i64 16, i32 1), !dbg !33\n"
                  "  call void @llvm.memcpy.") != std::string::npos);
  CHECK(made.ends_with("}\ndeclare void @__warpfiber_expect_aligned(i8*, i64, i32)\n"));
}

TEST_CASE("variables of the function, parts of them, globals and bytes are left alone") {
  const std::string text =
      "define void @_Z1gv() {\n"
      "  %1 = alloca %struct.s, align 16\n"
      "  %2 = bitcast %struct.s* %1 to i8*\n"
      "  %3 = getelementptr inbounds %struct.s, %struct.s* %1, i32 0, i32 1\n"
      "  %4 = bitcast %struct.t* %3 to i8*\n"
      "  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 16 %2, i8* align 16 %4, i64 16, i1 false)\n"
      "  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 1 %5, i8* align 4 bitcast ([2 x i32]* @a to i8*), i64 8, i1 "
      "false)\n"
      "}\n";
  CHECK(with_aligned_copies(text) == text);
}

TEST_CASE("pointers without types are known, and what was a variable in one function is none in the next") {
  const std::string made = with_aligned_copies(
      "define void @_Z1hv() {\n"
      "  %1 = alloca %struct.s, align 16\n"
      "}\n"
      "define void @_Z1iv(ptr %1) {\n"
      "  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %1, ptr align 4 @a, i64 8, i1 false)\n"
      "}\n");
  CHECK(made.find("  call void @__warpfiber_expect_aligned(ptr %1, i64 4, i32 1)\n") != std::string::npos);
  CHECK(made.find("declare void @__warpfiber_expect_aligned(ptr, i64, i32)\n") != std::string::npos);
}
