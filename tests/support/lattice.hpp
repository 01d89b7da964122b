// Lattices of pin-jointed links: mechanisms whose loops form one large connected component.
//
// In the plane: n x n nodes about 1 m apart, with a link of 1 kg between neighbors, but none
// between the nodes of the lowest row, which are points of ground. The d links at a node are joined
// by d - 1 revolute joints; (n - 1)^2 cells are loops. Two coordinates per node and one length per
// link leave n - 1 degrees of freedom. Two rows per loop joint, its forces in the plane, are
// independent. In space: n x n x n nodes and spherical joints, all of whose rows are independent.
// Nodes are slightly off the grid, so that no pose is special. At q = 0 all loops are closed.
#pragma once

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "trammel/model/build/builder.hpp"

namespace trammel {

class LatticeBuilder {
 public:
  // `layers`: nodes along the third axis; 1: in the plane. `thin`: links without inertia about
  // their own axes.
  LatticeBuilder(int n, int layers, bool thin) : n_(n), layers_(layers), is_thin_(thin) {}

  Description build() {
    description_.gravity = {0.0, -9.81, 0.0};
    for (int j = 1; j < n_; ++j)
      for (int i = 0; i < n_; ++i)
        for (int k = 0; k < layers_; ++k) {
          add_link("up", {i, j - 1, k}, {i, j, k});
          if (i > 0) add_link("across", {i - 1, j, k}, {i, j, k});
          if (k > 0) add_link("deep", {i, j, k - 1}, {i, j, k});
        }
    return description_;
  }

 private:
  using Node = std::array<int, 3>;

  Vec3<double> place(const Node& node) const {
    const auto [i, j, k] = node;
    const double s = 1.0 + 2.4 * i + 1.7 * j + 3.1 * k;
    return {i + 0.1 * std::sin(s), j + 0.1 * std::sin(2 * s),
            layers_ > 1 ? k + 0.1 * std::sin(3 * s) : 0.0};
  }
  // Body frames are parallel to the world's at q = 0, with their origins at the first node.
  void add_link(const char* what, const Node& from, const Node& to) {
    const std::string name = fmt::format("{}{}_{}_{}", what, to[0], to[1], to[2]);
    const Vec3<double> r = place(to) - place(from);
    const double size = dot(r, r), own = is_thin_ ? 0 : 0.1;
    const auto entry = [&](double same, double product) {
      return Expr((same * size - product) / 12 + same * own / 12);
    };
    description_.body(name,
                      {.mass = 1.0,
                       .com = {0.5 * r.x, 0.5 * r.y, 0.5 * r.z},
                       .inertia = {entry(1, r.x * r.x), entry(0, r.x * r.y), entry(0, r.x * r.z),
                                   entry(1, r.y * r.y), entry(0, r.y * r.z), entry(1, r.z * r.z)}});
    pin(name, from, {});
    pin(name, to, r);
  }
  // Joins a link to the first one at the node.
  void pin(const std::string& link, const Node& node, const Vec3<double>& at) {
    const auto first = hosts_.find(node);
    if (first == hosts_.end() && node[1] > 0) {
      hosts_[node] = {link, at};
      return;
    }
    const auto [host, on_host] =
        node[1] == 0 ? std::pair(std::string("ground"), place(node)) : first->second;
    description_.joint(
        fmt::format("pin{}_of_{}", description_.joints.size(), link),
        layers_ > 1 ? JointKind::spherical : JointKind::revolute, host, link,
        {.at = {{on_host.x, on_host.y, on_host.z}, {}}, .child_at = {{at.x, at.y, at.z}, {}}});
  }

  int n_, layers_;
  bool is_thin_;
  Description description_{"lattice"};
  std::map<Node, std::pair<std::string, Vec3<double>>> hosts_;
};

// n x n nodes in the plane.
inline Description lattice(int n, bool thin = false) { return LatticeBuilder(n, 1, thin).build(); }
inline int lattice_mobility(int n) { return n - 1; }
// n x n x n nodes in space.
inline Description space_lattice(int n) { return LatticeBuilder(n, n, false).build(); }

}  // namespace trammel
