// Framing of the records of a journal: each begins with a mark and its length and ends with a
// checksum, so that intact records are found after damaged ones. For the journal only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trammel {

enum class RecordKind : std::uint32_t { metadata = 1, block = 2 };

// mark, kind, size, payload, checksum of the three before it
std::string framed(RecordKind kind, std::string_view payload);

struct Framed {
  RecordKind kind;
  std::string_view payload;
  std::size_t size;  // including its frame
};
// The intact record at `at`; none if there is no mark, or it is truncated or damaged.
std::optional<Framed> record_at(std::string_view journal, std::size_t at);
bool has_mark_at(std::string_view journal, std::size_t at);
// Position of the next intact record, from `at` on; the journal's size if there is none.
std::size_t next_record(std::string_view journal, std::size_t at);

// CRC-32C [Castagnoli 1993]: detects every burst error of up to 32 bits.
std::uint32_t checksum(std::string_view bytes);

}  // namespace trammel
