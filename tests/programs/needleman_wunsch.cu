// SPDX-License-Identifier: Apache-2.0
//
// Global alignment of two sequences: tiles along anti-diagonals, a launch a diagonal, a wavefront within each tile.
#include "common.h"

#include <algorithm>

#define BLOCK_SIZE 16
#define GAP 10
#define TRACE_LAUNCHES 0

__device__ __host__ int maximum(int a, int b, int c)
{
    int k = a <= b ? b : a;
    return k <= c ? c : k;
}

__global__ void align_tiles(const int *reference, int *scores,
#if TRACE_LAUNCHES
                            int *trace,
#endif
                            int columns, int penalty, int diagonal, int blockWidth, bool lower)
{
    const int tx = threadIdx.x;
    const int blockX = lower ? blockIdx.x + blockWidth - diagonal : blockIdx.x;
    const int blockY = lower ? blockWidth - 1 - blockIdx.x : diagonal - 1 - blockIdx.x;
    const int corner = columns * BLOCK_SIZE * blockY + BLOCK_SIZE * blockX;
    __shared__ int score[BLOCK_SIZE + 1][BLOCK_SIZE + 1];
    __shared__ int weight[BLOCK_SIZE][BLOCK_SIZE];

    if (tx == 0)
        score[0][0] = scores[corner];
    for (int y = 0; y < BLOCK_SIZE; ++y)
        weight[y][tx] = reference[corner + columns * (y + 1) + tx + 1];
    score[tx + 1][0] = scores[corner + columns * (tx + 1)];
    score[0][tx + 1] = scores[corner + tx + 1];
    __syncthreads();

    for (int m = 0; m < 2 * BLOCK_SIZE - 1; m++) {
        const int y = m - tx;
        if (y >= 0 && y < BLOCK_SIZE)
            score[y + 1][tx + 1] = maximum(score[y][tx] + weight[y][tx],
                                           score[y + 1][tx] - penalty,
                                           score[y][tx + 1] - penalty);
        __syncthreads();
    }
    for (int y = 0; y < BLOCK_SIZE; ++y)
        scores[corner + columns * (y + 1) + tx + 1] = score[y + 1][tx + 1];
#if TRACE_LAUNCHES
    if (tx == 0)
        atomicAdd(trace, 1);
#endif
}

static void run_diagonal(const int *reference, int *scores, int columns, int diagonal, int blockWidth, bool lower)
{
#if TRACE_LAUNCHES
    static int *trace = device_zeros<int>(1);
#endif
    align_tiles<<<diagonal,
#ifdef WIDE_TILES
                  2 * BLOCK_SIZE
#else
                  BLOCK_SIZE
#endif
                  >>>(reference, scores,
#if TRACE_LAUNCHES
                      trace,
#endif
                      columns,
#ifdef GAP
                      GAP,
#else
                      1,
#endif
                      diagonal, blockWidth, lower);
}

int main()
{
    const int length = 96, columns = length + 1, blockWidth = length / BLOCK_SIZE;
    std::vector<int> first(columns), second(columns), weights(columns * columns), scores(columns * columns, 0);
    Random random(7);
    for (int i = 1; i < columns; ++i) {
        first[i] = random.below(4);
        second[i] = random.below(4);
    }
    for (int y = 1; y < columns; ++y)
        for (int x = 1; x < columns; ++x)
            weights[y * columns + x] = first[y] == second[x] ? 5 : -int(abs(first[y] - second[x])) - 1;
    for (int i = 1; i < columns; ++i)
        scores[i] = scores[i * columns] = -i * GAP;

    int *dWeights = device_copy(weights), *dScores = device_copy(scores);
    for (int i = 1; i <= blockWidth; i++)
        run_diagonal(dWeights, dScores, columns, i, blockWidth, false);
    for (int i = blockWidth - 1; i >= 1; i--)
        run_diagonal(dWeights, dScores, columns, i, blockWidth, true);
    CHECK(cudaGetLastError());

    for (int y = 1; y < columns; ++y)
        for (int x = 1; x < columns; ++x)
            scores[y * columns + x] = std::max({scores[(y - 1) * columns + x - 1] + weights[y * columns + x],
                                                scores[y * columns + x - 1] - GAP, scores[(y - 1) * columns + x] - GAP});
    const bool passed = same("scores", host_copy(dScores, scores.size()), scores);
    CHECK(cudaFree(dWeights));
    CHECK(cudaFree(dScores));
    return verdict(passed);
}
