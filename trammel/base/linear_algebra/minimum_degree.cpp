// Approximate minimum degree ordering [Amestoy, Davis, Duff 1996], by Eigen.
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include "trammel/base/sparse_cholesky.hpp"

namespace trammel {

std::vector<int> minimum_degree_order(const std::vector<std::vector<int>>& neighbors) {
  const auto n = Eigen::Index(neighbors.size());
  if (n == 0) return {};
  Eigen::SparseMatrix<double> graph(n, n);
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index k = 0; k < n; ++k) {
    entries.emplace_back(int(k), int(k), 1.0);
    for (const int other : neighbors[std::size_t(k)]) entries.emplace_back(int(k), other, 1.0);
  }
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph, order);
  return {order.indices().data(), order.indices().data() + n};
}

}  // namespace trammel
