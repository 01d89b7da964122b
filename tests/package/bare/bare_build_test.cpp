// A build without HDF5, SUNDIALS and npm has all other functions, and reports what is missing and
// what to do.
#include <gtest/gtest.h>

#include <stdexcept>

#include "trammel/dynamics/kinematics.hpp"
#include "trammel/read/load.hpp"
#include "trammel/simulate/simulate.hpp"
#include "trammel/write/report/recorded_plots.hpp"
#include "trammel/write/report/recorded_report.hpp"
#include "trammel/write/run/csv.hpp"
#include "trammel/write/run/hdf5.hpp"

namespace trammel {
namespace {

// The message of the exception.
template <class Error, class Act> std::string told_by(const Act& act) {
  try {
    act();
  } catch (const Error& error) { return error.what(); }
  return "nothing was thrown";
}

struct Swing {
  Model model = load_model("@double_pendulum");
  Workspace workspace = Workspace(model);
  SimulationInputs run_inputs = SimulationInputs(model);
  Recorder recorder = Recorder(model, run_inputs, {"positions"});
  State state = start_state(model);
  RunStatistics statistics;

  Status run(Method method) {
    RunOptions options;
    options.method = method;
    options.duration = 0.1;
    options.sample = 0.01;
    return simulate(
        model, state, run_inputs, options, workspace,
        [&](const RunSnapshot& snapshot) { return recorder.observe(snapshot); }, statistics);
  }
};

TEST(BareBuild, simulates_and_writes_tables) {
  Swing swing;
  ASSERT_TRUE(swing.run(Method::dormand_prince).ok());
  EXPECT_EQ(read_csv(write_csv(swing.recorder.recording()), "run.csv").samples(), 11u);
}

TEST(BareBuild, refuses_hdf5_and_says_what_to_do) {
  EXPECT_NE(hdf5_lacks().find("install libhdf5-dev"), std::string::npos);
  EXPECT_EQ(told_by<std::runtime_error>([] { (void)write_hdf5({}); }), hdf5_lacks());
  const std::string bytes = "\x89HDF\r\n\x1a\n";
  ASSERT_TRUE(is_hdf5(bytes));
  const std::string told = told_by<ModelError>([&] { (void)read_hdf5(bytes, "run.h5"); });
  EXPECT_EQ(told.find("run.h5: error: cannot be read"), 0u) << told;
  EXPECT_NE(told.find(hdf5_lacks()), std::string::npos) << told;
}

TEST(BareBuild, refuses_bdf_and_offers_radau) {
  EXPECT_EQ(method_lacks(Method::radau), "");
  const std::string lacks = method_lacks(Method::bdf);
  EXPECT_NE(lacks.find("install it (libsundials-dev)"), std::string::npos) << lacks;
  Swing swing;
  EXPECT_EQ(swing.run(Method::bdf).message(), "simulate: " + lacks);
  EXPECT_TRUE(swing.run(Method::radau).ok());
}

TEST(BareBuild, pages_are_plain_and_say_so) {
  Swing swing;
  ASSERT_TRUE(swing.run(Method::dormand_prince).ok());
  const Recording& recording = swing.recorder.recording();
  EXPECT_EQ(report_page_lacks(), "npm was not found when it was configured");
  for (const std::string& page :
       {plots_page(recording, columns_like(recording, "*")),
        report_page(swing.model, recorded_report(swing.model, recording))}) {
    EXPECT_NE(page.find("because " + report_page_lacks() + ". Install npm"), std::string::npos);
    EXPECT_NE(page.find("<svg"), std::string::npos);
    EXPECT_EQ(page.find("<script"), std::string::npos);
  }
}

}  // namespace
}  // namespace trammel
