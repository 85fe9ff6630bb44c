// SPDX-License-Identifier: Apache-2.0
//
// Breadth-first search twice: level by level with a flag the host reads back (masks, as Rodinia does), and with frontier
// queues whose tails are device globals.
#include "common.h"

#include <queue>

struct Node
{
    int start, edges;
};

__global__ void expand(const Node *nodes, const int *edges, bool *mask, bool *updating, bool *visited, int *cost, int count)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < count && mask[t]) {
        mask[t] = false;
        for (int i = nodes[t].start; i < nodes[t].start + nodes[t].edges; i++) {
            int id = edges[i];
            if (!visited[id]) {
                cost[id] = cost[t] + 1;
                updating[id] = true;
            }
        }
    }
}

__global__ void update(bool *mask, bool *updating, bool *visited, bool *over, int count)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < count && updating[t]) {
        mask[t] = true;
        visited[t] = true;
        *over = true;
        updating[t] = false;
    }
}

__device__ int queue_tail;
__device__ unsigned long long edges_seen = 0;

__global__ void advance(const Node *nodes, const int *edges, const int *frontier, int size, int *next, int *cost, int level)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= size)
        return;
    const Node node = nodes[frontier[t]];
    atomicAdd(&edges_seen, (unsigned long long)node.edges);
    for (int i = 0; i < node.edges; ++i) {
        const int id = edges[node.start + i];
        if (atomicCAS(&cost[id], -1, level) == -1)
            next[atomicAdd(&queue_tail, 1)] = id;
    }
}

struct Graph
{
    std::vector<Node> nodes;
    std::vector<int> edges;
};

static Graph random_graph(int count, int degree)
{
    Graph g;
    Random random(count);
    for (int i = 0; i < count; ++i) {
        Node node = {int(g.edges.size()), int(random.below(degree + 1))};
        for (int e = 0; e < node.edges; ++e)
            g.edges.push_back(random.below(count));
        g.nodes.push_back(node);
    }
    return g;
}

static std::vector<int> reference(const Graph &g, int source)
{
    std::vector<int> cost(g.nodes.size(), -1);
    std::queue<int> queue;
    cost[source] = 0;
    for (queue.push(source); !queue.empty(); queue.pop()) {
        const Node node = g.nodes[queue.front()];
        for (int i = node.start; i < node.start + node.edges; ++i)
            if (cost[g.edges[i]] < 0) {
                cost[g.edges[i]] = cost[queue.front()] + 1;
                queue.push(g.edges[i]);
            }
    }
    return cost;
}

static std::vector<int> by_masks(const Node *nodes, const int *edges, int count, int source)
{
    bool *mask = device_zeros<bool>(count), *updating = device_zeros<bool>(count), *visited = device_zeros<bool>(count);
    bool *dOver = device_zeros<bool>(1), over, yes = true;
    int *cost = device_zeros<int>(count), zero = 0;
    CHECK(cudaMemset(cost, 0xff, count * sizeof(int)));
    CHECK(cudaMemcpy(cost + source, &zero, sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(mask + source, &yes, sizeof(bool), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(visited + source, &yes, sizeof(bool), cudaMemcpyHostToDevice));
    const dim3 grid((count + 127) / 128, 1, 1), threads(128, 1, 1);
    do {
        over = false;
        CHECK(cudaMemcpy(dOver, &over, sizeof(bool), cudaMemcpyHostToDevice));
        expand<<<grid, threads, 0>>>(nodes, edges, mask, updating, visited, cost, count);
        update<<<grid, threads, 0>>>(mask, updating, visited, dOver, count);
        CHECK(cudaMemcpy(&over, dOver, sizeof(bool), cudaMemcpyDeviceToHost));
    } while (over);
    std::vector<int> result = host_copy(cost, count);
    for (void *buffer : {(void *)mask, (void *)updating, (void *)visited, (void *)dOver, (void *)cost})
        CHECK(cudaFree(buffer));
    return result;
}

static std::vector<int> by_queues(const Node *nodes, const int *edges, int count, int source)
{
    std::vector<int> start(count, -1);
    start[source] = 0;
    int *cost = device_copy(start), *frontier = device_zeros<int>(count), *next = device_zeros<int>(count);
    CHECK(cudaMemcpy(frontier, &source, sizeof(int), cudaMemcpyHostToDevice));
    int size = 1, zero = 0;
    for (int level = 1; size > 0; ++level) {
        CHECK(cudaMemcpyToSymbol(queue_tail, &zero, sizeof(int)));
        advance<<<(size + 63) / 64, 64>>>(nodes, edges, frontier, size, next, cost, level);
        CHECK(cudaMemcpyFromSymbol(&size, queue_tail, sizeof(int)));
        std::swap(frontier, next);
    }
    std::vector<int> result = host_copy(cost, count);
    for (int *buffer : {cost, frontier, next})
        CHECK(cudaFree(buffer));
    return result;
}

int main()
{
    const int count = 1500;
    const Graph g = random_graph(count, 3);
    const std::vector<int> want = reference(g, 1);
    Node *nodes = device_copy(g.nodes);
    int *edges = device_copy(g.edges);
    bool passed = same("masks", by_masks(nodes, edges, count, 1), want);
    passed &= same("queues", by_queues(nodes, edges, count, 1), want);

    unsigned long long seen, wantSeen = 0;
    CHECK(cudaMemcpyFromSymbol(&seen, edges_seen, sizeof(seen)));
    for (int i = 0; i < count; ++i)
        wantSeen += want[i] >= 0 ? g.nodes[i].edges : 0;
    passed &= expect(seen == wantSeen, "every reachable edge is looked at once");
    CHECK(cudaFree(nodes));
    CHECK(cudaFree(edges));
    return verdict(passed);
}
