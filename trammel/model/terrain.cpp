#include "trammel/model/terrain.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "trammel/scalar/dual.hpp"
#include "trammel/scalar/expr_derivative.hpp"
#include "trammel/scalar/expr_evaluate.hpp"
#include "trammel/scalar/pack.hpp"

namespace trammel {

namespace {

// Second derivatives M of the natural cubic spline through equidistant heights, at the points:
// M[i-1] + 4 M[i] + M[i+1] = 6 (z[i-1] - 2 z[i] + z[i+1]) / spacing^2, M = 0 at the ends.
std::vector<double> bending(const std::vector<double>& z, double spacing) {
  const std::size_t n = z.size();
  std::vector<double> M(n), upper(n);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double pivot = 4 - upper[i - 1];
    upper[i] = 1 / pivot;
    M[i] = (6 * (z[i - 1] - 2 * z[i] + z[i + 1]) / (spacing * spacing) - M[i - 1]) / pivot;
  }
  for (std::size_t i = n - 2; i > 0; --i) M[i] -= upper[i] * M[i + 1];
  return M;
}

double plain(double x) { return x; }
template <int N> double plain(const Dual<N>& x) { return x.value; }

// Spline weights between two points, of the two heights and the two second derivatives there, and
// the first and second derivatives of these weights.
template <class S> struct Weights {
  int i;
  S of[3][4];
};
template <class S> Weights<S> weights(const Terrain::Steps& steps, int n, const S& x) {
  const double h = steps.spacing;
  const S along = (x - S(steps.start)) / S(h);
  const double place = plain(along);
  const int i = int(std::clamp(std::floor(place), 0.0, double(n - 2)));
  const S b = along - S(double(i)), a = S(1.0) - b;
  const S none(0.0);
  if (place < 0 || place > n - 1) {  // straight on, with the slope at the edge
    const double left = place < 0 ? -h / 3 : h / 6, right = place < 0 ? -h / 6 : h / 3;
    const S gone = S(h) * (place < 0 ? b : b - S(1.0));
    return {i,
            {{a, b, S(left) * gone, S(right) * gone},
             {S(-1 / h), S(1 / h), S(left), S(right)},
             {none, none, none, none}}};
  }
  const S six(h * h / 6), slope(h / 6), three(3.0), one(1.0);
  return {i,
          {{a, b, six * (a * a * a - a), six * (b * b * b - b)},
           {S(-1 / h), S(1 / h), -slope * (three * a * a - one), slope * (three * b * b - one)},
           {none, none, a, b}}};
}

}  // namespace

std::variant<Terrain, ParseError> Terrain::of_formula(
    const std::string& formula, const std::vector<std::pair<std::string, double>>& names) {
  Formula made;
  const Expr x = made.graph.symbol("x"), y = made.graph.symbol("y");
  std::map<std::string, Expr, std::less<>> meanings = {{"x", x}, {"y", y}};
  std::vector<std::string> known = {"x", "y"};
  for (const auto& [name, value] : names) {
    meanings.emplace(name, Expr(value));
    known.push_back(name);
  }
  const auto resolve = [&](std::string_view name) -> std::optional<Expr> {
    const auto found = meanings.find(name);
    return found == meanings.end() ? std::nullopt : std::optional(found->second);
  };
  const std::variant<Expr, ParseError> parsed = parse(formula, resolve, known);
  if (const auto* mistake = std::get_if<ParseError>(&parsed)) return *mistake;
  const Expr z = std::get<Expr>(parsed);
  const Expr z_x = derivative(z, x), z_y = derivative(z, y);
  const Expr all[] = {z, z_x, z_y, derivative(z_x, x), derivative(z_x, y), derivative(z_y, y)};
  std::ranges::copy(all, made.height);
  made.nodes = live_nodes(all);
  Terrain terrain;
  terrain.shape_ = std::move(made);
  return terrain;
}

Terrain Terrain::of_grid(const Steps& x, const Steps& y,
                         const std::vector<std::vector<double>>& heights) {
  TRAMMEL_EXPECTS(heights.size() >= 2 && heights[0].size() >= 2);
  Grid grid;
  grid.x = x, grid.y = y;
  grid.nx = int(heights.size()), grid.ny = int(heights[0].size());
  const std::size_t nx = heights.size(), ny = heights[0].size();
  for (const std::vector<double>& line : heights) {
    TRAMMEL_EXPECTS(line.size() == ny);
    grid.z.insert(grid.z.end(), line.begin(), line.end());
    const std::vector<double> yy = bending(line, y.spacing);
    grid.yy.insert(grid.yy.end(), yy.begin(), yy.end());
  }
  const auto along_x = [&](const std::vector<double>& of) {
    std::vector<double> out(of.size());
    for (std::size_t j = 0; j < ny; ++j) {
      std::vector<double> line(nx);
      for (std::size_t i = 0; i < nx; ++i) line[i] = of[i * ny + j];
      const std::vector<double> bent = bending(line, x.spacing);
      for (std::size_t i = 0; i < nx; ++i) out[i * ny + j] = bent[i];
    }
    return out;
  };
  grid.xx = along_x(grid.z);
  grid.xxyy = along_x(grid.yy);
  Terrain terrain;
  terrain.shape_ = std::move(grid);
  return terrain;
}

template <class S>
Terrain::Height<S> Terrain::evaluate(const Formula& formula, const S& x, const S& y) {
  const S symbols[] = {x, y};
  std::vector<S> values(std::size_t(formula.graph.size()), S(0.0));
  const Nodes& nodes = formula.graph.nodes();
  for (const int id : formula.nodes)
    values[std::size_t(id)] =
        evaluation::value<S>(nodes, nodes[id], std::span<const S>(symbols), values);
  const auto of = [&](int k) {
    const Expr& e = formula.height[k];
    return e.is_constant() ? S(e.constant()) : values[std::size_t(e.id())];
  };
  return {of(0), of(1), of(2), of(3), of(4), of(5)};
}

template <class S> Terrain::Height<S> Terrain::evaluate(const Grid& grid, const S& x, const S& y) {
  const Weights<S> u = weights(grid.x, grid.nx, x), v = weights(grid.y, grid.ny, y);
  const auto sum = [&](int dx, int dy) {
    S total(0.0);
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) {
        const auto k = std::size_t((u.i + a) * grid.ny + v.i + b);
        total +=
            u.of[dx][a] * (v.of[dy][b] * S(grid.z[k]) + v.of[dy][2 + b] * S(grid.yy[k])) +
            u.of[dx][2 + a] * (v.of[dy][b] * S(grid.xx[k]) + v.of[dy][2 + b] * S(grid.xxyy[k]));
      }
    return total;
  };
  return {sum(0, 0), sum(1, 0), sum(0, 1), sum(2, 0), sum(1, 1), sum(0, 2)};
}

template <Scalar S> Terrain::Height<S> Terrain::at(const S& x, const S& y) const {
  return std::visit([&](const auto& shape) { return evaluate(shape, x, y); }, shape_);
}
using Duals = Dual<native_lanes>;
template Terrain::Height<double> Terrain::at(const double&, const double&) const;
template Terrain::Height<Duals> Terrain::at(const Duals&, const Duals&) const;

}  // namespace trammel
