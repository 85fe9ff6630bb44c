// SPDX-License-Identifier: Apache-2.0
// How the host calls an allocation, from the line that allocates it.
#include <string>

#include "report/fixes/fix.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using report::allocated_as;

namespace {

class AllocatingLine final : public report::SourceText {
 public:
  std::optional<std::string> line(const std::string& file, unsigned line) override {
    return file == "a.cu" && line == 3 ? std::optional<std::string>("  cudaMalloc(&d_in, 64);") : std::nullopt;
  }
};

}  // namespace

TEST_CASE("an allocation is called as what its address is stored in") {
  CHECK(allocated_as("  cudaMalloc(&d_in, bytes);") == "d_in");
  CHECK(allocated_as("CHECK(cudaMalloc((void**)&d_in, n * sizeof(float)));") == "d_in");
  CHECK(allocated_as("cudaMalloc(reinterpret_cast<void**>(&d_in), n);") == "d_in");
  CHECK(allocated_as("cudaMallocAsync( & parts[i + 1].data , n, stream);") == "parts[i + 1].data");
  CHECK(allocated_as("cudaMallocManaged(&list->head, sizeof(Node));") == "list->head");
  CHECK(allocated_as("cudaMallocPitch(&rows, &pitch, w, h);") == "rows");
  CHECK(allocated_as("cudaHostAlloc(&pinned, 64, 0);") == "pinned");
  CHECK(allocated_as("if (cuMemAlloc(&memory, 4) != 0) return;") == "memory");
}

TEST_CASE("an allocation without such a line has no name") {
  CHECK(allocated_as("").empty());
  CHECK(allocated_as("cudaMalloc(memory, 4);").empty());
  CHECK(allocated_as("cudaMalloc(&a, 4); cudaMalloc(&b, 4);").empty());
  CHECK(allocated_as("my_cudaMalloc(&a, 4);").empty());
  CHECK(allocated_as("cudaMalloc(pointer_to(&a), 4);").empty());
  CHECK(allocated_as("cudaMalloc(&get(a), 4);").empty());
  CHECK(allocated_as("// cudaMalloc").empty());
}

TEST_CASE("objects of a finding without a name get that of their allocation") {
  AllocatingLine source;
  record::Finding finding;
  finding.object.emplace();
  finding.object->declared = {"a.cu", 3};
  finding.parties.resize(2);
  finding.parties[0].object.emplace();
  finding.parties[0].object->name = "counts[3]";
  finding.parties[0].object->declared = {"a.cu", 3};
  finding.parties[1].object.emplace();
  report::name_allocations(finding, source);
  CHECK(finding.object->name == "d_in");
  CHECK(finding.object->is_allocated);
  CHECK(finding.parties[0].object->name == "counts[3]");
  CHECK(finding.parties[1].object->name.empty());
}
