// Random formulas for property tests of expressions: one seed is one formula, for every scalar
// type, so that Expr can be compared with doubles. All stay in the domain of their functions, and
// grow no faster than rounding can follow.
#pragma once

#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "trammel/scalar/scalar.hpp"

namespace trammel {

template <Scalar S>
S random_formula(unsigned seed, std::span<const S> symbols, bool with_select = true) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::exp, std::log,
      std::max, std::min, std::pow, std::sin, std::sqrt, std::tan;
  std::mt19937 random(seed);
  std::vector<S> made(symbols.begin(), symbols.end());
  for (const double folding : {0.0, 1.0, -1.0, 2.0, -0.75}) made.push_back(S(folding));

  for (int step = 0; step < 40; ++step) {
    const S x = made[random() % made.size()], y = made[random() % made.size()];
    const S bounded = sin(y);
    // clang-format off
    switch (random() % 24) {
      case 0: made.push_back(x + y); break;
      case 1: made.push_back(x - y); break;
      case 2: made.push_back(x * bounded); break;
      case 3: made.push_back(x / (2.0 + bounded)); break;
      case 4: made.push_back(-x); break;
      case 5: made.push_back(sqrt(1.0 + x * x)); break;
      case 6: made.push_back(sin(x)); break;
      case 7: made.push_back(cos(-x)); break;
      case 8: made.push_back(tan(bounded)); break;
      case 9: made.push_back(asin(0.5 * bounded)); break;
      case 10: made.push_back(acos(0.5 * bounded)); break;
      case 11: made.push_back(atan(x)); break;
      case 12: made.push_back(atan2(x, 2.0 + bounded)); break;
      case 13: made.push_back(exp(-bounded)); break;
      case 14: made.push_back(log(2.0 + bounded)); break;
      case 15: made.push_back(pow(1.5 + bounded, cos(x))); break;
      case 16: made.push_back(pow(1.5 + bounded, S(-2.5))); break;
      case 17: made.push_back(pow(bounded, S(3.0))); break;
      case 18: made.push_back(abs(x)); break;
      case 19: made.push_back(min(x, y)); break;
      case 20: made.push_back(max(x, y)); break;
      case 21: made.push_back(with_select ? select(x < y, bounded, x) : x); break;
      case 22: made.push_back(y / 3.0 - x * -2.0); break;
      default: made.push_back((-x) * (-bounded) + (0.0 * y + 1.0 * x)); break;
    }
    // clang-format on
  }
  // the last ones, each with a symbol, so that no symbol is lost
  S sum = made.back();
  for (std::size_t i = 0; i < symbols.size(); ++i)
    sum += symbols[i] * sin(made[made.size() - 2 - i]);
  return sum;
}

inline std::vector<double> random_point(unsigned seed, std::size_t n) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> coordinate(-1.5, 1.5);
  std::vector<double> point(n);
  for (double& x : point) x = coordinate(random);
  return point;
}

}  // namespace trammel
