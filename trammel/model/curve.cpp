#include "trammel/model/curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <span>

#include "trammel/scalar/dual.hpp"
#include "trammel/scalar/expr_derivative.hpp"
#include "trammel/scalar/expr_evaluate.hpp"
#include "trammel/scalar/expr_parser.hpp"
#include "trammel/scalar/pack.hpp"

namespace trammel {

namespace {

double value_at(double x) { return x; }
template <int N> double value_at(const Dual<N>& x) { return x.value; }

bool is_finite(const Vec3<double>& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}
std::string text_of(const Vec3<double>& a) {
  const double small = 1e-9 * norm(a) + 1e-12;
  const auto shown = [&](double x) { return std::abs(x) < small ? 0.0 : x; };
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", shown(a.x), shown(a.y), shown(a.z));
}

// Solves lower[i] x[i-1] + diagonal[i] x[i] + upper[i] x[i+1] = right[i] (Thomas' algorithm; the
// matrix is diagonally dominant).
std::vector<Vec3<double>> solve_tridiagonal(const std::vector<double>& lower,
                                            std::vector<double> diagonal,
                                            const std::vector<double>& upper,
                                            std::vector<Vec3<double>> right) {
  const std::size_t n = right.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = lower[i] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    right[i] = right[i] - factor * right[i - 1];
  }
  right[n - 1] = (1 / diagonal[n - 1]) * right[n - 1];
  for (std::size_t i = n - 1; i-- > 0;)
    right[i] = (1 / diagonal[i]) * (right[i] - upper[i] * right[i + 1]);
  return right;
}

// Second derivatives M at the points of a cubic spline with intervals h:
//   h[i-1] M[i-1] + 2 (h[i-1] + h[i]) M[i] + h[i] M[i+1]
//     = 6 ((p[i+1] - p[i]) / h[i] - (p[i] - p[i-1]) / h[i-1])
// with M = 0 at the ends of an open spline, and indices modulo n for a closed one (its last point
// equals its first).
std::vector<Vec3<double>> spline_bending(const std::vector<Vec3<double>>& p,
                                         const std::vector<double>& h, bool closed) {
  const std::size_t intervals = h.size();
  const std::size_t n = closed ? intervals : intervals + 1;
  std::vector<double> lower(n, 0.0), diagonal(n, 1.0), upper(n, 0.0);
  std::vector<Vec3<double>> right(n);
  for (std::size_t i = closed ? 0 : 1; i < (closed ? n : n - 1); ++i) {
    const std::size_t before = i == 0 ? intervals - 1 : i - 1;
    lower[i] = h[before], diagonal[i] = 2 * (h[before] + h[i]), upper[i] = h[i];
    right[i] = 6 * ((1 / h[i]) * (p[i + 1] - p[i]) - (1 / h[before]) * (p[before + 1] - p[before]));
  }
  std::vector<Vec3<double>> M;
  if (!closed) {
    M = solve_tridiagonal(lower, diagonal, upper, right);
  } else {
    // cyclic: the corner h of the matrix by a change of rank one [Sherman, Morrison]
    const double corner = lower[0], shift = -diagonal[0];
    diagonal[0] -= shift;
    diagonal[n - 1] -= corner * corner / shift;
    std::vector<Vec3<double>> unit(n);
    unit[0].x = shift, unit[n - 1].x = corner;
    M = solve_tridiagonal(lower, diagonal, upper, right);
    const std::vector<Vec3<double>> z = solve_tridiagonal(lower, diagonal, upper, unit);
    const double ratio = corner / shift;
    const Vec3<double> part = (1 / (1 + z[0].x + ratio * z[n - 1].x)) * (M[0] + ratio * M[n - 1]);
    for (std::size_t i = 0; i < n; ++i) M[i] = M[i] - z[i].x * part;
    M.push_back(M[0]);
  }
  return M;
}

// Directions spread evenly over half a sphere, after the axes.
std::vector<Vec3<double>> spread_directions() {
  std::vector<Vec3<double>> all = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  constexpr int count = 100;
  const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
  for (int k = 0; k < count; ++k) {
    const double z = (k + 0.5) / count, r = std::sqrt(1 - z * z);
    all.push_back({r * std::cos(golden * k), r * std::sin(golden * k), z});
  }
  return all;
}

// A direction across all tangents, if there is one: the curve lies in a plane.
Vec3<double> plane_normal(const std::vector<Vec3<double>>& tangents) {
  Vec3<double> normal{};
  for (const Vec3<double>& t : tangents)
    if (const Vec3<double> n = cross(tangents[0], t); norm(n) > norm(normal)) normal = n;
  return norm(normal) > 1e-6 ? (1 / norm(normal)) * normal : Vec3<double>{};
}

}  // namespace

