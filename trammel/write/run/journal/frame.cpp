#include "trammel/write/run/journal/frame.hpp"

#include <array>

#include "trammel/write/run/journal/bytes.hpp"

namespace trammel {

namespace {

// differs from every text and number of a simulation
constexpr std::string_view mark = "\x89trammel";
constexpr std::size_t head = mark.size() + 4 + 8, tail = 4;

constexpr std::array<std::uint32_t, 256> table = [] {
  std::array<std::uint32_t, 256> out{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1u) != 0 ? 0x82F63B78u : 0u);
    out[byte] = rest;
  }
  return out;
}();

}  // namespace

std::uint32_t checksum(std::string_view bytes) {
  std::uint32_t rest = ~0u;
  for (const char byte : bytes)
    rest = (rest >> 8) ^ table[(rest ^ std::uint32_t(static_cast<unsigned char>(byte))) & 255u];
  return ~rest;
}

std::string framed(RecordKind kind, std::string_view payload) {
  Bytes record;
  record.text.reserve(head + payload.size() + tail);
  record.text = mark;
  record.put(std::uint32_t(kind));
  record.put(payload);
  record.put(checksum(std::string_view(record.text).substr(mark.size())));
  return std::move(record.text);
}

bool has_mark_at(std::string_view journal, std::size_t at) {
  return at <= journal.size() && journal.substr(at).starts_with(mark);
}

std::optional<Framed> record_at(std::string_view journal, std::size_t at) {
  if (!has_mark_at(journal, at) || journal.size() - at < head + tail) return std::nullopt;
  ByteReader reader(journal.substr(at + mark.size()));
  std::uint32_t kind = 0, sum = 0;
  std::uint64_t size = 0;
  reader.take(kind);
  reader.take(size);
  if (size > journal.size() - at - head - tail) return std::nullopt;
  const std::string_view whole = journal.substr(at, head + std::size_t(size));
  ByteReader(journal.substr(at + whole.size())).take(sum);
  if (sum != checksum(whole.substr(mark.size()))) return std::nullopt;
  return Framed{RecordKind(kind), whole.substr(head), whole.size() + tail};
}

std::size_t next_record(std::string_view journal, std::size_t at) {
  for (; at < journal.size(); ++at) {
    at = std::min(journal.find(mark, at), journal.size());
    if (record_at(journal, at)) return at;
  }
  return journal.size();
}

}  // namespace trammel
