// Fuzz target: recorded runs, journals and CSV. The checksums of a mutated journal are repaired, so
// that records with wrong contents are read, too.
#include <cstring>
#include <vector>

#include "tests/fuzz/target.hpp"
#include "trammel/write/run/csv.hpp"
#include "trammel/write/run/journal.hpp"
#include "trammel/write/run/journal/frame.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace trammel::fuzz {

namespace {

void check_run(const Journal& journal, std::size_t size) {
  const Recording& recording = journal.run.recording;
  expect(journal.size <= size, "more of a journal is whole than there is");
  expect(recording.samples() * recording.columns.size() == recording.values.size(),
         "a row of a recording is cut short");
  expect(!recording.columns.empty() || recording.values.empty(), "a recording has no columns");
  if (recording.samples() > 0) (void)write_csv(recording);
  (void)what_differs(journal.run.metadata, journal.run.metadata);
}

constexpr std::size_t mark = 8, kind = 4, length = 8, sum = 4;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = text_of(data, size);
  try {
    if (is_journal(bytes)) {
      const Journal all = journal_of("run.journal", bytes);
      const Journal first = journal_of("run.journal", bytes, AtDamage::stop);
      check_run(all, size);
      check_run(first, size);
      expect(all.size == first.size, "what is whole depends on what comes after it");
    } else {
      const Recording recording = read_csv(bytes, "run.csv");
      if (recording.samples() > 0) (void)write_csv(recording);
    }
  } catch (const ModelError& refusal) {
    expect(refusal.diagnostics().has_errors(), "a run is refused without an error");
    expect_readable(refusal.diagnostics(), "run.csv", bytes);
  }
  return 0;
}

// Mutates, then writes the checksum of every record at its end.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned int /*seed*/) {
  size = LLVMFuzzerMutate(data, size, most);
  for (std::size_t at = 0; at + mark + kind + length + sum <= size;) {
    if (!has_mark_at(text_of(data, size), at)) {
      ++at;
      continue;
    }
    std::uint64_t payload = 0;
    std::memcpy(&payload, data + at + mark + kind, sizeof payload);
    const std::size_t head = mark + kind + length;
    if (payload > size - at - head - sum) {
      ++at;
      continue;
    }
    const std::uint32_t value =
        checksum(text_of(data + at + mark, kind + length + std::size_t(payload)));
    std::memcpy(data + at + head + payload, &value, sizeof value);
    at += head + std::size_t(payload) + sum;
  }
  return size;
}

}  // namespace trammel::fuzz