std::variant<Curve, CurveMistake> Curve::through(const std::vector<Vec3<double>>& points,
                                                 bool closed) {
  const std::size_t least = closed ? 3 : 2;
  if (points.size() < least)
    return CurveMistake{"points",
                        fmt::format("has {} point{}", points.size(), points.size() == 1 ? "" : "s"),
                        closed ? "give three or more points for a closed curve"
                               : "give two points for a straight line, or more"};
  Spline spline;
  spline.points = points;
  if (closed) spline.points.push_back(points[0]);
  double extent = 0;
  for (const Vec3<double>& p : points) extent = std::max(extent, norm(p - points[0]));
  std::vector<double> intervals, s;
  spline.knots.push_back(0);
  for (std::size_t k = 0; k + 1 < spline.points.size(); ++k) {
    intervals.push_back(norm(spline.points[k + 1] - spline.points[k]));
    if (!(intervals[k] > 1e-9 * extent)) {
      const bool is_last = closed && k + 1 == points.size();
      return CurveMistake{
          "points",
          fmt::format("has points {} and {} at one place, {}", k + 1, is_last ? 1 : k + 2,
                      text_of(points[k])),
          is_last ? "a closed curve returns to its first point by itself: leave out the last"
                  : "leave out one of them"};
    }
    spline.knots.push_back(spline.knots.back() + intervals[k]);
  }
  spline.bending = spline_bending(spline.points, intervals, closed);
  constexpr std::size_t enough = 64;
  const int parts =
      int(std::max<std::size_t>(4, (enough + intervals.size() - 1) / intervals.size()));
  for (std::size_t k = 0; k < intervals.size(); ++k)
    for (int part = 0; part < parts; ++part)
      s.push_back(spline.knots[k] + intervals[k] * part / parts);
  s.push_back(spline.knots.back());

  Curve curve;
  curve.shape_ = std::move(spline);
  curve.is_closed_ = closed;
  CurveMistake mistake = curve.finish(s, "points");
  if (!mistake.fact.empty()) return mistake;
  return curve;
}

std::variant<Curve, CurveMistake> Curve::of_formulas(const Formulas& formulas) {
  if (!(formulas.from < formulas.to))
    return CurveMistake{
        "to", fmt::format("begins at s = {:.9g} and ends at {:.9g}", formulas.from, formulas.to),
        "give a `to` above `from`"};
  Formula made;
  const Expr s = made.graph.symbol("s");
  std::map<std::string, Expr, std::less<>> meanings = {{"s", s}};
  std::vector<std::string> known = {"s"};
  for (const auto& [name, value] : formulas.names) {
    meanings.emplace(name, Expr(value));
    known.push_back(name);
  }
  const auto resolve = [&](std::string_view name) -> std::optional<Expr> {
    const auto found = meanings.find(name);
    return found == meanings.end() ? std::nullopt : std::optional(found->second);
  };
  const std::string* const texts[] = {&formulas.x, &formulas.y, &formulas.z};
  for (int axis = 0; axis < 3; ++axis) {
    made.parts[0][axis] = Expr(0.0);
    if (!texts[axis]->empty()) {
      const std::variant<Expr, ParseError> parsed = parse(*texts[axis], resolve, known);
      if (const auto* mistake = std::get_if<ParseError>(&parsed))
        return CurveMistake{
            std::string(1, "xyz"[axis]),
            fmt::format("has {} = \"{}\": {}", "xyz"[axis], *texts[axis], mistake -> message),
            mistake->hint.empty() ? "it is a formula of s, and of the names that `with` gives"
                                  : mistake->hint};
      made.parts[0][axis] = std::get<Expr>(parsed);
    }
    for (int order = 1; order < 3; ++order)
      made.parts[order][axis] = derivative(made.parts[order - 1][axis], s);
  }
  std::vector<Expr> all;
  for (const auto& row : made.parts) all.insert(all.end(), std::begin(row), std::end(row));
  made.nodes = live_nodes(all);
  Curve curve;
  curve.shape_ = std::move(made);
  curve.is_closed_ = formulas.closed;
  constexpr int parts = 256;
  std::vector<double> at;
  for (int k = 0; k <= parts; ++k)
    at.push_back(k == parts ? formulas.to
                            : formulas.from + (formulas.to - formulas.from) * k / parts);
  CurveMistake mistake = curve.finish(at, formulas.x.empty() ? "y" : "x");
  if (!mistake.fact.empty()) return mistake;
  if (!formulas.closed) return curve;

  const Formula& formula = std::get<Formula>(curve.shape_);
  const Point<double> first = evaluate(formula, formulas.from),
                      last = evaluate(formula, formulas.to);
  const double period = formulas.to - formulas.from;
  const double gaps[] = {norm(last.c - first.c), period * norm(last.first - first.first),
                         period * period * norm(last.second - first.second)};
  const char* const what[] = {"position", "tangent", "curvature"};
  for (int order = 0; order < 3; ++order)
    if (!(gaps[order] <= 1e-6 * curve.length_ * std::pow(10, order)))
      return CurveMistake{"closed",
                          fmt::format("is closed, but its {} at s = {:.9g} is not that at {:.9g}",
                                      what[order], formulas.to, formulas.from),
                          "give formulas that repeat after `to`, or leave `closed` out"};
  return curve;
}

