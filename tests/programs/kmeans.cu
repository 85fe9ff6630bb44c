// SPDX-License-Identifier: Apache-2.0
//
// Lloyd's k-means: centroids in constant memory, points feature-major, sums gathered per block by a device function that
// owns its shared arrays, then added to global memory in double.
#include "common.h"

#define MAX_CLUSTERS 8
#define FEATURES 3
#define THREADS 128

#ifdef __CUDACC__
#define KERNEL __global__
#define DEVICE_INLINE __device__ __forceinline__
#else
#define KERNEL
#define DEVICE_INLINE inline
#endif

__constant__ float centroids[MAX_CLUSTERS][FEATURES];

DEVICE_INLINE int nearest(const float *point, int clusters)
{
    int best = 0;
    float bestDistance = 3.4e38f;
    for (int c = 0; c < clusters; ++c) {
        float distance = 0;
        for (int f = 0; f < FEATURES; ++f)
            distance += (point[f] - centroids[c][f]) * (point[f] - centroids[c][f]);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = c;
        }
    }
    return best;
}

// Every thread of the block calls this; `cluster` is -1 for threads that have no point.
DEVICE_INLINE void accumulate(const float *point, int cluster, double *sums, unsigned *counts)
{
    __shared__ float blockSums[MAX_CLUSTERS][FEATURES];
    __shared__ unsigned blockCounts[MAX_CLUSTERS];
    if (threadIdx.x < MAX_CLUSTERS) {
        for (int f = 0; f < FEATURES; ++f)
            blockSums[threadIdx.x][f] = 0;
        blockCounts[threadIdx.x] = 0;
    }
    __syncthreads();
    if (cluster >= 0) {
        for (int f = 0; f < FEATURES; ++f)
            atomicAdd(&blockSums[cluster][f], point[f]);
        atomicInc(&blockCounts[cluster], ~0u);
    }
    __syncthreads();
    if (threadIdx.x < MAX_CLUSTERS) {
        for (int f = 0; f < FEATURES; ++f)
            atomicAdd(&sums[threadIdx.x * FEATURES + f], double(blockSums[threadIdx.x][f]));
        atomicAdd(&counts[threadIdx.x], blockCounts[threadIdx.x]);
    }
}

KERNEL void assign(const float *features, int *membership, double *sums, unsigned *counts, int *changed, int points,
                   int clusters = MAX_CLUSTERS)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float point[FEATURES];
    int cluster = -1;
    if (i < points) {
        for (int f = 0; f < FEATURES; ++f)
            point[f] = features[f * points + i];
        cluster = nearest(point, clusters);
        if (membership[i] != cluster)
            atomicAdd(changed, 1);
        membership[i] = cluster;
    }
    accumulate(point, cluster, sums, counts);
}

struct Clustering
{
    std::vector<float> centroid;
    std::vector<int> membership;
};

// The features come in eighths, so sums are exact in any order and both sides take the same decisions.
static Clustering reference(const std::vector<float> &features, Clustering c, int points, int rounds)
{
    const int clusters = MAX_CLUSTERS;
    for (int round = 0; round < rounds; ++round) {
        std::vector<double> sums(clusters * FEATURES, 0.0);
        std::vector<int> counts(clusters, 0);
        for (int i = 0; i < points; ++i) {
            double best = 1e300;
            for (int k = 0; k < clusters; ++k) {
                double distance = 0;
                for (int f = 0; f < FEATURES; ++f)
                    distance += std::pow(double(features[f * points + i]) - c.centroid[k * FEATURES + f], 2.0);
                if (distance < best) {
                    best = distance;
                    c.membership[i] = k;
                }
            }
            ++counts[c.membership[i]];
            for (int f = 0; f < FEATURES; ++f)
                sums[c.membership[i] * FEATURES + f] += features[f * points + i];
        }
        for (int k = 0; k < clusters * FEATURES; ++k)
            if (counts[k / FEATURES])
                c.centroid[k] = std::round(float(sums[k] / counts[k / FEATURES]) * 8) / 8;
    }
    return c;
}

static Clustering cluster_on_device(const std::vector<float> &features, Clustering c, int points, int rounds)
{
    const int clusters = MAX_CLUSTERS, grid = (points + THREADS - 1) / THREADS;
    float *dFeatures = device_copy(features);
    int *membership = device_copy(c.membership), *changed = device_zeros<int>(1);
    double *sums = device_zeros<double>(clusters * FEATURES);
    unsigned *counts = device_zeros<unsigned>(clusters);
    for (int round = 0; round < rounds; ++round) {
        CHECK(cudaMemcpyToSymbol(centroids, c.centroid.data(), sizeof(centroids)));
        CHECK(cudaMemset(sums, 0, clusters * FEATURES * sizeof(double)));
        CHECK(cudaMemset(counts, 0, clusters * sizeof(unsigned)));
        if (round % 2)
            assign<<<grid, THREADS>>>(dFeatures, membership, sums, counts, changed, points);
        else
            assign<<<grid, THREADS>>>(dFeatures, membership, sums, counts, changed, points, clusters);
        const std::vector<double> total = host_copy(sums, clusters * FEATURES);
        const std::vector<unsigned> members = host_copy(counts, clusters);
        for (int k = 0; k < clusters * FEATURES; ++k)
            if (members[k / FEATURES])
                c.centroid[k] = std::round(float(total[k] / members[k / FEATURES]) * 8) / 8;
    }
    c.membership = host_copy(membership, points);
    for (void *buffer : {(void *)dFeatures, (void *)membership, (void *)changed, (void *)sums, (void *)counts})
        CHECK(cudaFree(buffer));
    return c;
}

int main()
{
    const int points = 1500, rounds = 6;
    std::vector<float> features(FEATURES * points);
    Random random(99);
    for (auto &feature : features)
        feature = float(random.below(512)) / 8;
    Clustering start = {std::vector<float>(MAX_CLUSTERS * FEATURES), std::vector<int>(points, -1)};
    for (int k = 0; k < MAX_CLUSTERS * FEATURES; ++k)
        start.centroid[k] = features[(k % FEATURES) * points + k / FEATURES];
    const Clustering want = reference(features, start, points, rounds);
    const Clustering got = cluster_on_device(features, start, points, rounds);
    bool passed = same("membership", got.membership, want.membership);
    passed &= same("centroids", got.centroid, want.centroid);
    return verdict(passed);
}
