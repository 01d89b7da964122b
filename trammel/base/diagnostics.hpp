// What is wrong with what the user said, and where. Readers and the builder report here and go on,
// so that a person sees every mistake at once.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trammel {

// Where something was said. Built in C++ there is no file; then it has no place.
struct Place {
  std::string file;
  int line = 0;  // from 1; 0 is unknown
  int column = 0;
};

// Where an item was said, and where each of its keys: a check complains about the mass at the mass.
struct ItemPlace : Place {
  ItemPlace() = default;
  ItemPlace(Place item) : Place(std::move(item)) {}
  ItemPlace(std::string file_, int line_, int column_) : Place{std::move(file_), line_, column_} {}

  void key(std::string name, Place place) { keys.emplace_back(std::move(name), std::move(place)); }
  // The place of "at.xyz", or else of "at", or else of the item.
  const Place& of(std::string_view key) const;

  std::vector<std::pair<std::string, Place>> keys;
  // Its reader has complained already: what is missing or odd here is no news.
  bool has_mistakes = false;
};

enum class Severity { warning, error };

struct Diagnostic {
  Severity severity = Severity::error;
  Place place;
  std::string message;  // the thing and the fact
  std::string hint;     // the next step; may be empty
};

// "arm.toml:12:7: error: body 'upper' has mass -1\n  hint: a mass is zero or more"
std::string to_string(const Diagnostic& diagnostic);

// A text for a message: whole, or with "..." for its middle if it is longer than anyone would read.
std::string shortened(std::string_view text, std::size_t longest = 80);

// Messages are cut to a length that can be read, whatever names a file brings.
class Diagnostics {
 public:
  void error(const Place& place, std::string_view message, std::string_view hint = {});
  void warning(const Place& place, std::string_view message, std::string_view hint = {});

  // Everything another list has, after what is here.
  void append(const Diagnostics& others);

  bool has_errors() const { return errors_ > 0; }
  const std::vector<Diagnostic>& list() const { return list_; }

 private:
  void add(Severity severity, const Place& place, std::string_view message, std::string_view hint);

  std::vector<Diagnostic> list_;
  int errors_ = 0;
};

// Thrown once, with everything that was found.
class ModelError : public std::runtime_error {
 public:
  explicit ModelError(Diagnostics diagnostics);
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  Diagnostics diagnostics_;
};

}  // namespace trammel