// Samples between which the tangent turns by little, starting from a division of the parameter.
CurveMistake Curve::sample(const std::vector<double>& at_s, const char* key,
                           std::vector<Vec3<double>>& tangents) {
  constexpr std::size_t most = 4096;
  constexpr double little = 0.94;  // cosine of 20 degrees
  std::vector<double> ahead(at_s.rbegin(), at_s.rend());
  const double least = 1e-9 * (at_s.back() - at_s.front());
  while (!ahead.empty()) {
    const double s = ahead.back();
    const Point<double> point =
        std::visit([&](const auto& shape) { return evaluate(shape, s); }, shape_);
    if (!is_finite(point.c) || !is_finite(point.first) || !is_finite(point.second))
      return {key, fmt::format("is not finite, or has no finite derivatives, at s = {:.6g}", s),
              "give a curve that is smooth from end to end"};
    if (!samples_.empty() && samples_.size() < most && s - samples_.back().s > least &&
        dot(point.first, tangents.back()) < little * norm(point.first) * norm(tangents.back())) {
      ahead.push_back((samples_.back().s + s) / 2);
      continue;
    }
    ahead.pop_back();
    samples_.push_back({s, point.c});
    tangents.push_back(point.first);
  }
  for (std::size_t k = 1; k < samples_.size(); ++k) {
    const double chord = norm(samples_[k].c - samples_[k - 1].c);
    length_ += chord;
    longest_chord_ = std::max(longest_chord_, chord);
  }
  return {};
}

CurveMistake Curve::finish(const std::vector<double>& at_s, const char* key) {
  std::vector<Vec3<double>> tangents;
  if (CurveMistake mistake = sample(at_s, key, tangents); !mistake.fact.empty()) return mistake;
  // between samples |c'| may be smaller: search around the smallest (golden section)
  std::size_t slow = 0;
  double fastest = 0;
  for (std::size_t k = 0; k < tangents.size(); ++k) {
    if (norm(tangents[k]) < norm(tangents[slow])) slow = k;
    fastest = std::max(fastest, norm(tangents[k]));
  }
  double lower = samples_[slow > 0 ? slow - 1 : 0].s,
         upper = samples_[std::min(slow + 1, samples_.size() - 1)].s;
  const auto speed_at = [&](double s) { return norm(at(s).first); };
  for (int k = 0; k < 80; ++k) {
    const double a = lower + 0.381966 * (upper - lower), b = lower + 0.618034 * (upper - lower);
    (speed_at(a) < speed_at(b) ? upper : lower) = speed_at(a) < speed_at(b) ? b : a;
  }
  const double where = (lower + upper) / 2;
  if (!(std::min(speed_at(where), norm(tangents[slow])) > 1e-6 * fastest))
    return {key,
            fastest > 0 ? fmt::format("has no tangent near s = {:.3g}: its derivative is zero",
                                      std::abs(where) < 1e-9 ? 0.0 : where)
                        : "is a single point",
            "give a curve without cusps that does not stop"};

  for (Vec3<double>& t : tangents) t = (1 / norm(t)) * t;
  std::vector<Vec3<double>> candidates = spread_directions();
  if (const Vec3<double> n = plane_normal(tangents); norm(n) > 0)
    candidates.insert(candidates.begin(), n);
  double best = 2;
  for (const Vec3<double>& r : candidates) {
    double most = 0;
    for (const Vec3<double>& t : tangents) most = std::max(most, std::abs(dot(r, t)));
    if (most < best - 1e-9) best = most, reference_ = r;
  }
  // samples are up to 20 degrees apart: 11 degrees from each of them, no tangent is parallel
  if (!(best < 0.98))
    return {key, "winds through all directions of space", "divide it into two curves"};
  if (Vec3<double> crossing{}; crosses_itself(crossing))
    return {key, fmt::format("crosses itself at {}", text_of(crossing)),
            is_closed_ ? "a point there could go on along either branch: give a curve that does not"
                       : "a point there could go on along either branch: give a curve that does "
                         "not, or, if it ends where it begins, say closed = true"};
  return {};
}

