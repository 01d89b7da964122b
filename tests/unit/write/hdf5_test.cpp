// A run in HDF5 reads back to the last bit; other or damaged files are reported. The tests of the
// command line check with h5py how other programs read it.
#include "trammel/write/run/hdf5.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "trammel/base/diagnostics.hpp"

namespace trammel::hdf5_test {
namespace {

RunRecord a_run(std::size_t samples) {
  RunRecord run;
  run.metadata = {.program = "trammel 0.1.0",
                  .model_name = "cart",
                  .model_text = "trammel = 1\nname = \"cart, größer\"\n",
                  .has_loops = true,
                  .mode = "dynamic",
                  .options = {.duration = 3, .method = Method::extrapolation, .sample = 0.1},
                  .start = {0.5, {0.1, 0.2}, {1e-300, -0.0}, {}, {}},
                  .acting = {{"tau.rail", "2"}, {"wrench.1.tool", "0 0 0 1 0 0"}}};
  run.recording.columns = {
      {"time", "s", "time"}, {"q.left/arm", "m", "positions"}, {"q.100%", "1", "positions"}};
  run.metadata.columns = run.recording.columns;
  for (std::size_t k = 0; k < samples; ++k)
    for (const double value : {0.1 * double(k), std::sqrt(double(k)), -0.0})
      run.recording.values.push_back(value);
  run.end = {3.5, {0.3, 1 / 3.0}, {std::numeric_limits<double>::denorm_min(), 0}, {7}, {}};
  run.statistics = {3.5, 123, 4, 999, 0.001, 0.1};
  run.statistics.events = {{0.5, "event 'latch'", 0.25}, {1.5, "impact", 0}};
  run.audit = {true, true, 1 / 7.0, 2, 3, 4, 5};
  run.seconds = 0.25;
  run.stopped = "it blew up";
  return run;
}

std::string refusal(const std::string& bytes) {
  try {
    (void)read_hdf5(bytes, "run.h5");
  } catch (const ModelError& error) { return error.diagnostics().list()[0].message; }
  return "";
}

TEST(hdf5, reads_back_to_the_last_bit) {
  for (const std::size_t samples : {std::size_t(0), std::size_t(1), std::size_t(40000)}) {
    const RunRecord run = a_run(samples);
    const std::string bytes = write_hdf5(run);
    EXPECT_TRUE(is_hdf5(bytes));
    const RunRecord found = read_hdf5(bytes, "run.h5");
    EXPECT_EQ(what_differs(found.metadata, run.metadata), "");
    EXPECT_EQ(found.metadata.program, run.metadata.program);
    EXPECT_EQ(found.metadata.has_loops, run.metadata.has_loops);
    ASSERT_EQ(found.recording.values.size(), run.recording.values.size());
    EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(found.recording.values)),
                                   std::as_bytes(std::span(run.recording.values))));
    EXPECT_EQ(found.recording.columns[1].name, "q.left/arm");
    EXPECT_EQ(found.recording.columns[2].name, "q.100%");
    EXPECT_EQ(found.end.q, run.end.q);
    EXPECT_EQ(found.end.v, run.end.v);
    EXPECT_EQ(found.end.z, run.end.z);
    EXPECT_EQ(found.end.time, run.end.time);
    EXPECT_EQ(found.statistics.steps, 123);
    EXPECT_EQ(found.statistics.evaluations, 999);
    ASSERT_EQ(found.statistics.events.size(), 2U);
    EXPECT_EQ(found.statistics.events[0].what, "event 'latch'");
    EXPECT_EQ(found.statistics.events[0].lost, 0.25);
    EXPECT_EQ(found.statistics.events[1].time, 1.5);
    EXPECT_EQ(found.audit.energy_at_start, 1 / 7.0);
    EXPECT_EQ(found.audit.largest_violation_rate, 5);
    EXPECT_TRUE(found.audit.must_conserve_energy);
    EXPECT_FALSE(found.is_complete);
    EXPECT_EQ(found.stopped, "it blew up");
    EXPECT_EQ(found.seconds, 0.25);
  }
}

TEST(hdf5, files_that_are_no_runs_are_reported) {
  EXPECT_EQ(refusal("time [s]\n0\n").rfind("cannot be read: HDF5: the file: ", 0), 0u);
  EXPECT_EQ(refusal("").rfind("cannot be read: HDF5: ", 0), 0u);
  const std::string bytes = write_hdf5(a_run(100));
  EXPECT_NE(refusal(bytes.substr(0, bytes.size() / 2)), "");
}

// The numbers of every column have a checksum.
TEST(hdf5, a_byte_that_flips_among_the_numbers_is_found) {
  const RunRecord run = a_run(5000);
  const std::string bytes = write_hdf5(run);
  std::size_t told = 0;
  for (std::size_t at = bytes.size() / 3; at < bytes.size(); at += bytes.size() / 50) {
    std::string damaged = bytes;
    damaged[at] = char(damaged[at] ^ 4);
    try {
      // either that byte is unused, or the damage is reported
      EXPECT_EQ(read_hdf5(damaged, "run.h5").recording.values, run.recording.values) << at;
    } catch (const ModelError&) { ++told; }
  }
  EXPECT_GT(told, 10u);
}

}  // namespace
}  // namespace trammel::hdf5_test
