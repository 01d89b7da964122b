#include "trammel/write/plot/animation.hpp"

#include <cmath>

#include <fmt/format.h>

#include "trammel/write/plot/raster/gif.hpp"
#include "trammel/write/plot/raster/svg_image.hpp"

namespace trammel {

namespace {

constexpr double frame = 0.04;                // [s] interval of the animation
constexpr double shortest = 3, longest = 10;  // [s] allowed duration
constexpr int pause = 80;                     // [s / 100] display time of the last frame

// The speed nearest to real time with an allowed duration.
double speed_for(double duration) {
  if (!(duration > 0)) return 1;
  double speed = 1;
  for (int k = 1; duration / speed < shortest * (1 - 1e-9); ++k)
    speed = std::pow(10, -std::ceil(k / 3.0)) * (k % 3 == 1 ? 5 : k % 3 == 2 ? 2 : 1);
  for (int k = 1; duration / speed > longest * (1 + 1e-9); ++k)
    speed = std::pow(10, std::floor(k / 3.0)) * (k % 3 == 1 ? 2 : k % 3 == 2 ? 5 : 1);
  return speed;
}

}  // namespace

Animation::Animation(const Model& model, double start, double duration)
    : model_(model), start_(start), speed_(speed_for(duration)) {}

Status Animation::observe(const State& state, Workspace& workspace) {
  return add(model_, state, workspace);
}
Status Animation::observe(const RunSnapshot& snapshot) {
  return add(snapshot.model, snapshot.state, snapshot.workspace);
}

Status Animation::add(const Model& model, const State& state, Workspace& workspace) {
  const double time = state.time;
  const auto number = [&](double t) { return std::floor((t - start_) / (speed_ * frame) + 1e-6); };
  // the first sample of each frame
  if (!times_.empty() && number(time) <= number(times_.back())) return {};
  Snapshot seen{Kinematics(model)};
  if (Status status = kinematics(model, state, {}, workspace, seen.kinematics); !status)
    return status;
  seen.caption = fmt::format("t = {:.{}f} s", time, speed_ < 0.02 ? 4 : speed_ < 0.2 ? 3 : 2);
  if (speed_ != 1) seen.caption += fmt::format(", {:g} times real time", speed_);
  times_.push_back(time);
  frames_.push_back(std::move(seen));
  return {};
}

std::string Animation::gif(StickFigureOptions options) const {
  if (frames_.empty()) return {};
  const std::vector<std::string> pictures = stick_figure_frames(model_, frames_, options);
  std::vector<Image> samples;
  constexpr std::size_t most = 8;  // enough to find the colors
  for (std::size_t k = 0; k < std::min(most, pictures.size()); ++k)
    samples.push_back(
        rasterize_svg(pictures[k * pictures.size() / std::min(most, pictures.size())]));
  GifWriter out(samples);
  // the format counts hundredths of a second: the remainder is carried to the next frame
  const auto hundredths = [&](std::size_t k) {
    return std::lround(100 * (times_[k] - start_) / speed_);
  };
  for (std::size_t k = 0; k < pictures.size(); ++k)
    out.add(
        rasterize_svg(pictures[k]),
        k + 1 < pictures.size() ? int(std::min(hundredths(k + 1) - hundredths(k), 65535L)) : pause);
  return out.finish();
}

}  // namespace trammel
