#include "trammel/write/report/packed_mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace trammel::packed_mesh_test {
namespace {

// A wavy sheet of n by n squares, 2 m by 1 m.
TriangleMesh sheet(std::uint32_t n) {
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i <= n; ++i)
    for (std::uint32_t j = 0; j <= n; ++j)
      mesh.points.push_back({2.0f * float(i) / float(n), float(j) / float(n),
                             0.1f * std::sin(6.0f * float(i + j) / float(n))});
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j) {
      const std::uint32_t k = i * (n + 1) + j;
      mesh.triangles.push_back({k, k + n + 1, k + n + 2});
      mesh.triangles.push_back({k, k + n + 2, k + 1});
    }
  return mesh;
}
Vec3<double> point(const PackedMesh& packed, std::size_t k) {
  const std::uint16_t* const grid = &packed.points[3 * k];
  return {packed.low.x + packed.step.x * grid[0], packed.low.y + packed.step.y * grid[1],
          packed.low.z + packed.step.z * grid[2]};
}
double area(const PackedMesh& packed) {
  double sum = 0;
  for (std::size_t t = 0; t < packed.triangles.size(); t += 3) {
    const Vec3<double> a = point(packed, packed.triangles[t]),
                       b = point(packed, packed.triangles[t + 1]),
                       c = point(packed, packed.triangles[t + 2]);
    sum += 0.5 * norm(cross(b - a, c - a));
  }
  return sum;
}

TEST(PackedMesh, keeps_every_point_to_half_a_step_of_its_grid) {
  const TriangleMesh mesh = sheet(20);
  const PackedMesh packed = pack_mesh(mesh);
  ASSERT_EQ(packed.points.size(), 3 * mesh.points.size());
  ASSERT_EQ(packed.triangles.size(), 3 * mesh.triangles.size());
  EXPECT_EQ(packed.left_out, 0u);
  EXPECT_NEAR(65535 * packed.step.x, 2, 1e-6);
  for (std::size_t k = 0; k < mesh.points.size(); ++k) {
    const Vec3<double> p = point(packed, k);
    EXPECT_NEAR(p.x, mesh.points[k][0], 0.51 * packed.step.x);
    EXPECT_NEAR(p.y, mesh.points[k][1], 0.51 * packed.step.y);
    EXPECT_NEAR(p.z, mesh.points[k][2], 0.51 * packed.step.z);
  }
  // the same triangles, each from its first point: another orientation would flip it
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<std::uint32_t, 3> wanted = mesh.triangles[t];
    std::rotate(wanted.begin(), std::ranges::min_element(wanted), wanted.end());
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), &packed.triangles[3 * t])) << t;
  }
}

// Duplicate or degenerate triangles are left out and counted; the reverse side is another triangle.
TEST(PackedMesh, triangles_that_show_nothing_new_are_left_out) {
  const TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}},
                          {{0, 1, 2}, {1, 2, 0}, {0, 3, 2}, {1, 3, 2}, {2, 1, 0}}};
  const PackedMesh packed = pack_mesh(mesh);
  EXPECT_EQ(packed.triangles, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 1}));
  EXPECT_EQ(packed.left_out, 3u);
  EXPECT_EQ(packed.points.size(), 9u);
}

TEST(PackedMesh, a_flat_one_stays_flat) {
  TriangleMesh flat{{{0, 0, 3}, {1, 0, 3}, {0, 1, 3}}, {{0, 1, 2}}};
  const PackedMesh packed = pack_mesh(flat);
  ASSERT_EQ(packed.triangles.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(point(packed, k).z, 3);
}

// Fewer triangles, the same sheet: its area and its edges stay.
TEST(PackedMesh, too_many_triangles_become_fewer) {
  const TriangleMesh mesh = sheet(120);
  const PackedMesh whole = pack_mesh(mesh), fewer = pack_mesh(mesh, 5000);
  EXPECT_LE(fewer.triangles.size() / 3, 5000u);
  EXPECT_GT(fewer.triangles.size() / 3, 500u);
  EXPECT_EQ(fewer.left_out + fewer.triangles.size() / 3, mesh.triangles.size());
  EXPECT_NEAR(area(fewer) / area(whole), 1, 0.1);
  Vec3<double> least = point(fewer, 0), most = least;
  for (std::size_t k = 1; k < fewer.points.size() / 3; ++k) {
    const Vec3<double> p = point(fewer, k);
    least = {std::min(least.x, p.x), std::min(least.y, p.y), 0};
    most = {std::max(most.x, p.x), std::max(most.y, p.y), 0};
  }
  EXPECT_NEAR(least.x, 0, 0.05);  // within a cell
  EXPECT_NEAR(least.y, 0, 0.05);
  EXPECT_NEAR(most.x, 2, 0.05);
  EXPECT_NEAR(most.y, 1, 0.05);
}

}  // namespace
}  // namespace trammel::packed_mesh_test
