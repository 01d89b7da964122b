// A journal returns its contents; damage is reported, and the rest is readable.
#include "trammel/write/run/journal.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "trammel/base/diagnostics.hpp"
#include "trammel/write/run/journal/frame.hpp"
#include "trammel/write/run/journal/records.hpp"

namespace trammel::journal_test {
namespace {

namespace fs = std::filesystem;

class journal : public testing::Test {
 protected:
  journal()
      : folder_(fs::path(testing::TempDir()) / ("trammel_journal_" + std::to_string(getpid()))),
        path_((folder_ / "run.csv.journal").string()) {
    fs::create_directories(folder_);
    metadata_.program = "trammel 0.1.0";
    metadata_.model_name = "cart";
    metadata_.model_text = "trammel = 1\n";
    metadata_.options.duration = 3;
    metadata_.start = {0.5, {0.1, 0.2}, {1e-300, -0.0}, {7}, {1, 2}};
    metadata_.acting = {{"tau.rail", "2"}};
    metadata_.columns = {{"time", "s", "time"}, {"q.rail", "m", "positions"}};
  }
  ~journal() override { fs::remove_all(folder_); }

  // Three blocks of four samples, then the end record if `ends`.
  void write(bool ends = true) {
    JournalWriter writer(path_, metadata_, true, false);
    for (int block = 0; block < 3; ++block) {
      sizes_.push_back(fs::file_size(path_));
      for (int k = 0; k < 4; ++k) observe(writer, 4 * block + k);
      Checkpoint now;
      now.state = metadata_.start;
      now.state.time = block;
      now.y_dot = {0.25, block * 0.1};
      now.h = 0.01 / (block + 3), now.last_miss = 0.3, now.was_rejected = true;
      now.samples = 4 * (block + 1), now.grid = 5;
      now.start = 0.5;
      now.statistics = {double(block), 10 * block, 1, 70, 0.001, 0.1};
      const Status status = writer.keep({now.statistics, {true, true, 1, 2, 3, 4, 5}, 0.5}, now);
      ASSERT_TRUE(status.ok()) << status.message();
    }
    sizes_.push_back(fs::file_size(path_));
    if (!ends) return;
    observe(writer, 12);
    RunStatistics statistics{3, 99, 1, 70, 0.001, 0.1};
    statistics.events = {{0.5, "event 'latch'", 0.25}};
    const Status status = writer.finish({statistics, {true, true, 1, 2, 3, 4, 6}, 0.75}, "");
    ASSERT_TRUE(status.ok()) << status.message();
  }
  static void observe(JournalWriter& writer, int sample) {
    const double time = 0.1 * sample;
    writer.observe({time, {1.0 * sample}, {}, {}, {}}, std::array{time, 1.0 / 3 * sample});
  }
  void flip(std::size_t at) {
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekg(std::streamoff(at));
    const char byte = char(file.get());
    file.seekp(std::streamoff(at));
    file.put(char(byte ^ 0x10));
  }
  std::string refusal() {
    try {
      (void)read_journal(path_);
    } catch (const ModelError& error) { return error.diagnostics().list()[0].message; }
    return "";
  }

