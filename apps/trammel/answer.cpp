#include "answer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "numbers.hpp"

namespace trammel::cli {

namespace {

bool has_one_unit(const Answer& answer) {
  return std::ranges::all_of(answer.units, [&](const auto& u) { return u == answer.units[0]; });
}

const std::string& unit_of(const Answer& answer, std::ptrdiff_t row, std::ptrdiff_t column) {
  return answer.units[std::size_t(row * answer.values.cols() + column)];
}

std::string unit_text(const Answer& answer, std::ptrdiff_t row, std::ptrdiff_t column) {
  if (answer.units.empty()) return "";
  return answer.units.size() == 1 ? answer.units[0] : unit_of(answer, row, column);
}

// Units of values that may differ in kind: operators of the spatial algebra.
bool is_mixed(const std::string& unit) { return unit == "SI"; }

// Largest magnitude of the values of each unit.
std::map<std::string, double> largest_by_unit(const Answer& answer) {
  std::map<std::string, double> largest;
  for (std::ptrdiff_t i = 0; i < answer.values.rows(); ++i)
    for (std::ptrdiff_t j = 0; j < answer.values.cols(); ++j) {
      double& size = largest[unit_text(answer, i, j)];
      if (const double value = std::abs(answer.values(i, j)); value > size) size = value;
    }
  return largest;
}

// Wheel forces result from systems of about a dozen equations, each rounded at 1e-16.
constexpr double rounding = 1e-12;
double value_of(const Answer& answer, std::ptrdiff_t row, std::ptrdiff_t column) {
  const double value = answer.values(row, column);
  if (answer.sizes.empty()) return value;
  const double size = answer.sizes[std::size_t(row * answer.values.cols() + column)];
  return std::abs(value) < rounding * size ? 0 : value;
}

bool is_unique(const Answer& answer, std::ptrdiff_t row, std::ptrdiff_t column) {
  return !answer.uniqueness ||
         answer.uniqueness->is_unique[std::size_t(row * answer.values.cols() + column)];
}

// A column of numbers, aligned at the decimal point.
std::vector<std::string> aligned(const std::vector<std::string>& numbers) {
  const auto whole = [](const std::string& text) {
    return std::min(text.find_first_of(".e"), text.size());
  };
  std::size_t left = 0, right = 0;
  for (const std::string& text : numbers) {
    left = std::max(left, whole(text));
    right = std::max(right, text.size() - whole(text));
  }
  std::vector<std::string> out;
  for (const std::string& text : numbers)
    out.push_back(std::string(left - whole(text), ' ') + text +
                  std::string(right - (text.size() - whole(text)), ' '));
  return out;
}

std::vector<std::string> same_width(std::vector<std::string> texts) {
  std::size_t widest = 0;
  for (const std::string& text : texts) widest = std::max(widest, width(text));
  for (std::string& text : texts) text.append(widest - width(text), ' ');
  return texts;
}

void cut_trailing_spaces(std::string& line) { line.erase(line.find_last_not_of(' ') + 1); }

}  // namespace

Answer list_answer(std::vector<std::string> names, std::span<const double> values,
                   std::vector<std::string> units, std::string frame, std::string part) {
  Answer answer{.part = std::move(part),
                .rows = std::move(names),
                .units = std::move(units),
                .frame = std::move(frame)};
  answer.values = Eigen::Map<const Eigen::VectorXd>(values.data(), std::ptrdiff_t(values.size()));
  return answer;
}

std::optional<std::string> common_unit(const Answer& answer) {
  if (answer.units.empty() || !has_one_unit(answer)) return std::nullopt;
  return answer.units[0];
}

Answer with_degrees(Answer answer) {
  const auto factor = [](std::string& unit) {
    double times = 1;
    std::tie(times, unit) = in_degrees(unit);
    return times;
  };
  if (answer.units.size() == 1) {
    answer.values *= factor(answer.units[0]);
    return answer;
  }
  for (std::size_t k = 0; k < answer.units.size(); ++k) {
    const std::ptrdiff_t columns = answer.values.cols();
    answer.values(std::ptrdiff_t(k) / columns, std::ptrdiff_t(k) % columns) *=
        factor(answer.units[k]);
  }
  return answer;
}

std::string answer_text(const Answer& answer, std::optional<int> asked_digits) {
  const int digits = asked_digits.value_or(text_digits);
  const std::map<std::string, double> largest =
      asked_digits ? std::map<std::string, double>() : largest_by_unit(answer);
  double largest_of_all = 0;
  for (const auto& [unit, size] : largest) largest_of_all = std::max(largest_of_all, size);
  const auto is_rounding = [&](double value, std::ptrdiff_t row, std::ptrdiff_t column) {
    if (asked_digits) return false;
    const std::string unit = unit_text(answer, row, column);
    return !is_mixed(unit) &&
           std::abs(value) < std::max(1e-13 * largest.at(unit), 1e-15 * largest_of_all);
  };
  const bool is_table = answer.shape == Answer::Shape::table;
  const std::ptrdiff_t n_rows = answer.values.rows(), n_columns = answer.values.cols();
  // a unit is printed once for the whole answer, per column, or after each number
  const bool has_units = !answer.units.empty() && !has_one_unit(answer);
  bool by_column = is_table && has_units;
  for (std::ptrdiff_t i = 0; by_column && i < n_rows; ++i)
    for (std::ptrdiff_t j = 0; j < n_columns; ++j)
      by_column &= unit_of(answer, i, j) == unit_of(answer, 0, j);

  std::vector<std::string> names = answer.rows;
  if (is_table) names.insert(names.begin(), "");
  std::vector<std::vector<std::string>> columns{same_width(names)};
  for (std::ptrdiff_t j = 0; j < n_columns; ++j) {
    std::vector<std::string> cells;
    for (std::ptrdiff_t i = 0; i < n_rows; ++i) {
      double value = value_of(answer, i, j);
      if (is_rounding(value, i, j)) value = 0;
      cells.push_back(std::isnan(value) ? "-" : number_text(value, digits));
    }
    cells = aligned(cells);
    for (std::ptrdiff_t i = 0; i < n_rows; ++i)
      if (!is_unique(answer, i, j)) cells[std::size_t(i)] += " (chosen)";
    if (has_units && !by_column)
      for (std::ptrdiff_t i = 0; i < n_rows; ++i)
        cells[std::size_t(i)] += " " + unit_of(answer, i, j);
    std::string heading = is_table ? answer.columns[std::size_t(j)] : "";
    if (by_column) heading += " [" + unit_of(answer, 0, j) + "]";
    if (is_table) cells.insert(cells.begin(), heading);
    columns.push_back(same_width(cells));
  }
  std::string text;
  for (std::size_t i = 0; i < columns[0].size(); ++i) {
    std::string line = " ";
    for (const auto& column : columns) line += " " + column[i] + " ";
    cut_trailing_spaces(line);
    text += line + "\n";
  }
  if (answer.uniqueness && !answer.uniqueness->is_all() && answer.uniqueness->of_efforts)
    text += "  (chosen): shares of redundant drives, minimum sum of squares\n";
  else if (answer.uniqueness && !answer.uniqueness->is_all())
    text += fmt::format(
        "  (chosen): self-stress, not unique; the least sum of {} with l = "
        "{} m\n",
        answer.uniqueness->is_weighted ? "weight (|force|^2 + |moment|^2 / l^2)"
                                       : "|force|^2 + |moment|^2 / l^2",
        number_text(answer.uniqueness->length, digits));
  return text;
}

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json number_json(double value) {
  return std::isfinite(value) ? Json(value + 0.0) : Json(nullptr);  // -0.0 + 0.0 is 0.0
}

Json answer_json(const Answer& answer) {
  const bool is_table = answer.shape == Answer::Shape::table;
  const bool one_unit = answer.units.empty() || has_one_unit(answer);
  Json values = Json::array(), units = Json::array(), unique = Json::array();
  for (std::ptrdiff_t i = 0; i < answer.values.rows(); ++i) {
    Json row = Json::array(), row_units = Json::array(), row_unique = Json::array();
    for (std::ptrdiff_t j = 0; j < answer.values.cols(); ++j) {
      row.push_back(number_json(answer.values(i, j)));
      if (!one_unit) row_units.push_back(unit_of(answer, i, j));
      row_unique.push_back(is_unique(answer, i, j));
    }
    values.push_back(is_table ? row : row[0]);
    if (!one_unit) units.push_back(is_table ? row_units : row_units[0]);
    unique.push_back(is_table ? row_unique : row_unique[0]);
  }
  Json out;
  out["values"] = values;
  out["names"] =
      is_table ? Json{{"rows", answer.rows}, {"columns", answer.columns}} : Json(answer.rows);
  out["unit"] = !one_unit ? units : answer.units.empty() ? Json(nullptr) : Json(answer.units[0]);
  out["frame"] = answer.frame.empty() ? Json(nullptr) : Json(answer.frame);
  if (answer.uniqueness) {
    out["unique"] = unique;
    if (!answer.uniqueness->of_efforts)
      out["length"] =
          answer.uniqueness->is_all() ? Json(nullptr) : number_json(answer.uniqueness->length);
  }
  return out;
}

Json answers_json(const Answers& answers) {
  if (answers.size() == 1 && answers[0].part.empty()) return answer_json(answers[0]);
  Json out;
  for (const Answer& answer : answers) out[answer.part] = answer_json(answer);
  return out;
}

}  // namespace trammel::cli
