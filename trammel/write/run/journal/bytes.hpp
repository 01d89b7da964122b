// Binary output of values, little-endian. For the journal only.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace trammel {

static_assert(std::endian::native == std::endian::little, "journals are little-endian");

class Bytes {
 public:
  std::string text;

  template <class T>
  requires std::is_arithmetic_v<T>
  void put(T value) { text.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void put(std::string_view value) {
    put(std::uint64_t(value.size()));
    text += value;
  }
  template <class T> void put(const std::vector<T>& values) {
    put(std::uint64_t(values.size()));
    put_all(std::span<const T>(values));
  }
  template <class T> void put_all(std::span<const T> values) {
    text.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
};

// Binary input. Throws std::out_of_range if too few bytes are left, or if a value is invalid.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  requires std::is_arithmetic_v<T>
  void take(T& value) { std::memcpy(&value, chunk(sizeof value).data(), sizeof value); }
  // A byte that is neither 0 nor 1 is an invalid truth value.
  void take(bool& value) {
    const char byte = chunk(1)[0];
    if (byte != 0 && byte != 1) throw std::out_of_range("no truth value");
    value = byte == 1;
  }
  void take(std::string& value) { value = chunk(size(1)); }
  template <class T> void take(std::vector<T>& values) { take_all(values, size(sizeof(T))); }
  template <class T> void take_all(std::vector<T>& values, std::size_t count) {
    if (count > rest_.size() / sizeof(T)) throw std::out_of_range("too few bytes");
    const std::string_view bytes = chunk(count * sizeof(T));
    values.resize(count);
    if (count > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
  }
  bool is_at_end() const { return rest_.empty(); }

 private:
  std::size_t size(std::size_t of_one) {
    std::uint64_t count = 0;
    take(count);
    if (count > rest_.size() / of_one) throw std::out_of_range("too few bytes");
    return std::size_t(count);
  }
  std::string_view chunk(std::size_t count) {
    if (count > rest_.size()) throw std::out_of_range("too few bytes");
    const std::string_view out = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return out;
  }
  std::string_view rest_;
};

}  // namespace trammel
