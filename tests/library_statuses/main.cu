// SPDX-License-Identifier: Apache-2.0
// Calls functions of CUDA's libraries with wrong arguments (README.md): main FILE [PART PARTS DONE].
#include "probe.h"

int main(int count, char** words) {
  const auto number = [&](int i, long otherwise) { return count > i ? std::atol(words[i]) : otherwise; };
  std::FILE* const to = std::fopen(words[1], "a");
  if (to == nullptr) return 9;
  Probe probe(to, number(2, 0), number(3, 1), number(4, 0));
  probe_vectors(probe);
  probe_matrices(probe);
  probe_batches(probe);
  probe_transforms(probe);
  probe_numbers(probe);
  probe_sparse(probe);
  probe_solver(probe);
  return 0;
}
