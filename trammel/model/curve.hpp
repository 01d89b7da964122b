// Space curve c(s) with first and second derivatives, and its nearest point: for a point that stays
// on a curve (cam, slot).
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "trammel/scalar/expr.hpp"
#include "trammel/spatial/vec3.hpp"

namespace trammel {

// Why no curve could be made: the key of the description, a fact that completes "its curve ...",
// and the next step.
struct CurveMistake {
  std::string key, fact, hint;
};

// Curve in the axes of a frame [m], made by through() or of_formulas() and constant afterwards.
class Curve {
 public:
  // Position and derivatives with respect to the parameter s.
  template <class S> struct Point { Vec3<S> c, first, second; };
  template <Scalar S> Point<S> at(const S& s) const;

  // Cubic spline through points, with continuous curvature; s is the chord length [m] from the
  // first point. Closed: periodic, it returns to the first point. Open: natural, the curvature at
  // both ends is zero; two points are a straight line. Refused: fewer points than that, points that
  // coincide with their successor, a spline with a zero tangent, one that crosses itself.
  static std::variant<Curve, CurveMistake> through(const std::vector<Vec3<double>>& points,
                                                   bool closed);

  // Formulas x(s), y(s), z(s) for from <= s <= to; an empty formula is zero; `names`: values of
  // their other names. Closed: position, tangent and curvature at `to` equal those at `from`.
  // Refused: what is not a formula, a zero tangent, a curve that crosses itself.
  struct Formulas {
    std::string x, y, z;
    std::vector<std::pair<std::string, double>> names;
    double from = 0, to = 1;
    bool closed = false;
  };
  static std::variant<Curve, CurveMistake> of_formulas(const Formulas& formulas);

  bool is_closed() const { return is_closed_; }
  double begin() const { return samples_.front().s; }
  double end() const { return samples_.back().s; }
  double length() const { return length_; }  // [m], of a polygon of fine samples

  // The point of the whole curve that is nearest to x: (x - c(s)) . c'(s) = 0. A function of x
  // alone. Beyond an end of an open curve s continues on the tangent there, and `overshoot` is how
  // far [m]: at() continues likewise, so that iterations can pass an end; no result may.
  struct Nearest {
    double s = 0, overshoot = 0;
  };
  Nearest nearest(const Vec3<double>& x) const;

  // Unit vector that no tangent is parallel to. The normals of the curve follow from it:
  // n1 = r x t / |r x t|, n2 = t x n1. Of a plane curve it is the normal of the plane.
  const Vec3<double>& reference() const { return reference_; }

  // Points along the curve, for drawing.
  std::vector<Vec3<double>> polygon() const;

 private:
  struct Spline {
    std::vector<double> knots;
    std::vector<Vec3<double>> points, bending;  // at the knots: c and c''
  };
  struct Formula {
    Graph graph;       // its symbol is s
    Expr parts[3][3];  // derivative, axis
    std::vector<int> nodes;
  };
  struct Sample {
    double s;
    Vec3<double> c;
  };
  template <class S> static Point<S> evaluate(const Spline& spline, const S& s);
  template <class S> static Point<S> evaluate(const Formula& formula, const S& s);

  // Samples, reference and checks; a mistake, or none if its fact is empty.
  CurveMistake sample(const std::vector<double>& s, const char* key,
                      std::vector<Vec3<double>>& tangents);
  CurveMistake finish(const std::vector<double>& s, const char* key);
  bool crosses_itself(Vec3<double>& where) const;
  double refine(const Vec3<double>& x, double lower, double upper) const;

  std::variant<Spline, Formula> shape_;
  std::vector<Sample> samples_;  // from begin to end
  Vec3<double> reference_{0, 0, 1};
  double length_ = 0, longest_chord_ = 0;
  bool is_closed_ = false;
};

}  // namespace trammel
