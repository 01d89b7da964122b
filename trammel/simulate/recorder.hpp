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
// The names of all columns that all of them would make.
std::vector<std::string> recorded_columns(const Model& model);
// Is this a name of the kind "q.*"? A star stands for anything.
bool is_like(std::string_view pattern, std::string_view name);

class Recorder {
 public:
  // Quantities, and single columns of them: "q.elbow", "frame.tip.*". Each column once, in the
  // order asked for. Throws std::invalid_argument, with a suggestion, for what is not there.
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

 private:
  struct Kept {  // of a column: which number of which quantity
    std::size_t quantity, number;
  };
  void keep(std::size_t quantity, std::string_view pattern);

  const Model& model_;
  const Drives& drives_;
  std::vector<Kept> kept_;                    // per column, the time left out
  std::vector<std::vector<double>> numbers_;  // per quantity, of the last sample
  std::unique_ptr<Drives::Acting> acting_;
  std::vector<double> row_;
  Recording recording_;
};

}  // namespace trammel
