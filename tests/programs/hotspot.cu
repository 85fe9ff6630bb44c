// SPDX-License-Identifier: Apache-2.0
//
// Chip temperatures by a pyramid: a launch takes several time steps on tiles that shrink by their halo; the kernel has
// two dozen parameters, some of them under #if.
#include "common.h"

#include <algorithm>

#define BLOCK 16
#define EXPAND_RATE 2
#define IN_RANGE(x, low, high) ((x) >= (low) && (x) <= (high))
#ifndef USE_AMBIENT
#define USE_AMBIENT 1
#endif

extern "C" __global__ void hotspot_step(int iterations, const float *__restrict__ power, const float *__restrict__ source,
                                        float *__restrict__ destination, int columns, int rows, int borderColumns,
                                        int borderRows, int smallBlockColumns, int smallBlockRows, int lastColumn,
                                        int lastRow, float step, float capacity, float rx, float ry, float rz,
#if USE_AMBIENT
                                        float ambient,
#endif
                                        int originX, int originY, int validFrom, int validTo, float scale, float bias)
{
    __shared__ float now[BLOCK][BLOCK], heat[BLOCK][BLOCK], then[BLOCK][BLOCK];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int blockX = originX + smallBlockColumns * blockIdx.x - borderColumns;
    const int blockY = originY + smallBlockRows * blockIdx.y - borderRows;
    const int x = blockX + tx, y = blockY + ty;
    const bool inside = IN_RANGE(x, 0, lastColumn) && IN_RANGE(y, 0, lastRow);
    if (inside) {
        now[ty][tx] = source[columns * y + x];
        heat[ty][tx] = power[columns * y + x];
    }
    __syncthreads();

    const int west = max(x - 1, 0) - blockX, east = min(x + 1, lastColumn) - blockX;
    const int north = max(y - 1, 0) - blockY, south = min(y + 1, lastRow) - blockY;
    bool computed = false;
    for (int i = 0; i < iterations; i++) {
        computed = false;
        if (inside && IN_RANGE(tx, i + 1, BLOCK - i - 2) && IN_RANGE(ty, i + 1, BLOCK - i - 2)) {
            computed = true;
            float change = heat[ty][tx] + (now[south][tx] + now[north][tx] - 2.0f * now[ty][tx]) * ry +
                           (now[ty][east] + now[ty][west] - 2.0f * now[ty][tx]) * rx;
#if USE_AMBIENT
            change += (ambient - now[ty][tx]) * rz;
#endif
            then[ty][tx] = now[ty][tx] + step / capacity * change * scale + bias;
        }
        __syncthreads();
        if (i == iterations - 1)
            break;
        if (computed)
            now[ty][tx] = then[ty][tx];
        __syncthreads();
    }
    if (computed && IN_RANGE(y, validFrom, validTo))
        destination[columns * y + x] = then[ty][tx];
}

static std::vector<float> reference(std::vector<float> t, const std::vector<float> &power, int columns, int rows, int steps)
{
    for (int step = 0; step < steps; ++step) {
        std::vector<float> next(t.size());
        for (int y = 0; y < rows; ++y)
            for (int x = 0; x < columns; ++x) {
                auto at = [&](int u, int v) {
                    return double(t[columns * std::min(std::max(v, 0), rows - 1) + std::min(std::max(u, 0), columns - 1)]);
                };
                double change = power[columns * y + x] + (at(x, y + 1) + at(x, y - 1) - 2 * at(x, y)) * 0.2 +
                                (at(x + 1, y) + at(x - 1, y) - 2 * at(x, y)) * 0.1 + (80.0 - at(x, y)) * 0.01;
                next[columns * y + x] = float(at(x, y) + 0.5 * change);
            }
        t = next;
    }
    return t;
}

int main()
{
    const int columns = 60, rows = 45, steps = 8, pyramid = 2;
    const int border = pyramid * EXPAND_RATE / 2, small = BLOCK - pyramid * EXPAND_RATE;
    std::vector<float> temperature(columns * rows), power(columns * rows);
    Random random(12);
    for (int i = 0; i < columns * rows; ++i) {
        temperature[i] = 60 + 40 * random.uniform();
        power[i] = random.uniform();
    }
    float *t[2] = {device_copy(temperature), device_zeros<float>(columns * rows)}, *p = device_copy(power);
    const dim3 block(BLOCK, BLOCK), grid((columns + small - 1) / small, (rows + small - 1) / small);
    int from = 0;
    for (int done = 0; done < steps; done += pyramid, from = 1 - from)
        hotspot_step<<<grid, block>>>(std::min(pyramid, steps - done), p, t[from], t[1 - from], columns, rows, border,
                                      border, small, small, columns - 1, rows - 1, 0.5f, 1.0f, 0.1f, 0.2f, 0.01f,
#if USE_AMBIENT
                                      80.0f,
#endif
                                      0, 0, 0, rows - 1, 1.0f, 0.0f);
    CHECK(cudaDeviceSynchronize());
    const bool passed =
        near("temperature", host_copy(t[from], temperature.size()), reference(temperature, power, columns, rows, steps), 1e-5);
    for (float *buffer : {t[0], t[1], p})
        CHECK(cudaFree(buffer));
    return verdict(passed);
}
