// Lines, solids, symbols and labels of one stick figure.
#pragma once

#include <span>
#include <string>

#include "trammel/write/plot/figure_view.hpp"
#include "trammel/write/plot/scenery.hpp"

namespace trammel::figure {

// The style sheet of the elements below.
extern const char* const style_sheet;

// SVG elements of one figure, without the enclosing document.
std::string lines(const Model& model, const Scenery& scenery, const Floor& floor,
                  const Camera& camera, const StickFigureOptions& options);

// A line through points of the world.
std::string polyline(const char* kind, std::span<const Vec3<double>> line, const Camera& camera,
                     const std::string& more = {});

// The rim of a wheel.
std::vector<Vec3<double>> rim_of(const WheelDisk& disk);

}  // namespace trammel::figure
