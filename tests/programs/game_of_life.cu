// SPDX-License-Identifier: Apache-2.0
//
// Conway's life on a torus: a byte a cell through a 2D tile, and 32 cells a word with the neighbours added bitwise.
#include "common.h"

typedef unsigned char Cell;

// Tiles with one row or column more on every side.
template <int W, int H>
__global__ void step_bytes(Cell *out, const Cell *in, int width, int height)
{
    __shared__ Cell tile[H + 2][W + 2];
    const int x = blockIdx.x * W + threadIdx.x, y = blockIdx.y * H + threadIdx.y;
    for (int ty = threadIdx.y; ty < H + 2; ty += H)
        for (int tx = threadIdx.x; tx < W + 2; tx += W) {
            const int fromX = (blockIdx.x * W + tx + width - 1) % width;
            const int fromY = (blockIdx.y * H + ty + height - 1) % height;
            tile[ty][tx] = in[fromY * width + fromX];
        }
    __syncthreads();
    if (x >= width || y >= height)
        return;
    int alive = 0;
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx)
            alive += tile[threadIdx.y + dy][threadIdx.x + dx];
    const Cell self = tile[threadIdx.y + 1][threadIdx.x + 1];
    out[y * width + x] = alive == 3 || (alive == 4 && self);
}

// Full adders over bits: sum of the neighbours in three bits, a fourth saturates.
__device__ inline void add_bit(unsigned &ones, unsigned &twos, unsigned &fours, unsigned bit)
{
    unsigned carry = ones & bit;
    ones ^= bit;
    unsigned next = twos & carry;
    twos ^= carry;
    fours |= next;
}

__global__ void step_words(unsigned *out, const unsigned *in, int words, int height)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= words * height)
        return;
    const int w = i % words, y = i / words;
    unsigned ones = 0, twos = 0, fours = 0;
    for (int dy = -1; dy <= 1; ++dy) {
        const unsigned *row = in + ((y + dy + height) % height) * words;
        const unsigned middle = row[w], left = row[(w + words - 1) % words], right = row[(w + 1) % words];
        add_bit(ones, twos, fours, __funnelshift_l(left, middle, 1));
        add_bit(ones, twos, fours, __funnelshift_r(middle, right, 1));
        if (dy != 0)
            add_bit(ones, twos, fours, middle);
    }
    out[i] = ~fours & twos & (ones | in[i]);
}

static std::vector<Cell> reference(const std::vector<Cell> &in, int width, int height)
{
    std::vector<Cell> out(in.size());
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            int around = 0;
            for (int d = 0; d < 9; ++d)
                if (d != 4)
                    around += in[(y + d / 3 - 1 + height) % height * width + (x + d % 3 - 1 + width) % width];
            out[y * width + x] = around == 3 || (around == 2 && in[y * width + x]);
        }
    return out;
}

static std::vector<unsigned> pack(const std::vector<Cell> &cells)
{
    std::vector<unsigned> words(cells.size() / 32, 0);
    for (size_t i = 0; i < cells.size(); ++i)
        words[i / 32] |= unsigned(cells[i]) << (i % 32);
    return words;
}

int main()
{
    const int width = 96, height = 50, generations = 12, words = width / 32;
    std::vector<Cell> cells(width * height);
    Random random(1970);
    for (auto &cell : cells)
        cell = random.below(3) == 0;
    Cell *bytes[2] = {device_copy(cells), device_copy(cells)};
    std::vector<unsigned> packed = pack(cells);
    unsigned *bits[2] = {device_copy(packed), device_copy(packed)};

    const bool wide = width >= 64;
    for (int g = 0; g < generations; ++g) {
        step_bytes<32, 8><<<dim3(wide ? (width + 31) >> 5 : 1, height + 7 >> 3), wide ? dim3(32, 8) : dim3(32, 8, 1)>>>(
            bytes[(g + 1) % 2], bytes[g % 2], width, height);
        step_words<<<(words * height + 63) >> 6, 1 << 6>>>(bits[(g + 1) % 2], bits[g % 2], words, height);
        cells = reference(cells, width, height);
    }
    bool passed = same("bytes", host_copy(bytes[generations % 2], cells.size()), cells);
    passed &= same("words", host_copy(bits[generations % 2], packed.size()), pack(cells));
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaFree(bytes[i]));
        CHECK(cudaFree(bits[i]));
    }
    return verdict(passed);
}