  fs::path folder_;
  std::string path_;
  RunMetadata metadata_;
  std::vector<std::size_t> sizes_;  // before each block
};

TEST_F(journal, gives_back_all_that_it_was_given) {
  write();
  const Journal found = read_journal(path_);
  EXPECT_EQ(what_differs(found.run.metadata, metadata_), "");
  EXPECT_EQ(found.run.metadata.program, metadata_.program);
  EXPECT_TRUE(std::signbit(found.run.metadata.start.v[1]));  // to the last bit
  EXPECT_EQ(found.run.metadata.start.discrete, metadata_.start.discrete);
  ASSERT_EQ(found.run.recording.samples(), 13u);
  for (int k = 0; k < 13; ++k) EXPECT_EQ(found.run.recording.at(std::size_t(k), 1), 1.0 / 3 * k);
  ASSERT_EQ(found.states.size(), 13u);
  EXPECT_EQ(found.states[7].q[0], 7);
  EXPECT_EQ(found.run.statistics.steps, 99);
  ASSERT_EQ(found.run.statistics.events.size(), 1U);
  EXPECT_EQ(found.run.statistics.events[0].what, "event 'latch'");
  EXPECT_EQ(found.run.audit.largest_violation_rate, 6);
  EXPECT_EQ(found.run.seconds, 0.75);
  EXPECT_TRUE(found.has_ended && found.run.is_complete);
  EXPECT_TRUE(found.damage.empty());
  EXPECT_FALSE(found.checkpoint);  // a finished run has none
  EXPECT_EQ(found.size, fs::file_size(path_));
}

TEST_F(journal, has_the_checkpoint_of_its_last_block) {
  write(false);
  const Journal found = read_journal(path_);
  ASSERT_TRUE(found.checkpoint);
  EXPECT_FALSE(found.has_ended);
  EXPECT_EQ(found.checkpoint->state.time, 2);
  EXPECT_EQ(found.checkpoint->state.z, metadata_.start.z);
  EXPECT_EQ(found.checkpoint->y_dot, (std::vector{0.25, 0.2}));
  EXPECT_EQ(found.checkpoint->h, 0.01 / 5);
  EXPECT_EQ(found.checkpoint->last_miss, 0.3);
  EXPECT_TRUE(found.checkpoint->was_rejected);
  EXPECT_EQ(found.checkpoint->samples, 12);
  EXPECT_EQ(found.checkpoint->grid, 5);
  EXPECT_EQ(found.checkpoint->start, 0.5);
  EXPECT_EQ(found.checkpoint->statistics.steps, 20);
}

// At any cut, whole blocks from the first on are read.
TEST_F(journal, cut_short_anywhere_keeps_its_whole_blocks) {
  write();
  for (std::size_t size = fs::file_size(path_) - 1; size >= sizes_[0]; --size) {
    fs::resize_file(path_, size);
    const Journal found = read_journal(path_);
    std::size_t blocks = 0;
    while (blocks < 3 && sizes_[blocks + 1] <= size) ++blocks;
    ASSERT_EQ(found.run.recording.samples(), 4 * blocks) << size;
    ASSERT_EQ(found.damage.empty(), size == sizes_[blocks]) << size;
    ASSERT_EQ(found.size, sizes_[blocks]) << size;
    ASSERT_FALSE(found.has_ended || found.has_holes);
    if (!found.damage.empty()) {
      ASSERT_EQ(found.damage[0], "the last " + std::to_string(size - sizes_[blocks]) +
                                     " bytes are no whole block: it was cut short there");
    }
  }
}

// Any flipped byte loses exactly its block.
TEST_F(journal, a_flipped_byte_costs_one_block_and_is_reported) {
  write();
  for (std::size_t at = sizes_[1]; at < sizes_[2]; ++at) {
    flip(at);
    const Journal found = read_journal(path_);
    ASSERT_EQ(found.damage.size(), 1u) << at;
    ASSERT_EQ(found.damage[0],
              "bytes " + std::to_string(sizes_[1]) + " to " + std::to_string(sizes_[2]) +
                  " are damaged: 4 samples are lost, after t = 0.3 s, before t = 0.8 s");
    ASSERT_EQ(found.run.recording.samples(), 9u);
    ASSERT_EQ(found.run.recording.at(4, 0), 0.1 * 8);
    ASSERT_EQ(found.states.size(), 9u);
    ASSERT_TRUE(found.has_holes && found.has_ended);
    // a continued run uses the whole blocks before it
    const Journal before = read_journal(path_, AtDamage::stop);
    ASSERT_EQ(before.run.recording.samples(), 4u);
    ASSERT_EQ(before.size, sizes_[1]);
    ASSERT_EQ(before.checkpoint->samples, 4);
    flip(at);
  }
}

// Each gap is reported with its lost samples; adjacent lost blocks are one gap.
TEST_F(journal, several_holes_are_reported_one_by_one) {
  write();
  const auto bytes = [&](std::size_t from, std::size_t to) {
    return "bytes " + std::to_string(sizes_[from]) + " to " + std::to_string(sizes_[to]) +
           " are damaged: ";
  };
  flip(sizes_[0] + 30), flip(sizes_[2] + 30);
  const Journal apart = read_journal(path_);
  EXPECT_EQ(apart.damage,
            (std::vector<std::string>{
                bytes(0, 1) + "4 samples are lost, before t = 0.4 s",
                bytes(2, 3) + "4 samples are lost, after t = 0.7 s, before t = 1.2 s"}));
  ASSERT_EQ(apart.run.recording.samples(), 5u);
  EXPECT_EQ(apart.run.recording.at(0, 0), 0.1 * 4);
  ASSERT_EQ(apart.states.size(), 5u);
  EXPECT_EQ(apart.states[4].q[0], 12);
  EXPECT_EQ(apart.size, sizes_[0]);  // whole blocks from the first on
  flip(sizes_[1] + 30);
  const Journal together = read_journal(path_);
  EXPECT_EQ(together.damage,
            (std::vector<std::string>{bytes(0, 3) + "12 samples are lost, before t = 1.2 s"}));
  EXPECT_EQ(together.run.recording.samples(), 1u);
  EXPECT_TRUE(together.has_holes && together.has_ended);
}

TEST_F(journal, what_is_none_is_refused) {
  EXPECT_EQ(refusal(), "there is no such file");
  std::ofstream(path_) << "time [s],q [rad]\n0,1\n";
  EXPECT_EQ(refusal(), "is no journal: it does not begin like one");
  fs::remove(path_);
  write();
  flip(100);
  EXPECT_EQ(refusal(), "is damaged in its first record, which says what was recorded");
  std::string newer("\x02\0\0\0", 4);
  std::ofstream(path_, std::ios::binary | std::ios::trunc) << framed(RecordKind::metadata, newer);
  EXPECT_EQ(refusal(), "is a journal of version 2, this program knows version 1");
}

// The last byte of the metadata is a boolean; the checksum is right, the value is invalid.
TEST_F(journal, a_truth_value_of_two_is_damage) {
  for (const char byte : {'\0', '\1', '\2'}) {
    std::string payload = payload_of(JournalMetadata{metadata_, true});
    payload.back() = byte;
    std::ofstream(path_, std::ios::binary | std::ios::trunc)
        << framed(RecordKind::metadata, payload);
    EXPECT_EQ(refusal(),
              byte == 2 ? "is damaged in its first record, which says what was recorded" : "");
  }
}

TEST_F(journal, goes_on_behind_what_is_whole) {
  write(false);
  std::ofstream(path_, std::ios::binary | std::ios::app) << "half a block";
  const Journal found = read_journal(path_, AtDamage::stop);
  EXPECT_EQ(found.damage.size(), 1u);
  {
    JournalWriter writer(path_, found);
    observe(writer, 12);
    ASSERT_TRUE(writer.finish({}, "it was told to").ok());
  }
  const Journal after = read_journal(path_);
  EXPECT_TRUE(after.damage.empty());
  EXPECT_TRUE(after.has_ended);
  EXPECT_FALSE(after.run.is_complete);
  EXPECT_EQ(after.run.stopped, "it was told to");
  ASSERT_EQ(after.run.recording.samples(), 13u);
  EXPECT_EQ(after.run.recording.at(12, 1), 4);
}

TEST_F(journal, one_run_at_a_time) {
  JournalWriter writer(path_, metadata_, false, false);
  const auto told = [&](auto make) -> std::string {
    try {
      make();
    } catch (const std::exception& error) { return error.what(); }
    return "";
  };
  EXPECT_EQ(told([&] { JournalWriter(path_, metadata_, false, false); }),
            path_ + " could not be written: File exists");
  EXPECT_EQ(told([&] { JournalWriter(path_, metadata_, false, true); }),
            path_ +
                ": error: is being written by another run\n"
                "  hint: wait for its end, or give this run another -o or --journal");
  const std::string nowhere = (folder_ / "nowhere" / "run").string();
  EXPECT_EQ(told([&] { JournalWriter(nowhere, metadata_, false, false); }),
            nowhere + " could not be written: No such file or directory");
}

TEST_F(journal, overwrites_journals_only) {
  std::ofstream(path_) << "trammel = 1\n";
  EXPECT_THROW(JournalWriter(path_, metadata_, false, true), ModelError);
  EXPECT_EQ(fs::file_size(path_), 12u);  // unchanged
  fs::resize_file(path_, 0);
  { JournalWriter(path_, metadata_, false, true); }
  { JournalWriter(path_, metadata_, false, true); }
  EXPECT_TRUE(read_journal(path_).damage.empty());
}

TEST_F(journal, is_read_back_and_restored_after_its_name_was_removed) {
  JournalWriter writer(path_, metadata_, false, false);
  observe(writer, 0);
  ASSERT_TRUE(writer.keep({}, {}).ok());
  EXPECT_FALSE(writer.is_removed());
  fs::remove(path_);
  EXPECT_TRUE(writer.is_removed());
  observe(writer, 1);
  ASSERT_TRUE(writer.keep({}, {}).ok());
  EXPECT_EQ(writer.read_back().run.recording.samples(), 2u);
  ASSERT_TRUE(writer.restore().ok());
  EXPECT_EQ(read_journal(path_).run.recording.samples(), 2u);
  EXPECT_FALSE(writer.restore().ok());  // nothing is overwritten
}

// A limit on the file size simulates a full disk: writes are partial, then fail.
TEST_F(journal, a_full_disk_leaves_whole_blocks) {
  JournalWriter writer(path_, metadata_, false, false);
  const auto block = [&](int from) {
    for (int k = 0; k < 100; ++k) observe(writer, from + k);
    return writer.keep({}, {});
  };
  ASSERT_TRUE(block(0).ok());
  const auto before = fs::file_size(path_);
  struct rlimit old;
  getrlimit(RLIMIT_FSIZE, &old);
  const struct rlimit small = {before + 200, old.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const Status full = block(100), again = block(200);
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(full.message(), path_ + " could not be written: File too large");
  EXPECT_EQ(again.message(), full.message());  // it does not continue after a gap
  EXPECT_EQ(fs::file_size(path_), before);
  EXPECT_TRUE(read_journal(path_).damage.empty());
  EXPECT_EQ(read_journal(path_).run.recording.samples(), 100u);
}

TEST(checksum, is_the_one_of_castagnoli) {
  EXPECT_EQ(checksum("123456789"), 0xE3069283u);  // the check value of CRC-32C [RFC 3720, B.4]
  EXPECT_EQ(checksum(std::string(32, '\0')), 0x8A9136AAu);
}

TEST(what_differs, is_described_in_words) {
  RunMetadata then, now;
  EXPECT_EQ(what_differs(then, now), "");
  now.options.duration = 20;
  EXPECT_EQ(what_differs(then, now), "--duration is 20, and was 10");
  now = then;
  now.columns = {{"time", "s", "time"}, {"com.x", "m", "com"}};
  EXPECT_EQ(what_differs(then, now), "--record is time,com, and was ");
  now = then;
  now.start.q = {1};
  EXPECT_EQ(what_differs(then, now), "the state it starts from is another");
  now = then;
  now.options.method = Method::rk4;
  EXPECT_EQ(what_differs(then, now), "--method is rk4, and was dormand-prince");
}

}  // namespace
}  // namespace trammel::journal_test
