// Answer: numbers with names, units and frame, printed as text or as JSON.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace trammel::cli {

using Json = nlohmann::ordered_json;  // keys keep their insertion order

struct Answer {
  enum class Shape { list, table };
  std::string part = {};  // name of this part if an answer has several: "position"; else empty
  Shape shape = Shape::list;
  Eigen::MatrixXd values = {};  // one column for a list; NaN: not available
  std::vector<std::string> rows = {}, columns = {};
  std::vector<std::string> units = {};  // one for all, or one per value, row by row
  std::string frame = {};               // frame of the axes; empty if none applies
  // Magnitude of each value, row by row. In text, a value that is only rounding error relative to
  // it is printed as 0.
  std::vector<double> sizes = {};
  // Set if some values are not unique and were chosen by a minimum-norm criterion.
  struct Uniqueness {
    std::vector<bool> is_unique;  // per value, row by row
    double length = 0;            // weights moments against forces in the criterion [m]
    bool is_weighted = false;     // joints have different weights
    bool of_efforts = false;      // values are shares of drives; there is no length
    bool is_all() const { return std::ranges::all_of(is_unique, std::identity()); }
  };
  std::optional<Uniqueness> uniqueness = {};
};
using Answers = std::vector<Answer>;

Answer list_answer(std::vector<std::string> names, std::span<const double> values,
                   std::vector<std::string> units, std::string frame = {}, std::string part = {});

// The unit of all values; none if they differ.
std::optional<std::string> common_unit(const Answer& answer);

// The same with angles in degrees: values and units of rad, rad/s, rad/s^2, and those per rad.
Answer with_degrees(Answer answer);

// Names and numbers, columns aligned at the decimal point. Without `digits` six are printed, and 0
// for values that are rounding errors: below 1e-13 of the largest value of the same unit, or 1e-15
// of all.
std::string answer_text(const Answer& answer, std::optional<int> digits);

// {"values", "names", "unit", "frame"}. For a table, names is {"rows", "columns"}. unit is a string
// if all values share it, else it has the shape of values. A missing number is null. If uniqueness
// is set, also "unique", in the shape of values, and "length", null if all values are unique or if
// they are efforts.
Json answer_json(const Answer& answer);
// One answer directly; several as an object keyed by the names of their parts.
Json answers_json(const Answers& answers);

Json number_json(double value);  // never -0; NaN becomes null
// The text that is printed. File names need not be UTF-8: invalid bytes become U+FFFD.
std::string json_text(const Json& json);

}  // namespace trammel::cli