// Two parts of the curve that meet: pairs of chords that are near each other, then the least
// distance of the two parts by Gauss and Newton's method.
bool Curve::crosses_itself(Vec3<double>& where) const {
  const std::size_t n = samples_.size() - 1;  // chords
  const double period = end() - begin();
  const auto middle = [&](std::size_t k) { return 0.5 * (samples_[k].c + samples_[k + 1].c); };
  const auto chord = [&](std::size_t k) { return norm(samples_[k + 1].c - samples_[k].c); };
  const auto width = [&](std::size_t k) { return samples_[k + 1].s - samples_[k].s; };
  const auto apart = [&](double a, double b) {
    const double gap = std::abs(a - b);
    return is_closed_ ? std::min(gap, period - gap) : gap;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3<double> here = middle(i);
    const double reach = chord(i);
    for (std::size_t j = i + 2; j < n; ++j) {
      const Vec3<double> between = middle(j) - here;
      const double limit = 0.75 * (reach + chord(j)), widths = width(i) + width(j);
      if (dot(between, between) > limit * limit) continue;
      double a = samples_[i].s + width(i) / 2, b = samples_[j].s + width(j) / 2;
      if (apart(a, b) < 1.25 * widths) continue;
      for (int iteration = 0; iteration < 30; ++iteration) {
        const Point<double> p = at(a), q = at(b);
        const Vec3<double> d = p.c - q.c;
        const double damped = 1 + 1e-9;
        const double aa = dot(p.first, p.first) * damped, bb = dot(q.first, q.first) * damped;
        const double ab = dot(p.first, q.first), ra = dot(p.first, d), rb = dot(q.first, d);
        const double determinant = aa * bb - ab * ab;
        a -= std::clamp((ra * bb - rb * ab) / determinant, -width(i), width(i));
        b -= std::clamp((ra * ab - rb * aa) / determinant, -width(j), width(j));
        if (!is_closed_) a = std::clamp(a, begin(), end()), b = std::clamp(b, begin(), end());
      }
      if (apart(a, b) > widths / 2 && norm(at(a).c - at(b).c) < 1e-9 * length_) {
        where = at(a).c;
        return true;
      }
    }
  }
  return false;
}

// Root of (c(s) - x) . c'(s) between two samples around a local minimum of the distance: Newton's
// method, with bisection where it leaves the interval or the distance is not convex.
double Curve::refine(const Vec3<double>& x, double lower, double upper) const {
  double s = (lower + upper) / 2;
  for (int k = 0; k < 100; ++k) {
    const Point<double> point = at(s);
    const Vec3<double> d = point.c - x;
    const double f = dot(d, point.first);
    const double f_s = dot(point.first, point.first) + dot(d, point.second);
    (f > 0 ? upper : lower) = s;
    double next = s - f / f_s;
    if (!(f_s > 0) || !(next >= lower && next <= upper)) next = (lower + upper) / 2;
    if (std::abs(next - s) <= 1e-16 * std::max(std::abs(s), end() - begin())) return next;
    s = next;
  }
  return s;
}

