// Animated GIF of a simulation: a sequence of stick figures.
#pragma once

#include <string>
#include <vector>

#include "trammel/simulate/run_snapshot.hpp"
#include "trammel/write/plot/stick_figure.hpp"

namespace trammel {

// Observer of a run that stores the samples that become frames: 25 per second of the animation. A
// run of 3 to 10 s is shown in real time; others slower or faster by 1, 2 or 5 times a power of
// ten, so that the animation takes 3 to 10 s.
class Animation {
 public:
  Animation(const Model& model, double start, double duration);

  [[nodiscard]] Status observe(const State& state, Workspace& workspace);
  // For a mechanism that events may have changed.
  [[nodiscard]] Status observe(const RunSnapshot& snapshot);

  double speed() const { return speed_; }  // 1: real time
  // GIF89a, repeating. Empty if there was no sample.
  [[nodiscard]] std::string gif(StickFigureOptions options = {
                                    .names = false, .faces_flat = true, .colors = true}) const;

 private:
  Status add(const Model& model, const State& state, Workspace& workspace);

  const Model& model_;
  double start_, speed_ = 1;
  std::vector<double> times_;
  std::vector<Snapshot> frames_;
};

}  // namespace trammel
