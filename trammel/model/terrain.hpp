// A floor that is not flat: how high it is over its plane, and how it leans and bends there.
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
  // At a place x, y: the height and its derivatives, one letter for each time by which.
  template <class S> struct Height { S z, x, y, xx, xy, yy; };
  template <Scalar S> Height<S> at(const S& x, const S& y) const;

  // By a formula of x, y and names whose values are given.
  static std::variant<Terrain, ParseError> of_formula(
      const std::string& formula, const std::vector<std::pair<std::string, double>>& names);

  // Through heights over a grid: heights[i][j] at x.start + i x.spacing, y.start + j y.spacing, at
  // least two each way. The natural cubic spline each way: curvatures are steady, zero at the
  // edges; beyond them it goes on straight.
  struct Steps {
    double start = 0, spacing = 1;
  };
  static Terrain of_grid(const Steps& x, const Steps& y,
                         const std::vector<std::vector<double>>& heights);

 private:
  struct Formula {
    Graph graph;  // its letters are x and y
    Expr height[6];
    std::vector<int> nodes;  // what they are made of
  };
  struct Grid {
    Steps x, y;
    int nx = 0, ny = 0;
    // at each point: the height, its bending along x, along y, and of the one along the other
    std::vector<double> z, xx, yy, xxyy;
  };
  template <class S> static Height<S> look(const Formula& formula, const S& x, const S& y);
  template <class S> static Height<S> look(const Grid& grid, const S& x, const S& y);

  std::variant<Formula, Grid> shape_;
};

}  // namespace trammel
