// An answer for people and for programs: numbers with their names, units and frame.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace trammel::cli {

using Json = nlohmann::ordered_json;  // keys stay in the order they are said

struct Answer {
  enum class Shape { list, table };
  std::string part = {};  // of an answer with several: "position"; empty if it is all there is
  Shape shape = Shape::list;
  Eigen::MatrixXd values = {};  // of a list: one column; NaN: there is no such number
  std::vector<std::string> rows = {}, columns = {};
  std::vector<std::string> units = {};  // one for all, or one per value, row by row
  std::string frame = {};               // whose axes; empty where there are none
  // How large each value is by nature, row by row: in a text, what is rounding beside that is 0.
  std::vector<double> sizes = {};
  // Where nothing in the motion tells some of the values, and they are one choice of many.
  struct Uniqueness {
    std::vector<bool> is_unique;  // per value, row by row
    double length = 0;            // by which moments were measured in the choice [m]
    bool is_weighted = false;     // some joints counted more than others
    bool of_efforts = false;      // shares of drives; there is no length
    bool is_all() const { return std::ranges::all_of(is_unique, std::identity()); }
  };
  std::optional<Uniqueness> uniqueness = {};
};
using Answers = std::vector<Answer>;

Answer list_answer(std::vector<std::string> names, std::span<const double> values,
                   std::vector<std::string> units, std::string frame = {}, std::string part = {});

// The unit of all its numbers; none if they differ.
std::optional<std::string> common_unit(const Answer& answer);

// Names beside numbers, columns aligned at the decimal point.
std::string answer_text(const Answer& answer, std::optional<int> digits);

// {"values", "names", "unit", "frame"}. Of a table, names is {"rows", "columns"}; unit is a text if
// all have the same, or else has the shape of values; a number that is not there is null. An answer
// that tells its uniqueness has also "unique", in the shape of values, and "length", null where
// nothing was chosen.
Json answer_json(const Answer& answer);
// One answer as it is; several under the names of their parts.
Json answers_json(const Answers& answers);

Json number_json(double value);  // never -0; null where there is none
// The text that is printed. Names of files need not be UTF-8: what is not becomes U+FFFD.
std::string json_text(const Json& json);

}  // namespace trammel::cli
