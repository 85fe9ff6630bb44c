// SPDX-License-Identifier: Apache-2.0
//
// Groups of the whole grid: a sum for each colour, and a sort of all threads' shares.
#include <warpfiber/group_extensions.hpp>
#include <warpfiber/warpfiber.hpp>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;
namespace wf = warpfiber;

__global__ void histogram(const int* colour, float* weight, int* id) {  // launched cooperatively
  const auto grid = cg::this_grid();
  const auto me = grid.thread_rank();

  // The threads of the whole grid that look at one colour are a group.
  const wf::labeled_group same = wf::labeled_partition(grid, colour[me]);
  const float sum = wf::reduce(same, weight[me], cg::plus<float>());

  // Afterwards the thread of rank r has the r-th largest share, and whose it is.
  float share = weight[me] / sum;
  int whose = static_cast<int>(me);
  wf::sort(grid, share, whose, cg::greater<float>());
  weight[me] = share;
  id[me] = whose;
}

int main() {
  std::vector<int> colours(128);
  std::vector<float> weights(128);
  for (int i = 0; i < 128; ++i) {
    colours[i] = i % 3;
    weights[i] = i + 1;
  }
  wf::Buffer<int> colour(colours), id(128);
  wf::Buffer<float> weight(weights);
  const auto result =
      wf::launch({.grid = 2, .block = 64, .cooperative = true}, histogram, colour.data(), weight.data(), id.data());
  std::printf("%s: the largest share is that of thread %d\n", wf::error_name(result.error()), id.download()[0]);
}
