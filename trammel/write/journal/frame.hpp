// How records lie in a journal: each begins with a mark, says how long it is, and ends with a
// checksum, so that what is whole is found again behind what is damaged. For the journal only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trammel {

enum class RecordKind : std::uint32_t { card = 1, block = 2 };

// mark, kind, size, payload, checksum of the three before it
std::string framed(RecordKind kind, std::string_view payload);

struct Framed {
  RecordKind kind;
  std::string_view payload;
  std::size_t size;  // with its frame
};
// The whole record that begins at `at`; none if there is no mark, or it is cut short or damaged.
std::optional<Framed> record_at(std::string_view journal, std::size_t at);
bool has_mark_at(std::string_view journal, std::size_t at);
// Where the next whole record begins, from `at` on; the journal's size if there is none.
std::size_t next_record(std::string_view journal, std::size_t at);

// CRC-32C [Castagnoli 1993]: finds every error of up to 32 bits in a row.
std::uint32_t checksum(std::string_view bytes);

}  // namespace trammel
