// Errors and warnings about user input, with their places. Readers and the model builder report
// here and go on, so that the user gets all errors at once.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trammel {

// Position in a source file. Items built in C++ have no file and no place.
struct Place {
  std::string file;
  int line = 0;  // from 1; 0 is unknown
  int column = 0;
};

// Place of an item, and of each of its keys: an error about the mass points at the key "mass".
struct ItemPlace : Place {
  ItemPlace() = default;
  ItemPlace(Place item) : Place(std::move(item)) {}
  ItemPlace(std::string file_, int line_, int column_) : Place{std::move(file_), line_, column_} {}

  void key(std::string name, Place place) { keys.emplace_back(std::move(name), std::move(place)); }
  // The place of "at.xyz", or else of "at", or else of the item.
  const Place& of(std::string_view key) const;

  std::vector<std::pair<std::string, Place>> keys;
  // The reader has reported an error here: later checks need not report missing or odd values
  // again.
  bool has_mistakes = false;
};

// Severity of a diagnostic: after an error no model is built; a warning does not stop anything and
// is stored in Model::warnings().
enum class Severity { warning, error };

// One error or warning about the input: its place, the fact, and the next step.
struct Diagnostic {
  Severity severity = Severity::error;
  Place place;
  std::string message;  // the thing and the fact
  std::string hint;     // the next step; may be empty
};

// "arm.toml:12:7: error: body 'upper' has mass -1\n  hint: a mass is zero or more"
std::string to_string(const Diagnostic& diagnostic);

// A text for a message: whole, or with "..." in its middle if it is longer than `longest`.
std::string shortened(std::string_view text, std::size_t longest = 80);

// List of errors and warnings. Messages are cut to a readable length, whatever names a file
// contains.
class Diagnostics {
 public:
  void error(const Place& place, std::string_view message, std::string_view hint = {});
  void warning(const Place& place, std::string_view message, std::string_view hint = {});

  // Appends all entries of another list.
  void append(const Diagnostics& others);

  bool has_errors() const { return errors_ > 0; }
  const std::vector<Diagnostic>& list() const { return list_; }

 private:
  void add(Severity severity, const Place& place, std::string_view message, std::string_view hint);

  std::vector<Diagnostic> list_;
  int errors_ = 0;
};

// Thrown once, with all diagnostics.
class ModelError : public std::runtime_error {
 public:
  explicit ModelError(Diagnostics diagnostics);
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  Diagnostics diagnostics_;
};

}  // namespace trammel
