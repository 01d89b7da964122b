// Recording of selected quantities of a motion, sample by sample, with names and units.
#pragma once

#include <string>
#include <vector>

#include "trammel/dynamics/workspace.hpp"
#include "trammel/simulate/run_snapshot.hpp"

namespace trammel {

struct Column {
  std::string name;   // "q.elbow", "energy.total"
  std::string unit;   // "rad"; "1" if dimensionless
  std::string group;  // the quantity it belongs to: "positions"
};

// One row per sample. The first column is the time.
struct Recording {
  std::vector<Column> columns;
  std::vector<double> values;  // row by row
  std::size_t samples() const { return columns.empty() ? 0 : values.size() / columns.size(); }
  double at(std::size_t sample, std::size_t column) const {
    return values[sample * columns.size() + column];
  }
  // All samples of one column; throws std::invalid_argument, with a suggestion, if it does not
  // exist.
  std::vector<double> column(std::string_view name) const;
};

// Quantity that can be recorded, with all its columns: its name, and its meaning in a few words.
struct RecordedQuantity {
  std::string_view name, meaning;
};
// Quantities that can be recorded: "positions", "velocities", ...
std::span<const RecordedQuantity> recorded_quantities();
// Names of all columns of all quantities.
std::vector<std::string> recorded_columns(const Model& model);
// Whether a name matches a pattern such as "q.*"; a star matches any string.
bool is_like(std::string_view pattern, std::string_view name);

// Recorder of one run: observe() computes the selected quantities at a sample and appends a row to
// recording(). The model and the inputs must outlive it.
class Recorder {
 public:
  // Quantities, and single columns of them: "q.elbow", "frame.tip.*". Each column once, in the
  // order given. Throws std::invalid_argument, with a suggestion, for a name that does not exist.
  Recorder(const Model& model, const SimulationInputs& run_inputs,
           const std::vector<std::string>& quantities);
  ~Recorder();

  // Computes the quantities at a state and appends a row. Fails where a quantity is not defined
  // there.
  [[nodiscard]] Status observe(const State& state, Workspace& workspace);
  // The same for a mechanism that may have changed since the start of the run: columns of a loop
  // that no longer exists are nan.
  [[nodiscard]] Status observe(const RunSnapshot& snapshot);
  const Recording& recording() const { return recording_; }
  // The row recorded last.
  std::span<const double> last() const { return row_; }
  // Discards the rows recorded so far, if the caller stores them itself.
  void forget() { recording_.values.clear(); }

 private:
  struct RecordedColumn {  // per column: an entry of a quantity
    std::size_t quantity, number;
  };
  void keep(std::size_t quantity, std::string_view pattern);

  const Model& model_;
  const SimulationInputs& run_inputs_;
  std::vector<RecordedColumn> recorded_;      // per column, without the time
  std::vector<std::vector<double>> numbers_;  // per quantity, at the last sample
  std::unique_ptr<SimulationInputs::Acting> acting_;
  std::vector<double> row_;
  Recording recording_;
};

}  // namespace trammel
