// Parser of option values: "0.1,0.2", "elbow=0.3,wrist=1 2 3".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trammel/read/units.hpp"
#include "trammel/spatial/motion.hpp"

namespace CLI {
class App;
}

namespace trammel::cli {

// A number or a formula, optionally with a unit: "1.5", "pi/2", "30 deg"; converted to SI. The unit
// must fit the dimension, if one is given. Throws UsageError, which names the option.
double number(std::string_view text, std::string_view option,
              const std::optional<Dimension>& measures = {});

// The parts between commas, without surrounding spaces.
std::vector<std::string> split(std::string_view text);

// Exactly one number per dimension, separated by commas.
std::vector<double> numbers(std::string_view text, std::span<const Dimension> measures,
                            std::string_view option);
Vec3<double> vector(std::string_view text, const Dimension& measures, std::string_view option);

// "a=1,b=2,3" is {a: 1}, {b: 2, 3}. Values before the first name have an empty name.
struct NamedTexts {
  std::string name;
  std::vector<std::string> values;
};
std::vector<NamedTexts> named_texts(const std::vector<std::string>& given);

// "name=value"; throws UsageError if there is no '='.
std::pair<std::string, std::string> name_and_value(const std::string& text,
                                                   std::string_view option);

// Hint for an argument that looks like a position outside --q: "elbow=0.3" after -q, which is
// --quiet, or "0.3" after "--q elbow"; empty for other words.
std::string hint_about_position(const std::string& word);

// Number of terminal columns of a text: its characters, not its bytes.
std::size_t width(std::string_view text);

// A time that something takes: "12 s", "26 min", "3 hours", "5 days".
std::string duration_text(double seconds);

// "1 body", "2 bodies".
std::string counted(std::size_t count, const char* one, const char* many);

// Digits of numbers in text, without --digits.
inline constexpr int text_digits = 6;
// Shortest text that reads back as the same number, never "-0"; or rounded to `digits`, below 17.
std::string number_text(double value, std::optional<int> digits = {});

// Digits and unit of angles of numbers in text, by the options --digits and --angles.
class NumberFormat {
 public:
  void offer_digits(CLI::App& app);
  void offer_angles(CLI::App& app, const char* help);
  void check();  // throws UsageError

  std::optional<int> digits() const { return digits_; }
  bool has_degrees() const { return angles_ == "deg"; }
  // "0.3", with the unit: "0.3 rad". Units without a name, "1", are left out.
  std::string text(double value) const;
  std::string text(double value, const std::string& unit) const;

 private:
  std::string digits_text_, angles_ = "rad";
  std::optional<int> digits_;
};
// Factor and name of a unit in degrees: "rad/s" is 180/pi "deg/s"; 1 for other units.
std::pair<double, std::string> in_degrees(const std::string& unit);

}  // namespace trammel::cli
