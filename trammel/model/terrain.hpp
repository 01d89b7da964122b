// Terrain: height of a floor over its plane, with first and second derivatives.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "trammel/scalar/expr.hpp"
#include "trammel/scalar/expr_parser.hpp"

namespace trammel {

class Terrain {
 public:
  // The height at x, y, and its partial derivatives: one letter of the name per differentiation.
  template <class S> struct Height { S z, x, y, xx, xy, yy; };
  template <Scalar S> Height<S> at(const S& x, const S& y) const;

  // Height by a formula of x, y and names with given values.
  static std::variant<Terrain, ParseError> of_formula(
      const std::string& formula, const std::vector<std::pair<std::string, double>>& names);

  // Height by interpolation over a grid: heights[i][j] at x.start + i x.spacing, y.start + j
  // y.spacing, at least two each way. Natural cubic splines both ways: curvature is continuous,
  // zero at the edges; outside them the surface goes on straight.
  struct Steps {
    double start = 0, spacing = 1;
  };
  static Terrain of_grid(const Steps& x, const Steps& y,
                         const std::vector<std::vector<double>>& heights);

 private:
  struct Formula {
    Graph graph;  // its symbols are x and y
    Expr height[6];
    std::vector<int> nodes;  // the nodes of the formulas
  };
  struct Grid {
    Steps x, y;
    int nx = 0, ny = 0;
    // at each point: height, second derivatives along x and along y, and the mixed fourth
    // derivative
    std::vector<double> z, xx, yy, xxyy;
  };
  template <class S> static Height<S> evaluate(const Formula& formula, const S& x, const S& y);
  template <class S> static Height<S> evaluate(const Grid& grid, const S& x, const S& y);

  std::variant<Formula, Grid> shape_;
};

}  // namespace trammel
