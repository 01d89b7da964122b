#include "followers.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "numbers.hpp"
#include "program.hpp"
#include "state_options.hpp"
#include "trammel/base/suggest.hpp"

namespace trammel::cli {

namespace {

constexpr const char* option_follow = "--follow";

std::optional<int> whole_number(const std::string& text) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

int row_given(const std::vector<std::string>& names, const std::string& text) {
  if (const auto found = std::ranges::find(names, text); found != names.end())
    return int(found - names.begin());
  if (const auto row = whole_number(text)) {
    if (*row >= 0 && *row < int(names.size())) return *row;
    throw UsageError(fmt::format("option {} names row {}", option_follow, *row),
                     names.empty() ? "the model has no rows: nothing closes a loop or rolls"
                                   : fmt::format("rows are 0 to {}", names.size() - 1));
  }
  const auto near = suggest(text, names);
  throw UsageError(
      fmt::format("option {} names '{}', but no row has that name", option_follow, text),
      near ? fmt::format("did you mean \"{}\"?", *near)
           : "trammel eval MODEL multipliers lists the rows");
}

}  // namespace

std::vector<Follower> followers(const Model& model, const std::vector<std::string>& texts) {
  std::vector<Follower> found;
  const std::vector<std::string> names = row_names(model);
  for (const std::string& text : texts) {
    const auto [where, values] = name_and_value(text, option_follow);
    const std::size_t at = where.rfind('@');
    const std::vector<std::string> description = split(values);
    if (at == std::string::npos || description.size() != 6)
      throw UsageError(fmt::format("option {} has '{}'", option_follow, text),
                       "it takes ROW@PLACE=mx,my,mz,fx,fy,fz");
    double w[6];
    for (std::size_t k = 0; k < 6; ++k) w[k] = number(description[k], option_follow);
    found.push_back({row_given(names, where.substr(0, at)),
                     {place(model, where.substr(at + 1), option_follow),
                      {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}},
                      Axes::world}});
  }
  return found;
}

}  // namespace trammel::cli
