// SPDX-License-Identifier: Apache-2.0
//
// The host side, no CUDA in it: builds a scene, has it rendered, renders it again in double.
#include "render.h"

#include <cstdio>
#include <vector>

struct Ray {
  double origin[3], direction[3];
};

static double dot3(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void normalise(double* a) {
  const double length = std::sqrt(dot3(a, a));
  for (int k = 0; k < 3; ++k) a[k] /= length;
}

static int nearest(const std::vector<Sphere>& scene, const Ray& ray, double* distance) {
  int found = -1;
  *distance = 1e30;
  for (size_t i = 0; i < scene.size(); ++i) {
    const double offset[3] = {ray.origin[0] - scene[i].centre.x, ray.origin[1] - scene[i].centre.y,
                              ray.origin[2] - scene[i].centre.z};
    const double b = dot3(offset, ray.direction),
                 root = b * b - dot3(offset, offset) + scene[i].radius * scene[i].radius;
    const double t = root < 0 ? 0 : -b - std::sqrt(root);
    if (t > 1e-3 && t < *distance) {
      *distance = t;
      found = int(i);
    }
  }
  return found;
}

static double shade(const std::vector<Sphere>& scene, Ray ray, unsigned long long* rays) {
  double light = 0, weight = 1, distance;
  for (int bounce = 0; bounce < 2; ++bounce, weight /= 2) {
    const int hit = nearest(scene, ray, &distance);
    ++*rays;
    if (hit < 0) return light + weight * 0.5 * (ray.direction[1] + 1);
    light += weight * scene[hit].brightness;
    const Vector c = scene[hit].centre;
    const double centre[3] = {c.x, c.y, c.z};
    double normal[3];
    for (int k = 0; k < 3; ++k) {
      ray.origin[k] += distance * ray.direction[k];
      normal[k] = ray.origin[k] - centre[k];
    }
    normalise(normal);
    const double along = 2 * dot3(ray.direction, normal);
    for (int k = 0; k < 3; ++k) ray.direction[k] -= along * normal[k];
    normalise(ray.direction);
  }
  return light;
}

int main() {
  const int width = 64, height = 48, tilesX = width / 8, tiles = tilesX * height / 8;
  std::vector<Sphere> scene;
  for (int i = 0; i < 5; ++i)
    scene.push_back({{0.8f * (i - 2), 0.3f * ((i * 2) % 3 - 1), 3.0f + 0.4f * i}, 0.45f + 0.05f * i, 0.1f * (i + 1)});
  std::vector<float> image(width * height), averages(tiles);
  unsigned long long rays = 0, wantRays = 0;
  if (load_scene(scene.data(), int(scene.size())) != int(scene.size()) ||
      render(image.data(), averages.data(), width, height, &rays) != 0) {
    printf("rendering failed\n");
    return 1;
  }
  // Pixels where a ray grazes a sphere may differ: few, and rays with them.
  int different = 0;
  std::vector<double> sums(tiles, 0);
  for (int i = 0; i < width * height; ++i) {
    Ray ray = {{0, 0, 0}, {(i % width + 0.5) / width - 0.5, (i / width + 0.5) / height - 0.5, 1}};
    normalise(ray.direction);
    different += std::fabs(image[i] - shade(scene, ray, &wantRays)) > 1e-3;
    sums[i / width / 8 * tilesX + i % width / 8] += image[i];
  }
  bool passed = different <= 5 && std::fabs(double(rays) - double(wantRays)) <= 5;
  for (int t = 0; t < tiles; ++t) passed &= std::fabs(averages[t] - sums[t] / 64) < 1e-5;
  if (!passed) printf("%d pixels differ, %llu rays, expected %llu\n", different, rays, wantRays);
  puts(passed ? "PASS" : "FAIL");
  return passed ? 0 : 1;
}
