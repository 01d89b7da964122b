// Which numbers of a motion are kept, sample after sample, with their names and units.
#pragma once

#include <string>
#include <vector>

#include "trammel/dynamics/workspace.hpp"
#include "trammel/simulate/moment.hpp"

namespace trammel {

struct Column {
  std::string name;   // "q.elbow", "energy.total"
  std::string unit;   // "rad"; "1" for what has none
  std::string group;  // the quantity it belongs to: "positions"
};

// One row a sample. The first column is the time.
struct Recording {
  std::vector<Column> columns;
  std::vector<double> values;  // row after row
  std::size_t samples() const { return columns.empty() ? 0 : values.size() / columns.size(); }
  double at(std::size_t sample, std::size_t column) const {
    return values[sample * columns.size() + column];
  }
  // All samples of one; throws std::invalid_argument, with a suggestion, if there is none.
  std::vector<double> column(std::string_view name) const;
};

struct RecordedQuantity {
  std::string_view name, meaning;
};
// What can be kept: "positions", "velocities", ...
std::span<const RecordedQuantity> recorded_quantities();

class Recorder {
 public:
  // Throws std::invalid_argument, with a suggestion, for a quantity that is not there.
  Recorder(const Model& model, const Drives& drives, const std::vector<std::string>& quantities);
  ~Recorder();

  // Works the quantities out at a state and keeps them. Fails where one has no answer there.
  [[nodiscard]] Status see(const State& state, Workspace& workspace);
  // The same of a mechanism that may have changed since: what a loop that is gone would tell is
  // nan.
  [[nodiscard]] Status see(const Moment& moment);
  const Recording& recording() const { return recording_; }
  // The row that was kept last.
  std::span<const double> last() const { return row_; }
  // Of one whose rows someone else keeps: those so far are given up.
  void forget() { recording_.values.clear(); }

  // What is worked out once for a sample and used by several quantities.
  struct Sample;
  using Ask = Status (*)(Sample& sample, std::vector<double>& out);

 private:
  const Model& model_;
  const Drives& drives_;
  std::vector<Ask> asks_;
  std::unique_ptr<Drives::Acting> acting_;
  std::vector<double> row_;
  Recording recording_;
};

}  // namespace trammel
