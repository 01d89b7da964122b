// Lines of a picture, read back from its SVG.
#pragma once

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace trammel {

struct SvgLine {
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
};
inline std::vector<SvgLine> svg_lines(const std::string& svg, const std::string& kind) {
  std::vector<SvgLine> out;
  const std::string begin = "<line class=\"" + kind + "\" ";
  for (std::size_t at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at + 1)) {
    SvgLine line;
    EXPECT_EQ(
        std::sscanf(svg.c_str() + at + begin.size(), "x1=\"%lf\" y1=\"%lf\" x2=\"%lf\" y2=\"%lf\"",
                    &line.x1, &line.y1, &line.x2, &line.y2),
        4);
    out.push_back(line);
  }
  return out;
}

// The drawings of a series, one text each.
inline std::vector<std::string> svg_groups(const std::string& svg) {
  std::vector<std::string> out;
  for (std::size_t at = svg.find("<g "); at != std::string::npos; at = svg.find("<g ", at + 1))
    out.push_back(svg.substr(at, svg.find("</g>", at) - at));
  return out;
}

// Points of a plane that were drawn, and their positions on the paper. One scale and one shift must
// explain all of them; computes the largest deviation in pixels.
struct Drawn {
  std::vector<Eigen::Vector2d> wanted, found;

  void add(double right, double up, double x, double y) {
    wanted.push_back({right, up});
    found.push_back({x, y});
  }
  double scale = 0;  // [px/m], set by the fit
  double worst() {
    const auto n = Eigen::Index(wanted.size());
    if (n < 2) return std::numeric_limits<double>::infinity();
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n, 3);
    Eigen::VectorXd b(2 * n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const auto i = std::size_t(k);
      A.row(2 * k) << wanted[i].x(), 1, 0;
      A.row(2 * k + 1) << -wanted[i].y(), 0, 1;  // down the paper
      b.segment<2>(2 * k) = found[i];
    }
    const Eigen::VectorXd camera = A.colPivHouseholderQr().solve(b);
    scale = camera[0];
    return (A * camera - b).cwiseAbs().maxCoeff();
  }
};

}  // namespace trammel
