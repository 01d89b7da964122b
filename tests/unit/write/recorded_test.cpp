// Output from a recording alone: plots of its columns, and a report page.
#include <gtest/gtest.h>

#include <stdexcept>

#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/read/load.hpp"
#include "trammel/simulate/simulate.hpp"
#include "trammel/write/report/recorded_plots.hpp"
#include "trammel/write/report/recorded_report.hpp"
#include "trammel/write/report/run_report.hpp"
#include "trammel/write/run/csv.hpp"

namespace trammel::recorded_test {
namespace {

struct RecordedRun {
  explicit RecordedRun(const std::vector<std::string>& quantities)
      : recorder(model, run_inputs, quantities), watched(model, run_inputs) {
    EXPECT_TRUE(assembled_start(model, workspace, state).ok());
    RunOptions options;
    options.duration = 0.3;
    options.sample = 0.05;
    const Status status = simulate(
        model, state, run_inputs, options, workspace,
        [&](const RunSnapshot& snapshot) {
          if (Status seen = watched.observe(snapshot); !seen) return seen;
          return recorder.observe(snapshot);
        },
        statistics);
    EXPECT_TRUE(status.ok()) << status.message();
  }

  Model model = load_model("@four_bar");
  Workspace workspace = Workspace(model);
  SimulationInputs run_inputs = SimulationInputs(model);
  Recorder recorder;
  RunReport watched;
  State state;
  RunStatistics statistics;
};

TEST(Recorded, columns_are_found_by_pattern) {
  Recording recording;
  for (const char* name : {"time", "q.elbow", "q.wrist", "v.elbow", "violation.position", "tie.q"})
    recording.columns.push_back({name, name[0] == 'v' ? "rad/s" : "m", {}});
  recording.values = {0, 1, 2, 3, 4, 5};
  using Columns = std::vector<std::size_t>;
  EXPECT_EQ(columns_like(recording, "q.*"), (Columns{1, 2}));
  EXPECT_EQ(columns_like(recording, "*elbow"), (Columns{1, 3}));
  EXPECT_EQ(columns_like(recording, "*"), (Columns{1, 2, 3, 4, 5}));
  EXPECT_EQ(columns_like(recording, "t*e"), (Columns{}));  // the time is not among them
  EXPECT_EQ(columns_like(recording, "q.elbow"), (Columns{1}));
  EXPECT_EQ(recorded_plots(recording, columns_like(recording, "*")).size(), 2u);  // m, rad/s
  EXPECT_EQ(natural_size(recording, 1), 5);
  EXPECT_EQ(natural_size(recording, 4), 0);
}

TEST(Recorded, page_of_plots_has_a_drawing_for_each_unit_and_keeps_names_names) {
  Recording recording;
  recording.columns = {
      {"time", "s", {}}, {"q.</script>", "m", {}}, {"v", "m/s", {}}, {"w", "m", {}}};
  recording.values = {0, 1, 2, 3, 0.5, 4, 5, 6};
  const std::string page = plots_page(recording, columns_like(recording, "*"), "a <b> title");
  EXPECT_NE(page.find("<title>a &lt;b&gt; title</title>"), std::string::npos);
  EXPECT_EQ(page.find("q.</script>"), std::string::npos);
  std::size_t drawings = 0;
  for (std::size_t at = 0; (at = page.find("<svg", at)) != std::string::npos; ++at) ++drawings;
  EXPECT_EQ(drawings, 2u);
  const std::string lacks = report_page_lacks();
  EXPECT_EQ(page.find("because " + lacks) == std::string::npos, lacks.empty());
  recording.values[4] = -1;  // earlier than the preceding sample
  EXPECT_THROW((void)plots_page(recording, columns_like(recording, "*")), std::invalid_argument);
}

// The report of a recording, through a CSV file and back, has the poses and arrows of the report
// made during the run.
TEST(Recorded, report_is_that_of_the_run) {
  const RecordedRun run({"positions", "reactions", "energy"});
  const Recording back = read_csv(write_csv(run.recorder.recording()), "run.csv");
  const MotionReport found = recorded_report(run.model, back, run.statistics);
  const MotionReport wanted =
      run.watched.finish(back, Audit(run.model, run.run_inputs), RunOptions(), run.statistics);
  ASSERT_EQ(found.times, wanted.times);
  ASSERT_EQ(found.arrows.size(), wanted.arrows.size());
  for (std::size_t s = 0; s < wanted.times.size(); ++s) {
    for (std::size_t b = 0; b < wanted.poses[s].size(); ++b) {
      EXPECT_LT(norm(found.poses[s][b].p - wanted.poses[s][b].p), 1e-14);
      EXPECT_LT(norm(found.poses[s][b].R.x - wanted.poses[s][b].R.x), 1e-14);
    }
    for (std::size_t k = 0; k < wanted.arrows.size(); ++k) {
      EXPECT_LT(norm(found.arrows[k].at[s] - wanted.arrows[k].at[s]), 1e-14);
      EXPECT_LT(norm(found.arrows[k].force[s] - wanted.arrows[k].force[s]), 1e-10);
    }
  }
  for (const MotionReport::Series& series : found.series)
    EXPECT_EQ(series.group, series.name.starts_with("q.")          ? "positions"
                            : series.name.starts_with("reaction.") ? "reactions"
                                                                   : "energy");
}

TEST(Recorded, report_wants_positions) {
  const RecordedRun run({"energy"});
  try {
    (void)recorded_report(run.model, run.recorder.recording());
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()).find("report: the run has no 'q.motor'"), 0u);
  }
}

}  // namespace
}  // namespace trammel::recorded_test