Curve::Nearest Curve::nearest(const Vec3<double>& x) const {
  const std::size_t n = samples_.size();
  const auto squared = [&](std::size_t k) {
    const Vec3<double> d = samples_[k].c - x;
    return dot(d, d);
  };
  double least = squared(0);
  for (std::size_t k = 1; k < n; ++k) least = std::min(least, squared(k));
  const double far = std::sqrt(least) + longest_chord_;

  // a local minimum of the distance lies next to a sample that is nearer than its neighbors
  Nearest best;
  double best_distance = -1;
  double before = is_closed_ ? squared(n - 2) : squared(0), here = squared(0);
  const std::size_t count = is_closed_ ? n - 1 : n;
  for (std::size_t k = 0; k < count; ++k) {
    const double after = k + 1 < n ? squared(k + 1) : here;
    if (here <= far * far && here <= before && here <= after) {
      const double period = end() - begin();
      const double lower = k > 0        ? samples_[k - 1].s
                           : is_closed_ ? samples_[n - 2].s - period
                                        : begin();
      const double s = refine(x, lower, samples_[std::min(k + 1, n - 1)].s);
      const Vec3<double> d = at(s).c - x;
      if (best_distance < 0 || dot(d, d) < best_distance)
        best_distance = dot(d, d), best.s = is_closed_ && s < begin() ? s + period : s;
    }
    before = here;
    here = after;
  }
  if (is_closed_) return best;
  for (const double stop : {begin(), end()}) {
    const double sign = stop == begin() ? -1 : 1;
    if (std::abs(best.s - stop) > 1e-9 * (end() - begin())) continue;
    const Point<double> point = at(stop);
    const double speed = norm(point.first);
    const double by = sign * dot(x - point.c, point.first) / speed;
    if (by > 0) best = {stop + sign * by / speed, by};
  }
  return best;
}

std::vector<Vec3<double>> Curve::polygon() const {
  std::vector<Vec3<double>> points;
  for (const Sample& sample : samples_) points.push_back(sample.c);
  return points;
}

template <class S> Curve::Point<S> Curve::evaluate(const Spline& spline, const S& s) {
  const double place = value_at(s);
  const auto above = std::ranges::upper_bound(spline.knots, place);
  const std::size_t i = std::size_t(std::clamp<std::ptrdiff_t>(
      above - spline.knots.begin() - 1, 0, std::ptrdiff_t(spline.knots.size()) - 2));
  const double h = spline.knots[i + 1] - spline.knots[i];
  const S b = (s - S(spline.knots[i])) / S(h), a = S(1.0) - b;
  const auto sum = [&](const S& p, const S& q, const S& m, const S& k) {
    const auto part = [&](double pi, double qi, double mi, double ki) {
      return p * S(pi) + q * S(qi) + m * S(mi) + k * S(ki);
    };
    const Vec3<double>&P = spline.points[i], &Q = spline.points[i + 1];
    const Vec3<double>&M = spline.bending[i], &K = spline.bending[i + 1];
    return Vec3<S>{part(P.x, Q.x, M.x, K.x), part(P.y, Q.y, M.y, K.y), part(P.z, Q.z, M.z, K.z)};
  };
  const S six(h * h / 6), slope(h / 6), three(3.0), one(1.0), none(0.0);
  return {sum(a, b, six * (a * a * a - a), six * (b * b * b - b)),
          sum(S(-1 / h), S(1 / h), -slope * (three * a * a - one), slope * (three * b * b - one)),
          sum(none, none, a, b)};
}

template <class S> Curve::Point<S> Curve::evaluate(const Formula& formula, const S& s) {
  const S symbols[] = {s};
  std::vector<S> values(std::size_t(formula.graph.size()), S(0.0));
  const Nodes& nodes = formula.graph.nodes();
  for (const int id : formula.nodes)
    values[std::size_t(id)] =
        evaluation::value<S>(nodes, nodes[id], std::span<const S>(symbols), values);
  const auto of = [&](int order) {
    const auto number = [&](const Expr& e) {
      return e.is_constant() ? S(e.constant()) : values[std::size_t(e.id())];
    };
    return Vec3<S>{number(formula.parts[order][0]), number(formula.parts[order][1]),
                   number(formula.parts[order][2])};
  };
  return {of(0), of(1), of(2)};
}

template <Scalar S> Curve::Point<S> Curve::at(const S& s) const {
  const auto shape_at = [&](const S& x) {
    return std::visit([&](const auto& shape) { return evaluate(shape, x); }, shape_);
  };
  const double place = value_at(s), period = end() - begin();
  if (is_closed_) return shape_at(s - S(period * std::floor((place - begin()) / period)));
  if (place >= begin() && place <= end()) return shape_at(s);
  const double stop = place < begin() ? begin() : end();
  const Point<S> last = shape_at(S(stop));
  return {last.c + (s - S(stop)) * last.first, last.first, {}};
}
using CurveDuals = Dual<native_lanes>;
template Curve::Point<double> Curve::at(const double&) const;
template Curve::Point<CurveDuals> Curve::at(const CurveDuals&) const;

}  // namespace trammel
