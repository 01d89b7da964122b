// Units of measurement, as written after a number: "mm", "m/s^2", "N*m/rad", "kg m^2".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "trammel/scalar/expr.hpp"
#include "trammel/scalar/expr_parser.hpp"

namespace trammel {

// Physical dimension: powers of meter, kilogram, second and radian. The angle counts, so that
// degrees in place of a length are detected.
struct Dimension {
  int length = 0, mass = 0, time = 0, angle = 0;
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

namespace dimension {
inline constexpr Dimension none{}, length{1}, mass{0, 1}, time{0, 0, 1}, angle{0, 0, 0, 1};
inline constexpr Dimension velocity{1, 0, -1}, angular_velocity{0, 0, -1, 1};
inline constexpr Dimension acceleration{1, 0, -2}, frequency{0, 0, -1};
inline constexpr Dimension force{1, 1, -2}, torque{2, 1, -2}, inertia{2, 1};
inline constexpr Dimension stiffness{0, 1, -2}, angular_stiffness{2, 1, -2, -1};
inline constexpr Dimension damping{0, 1, -1}, angular_damping{2, 1, -1, -1};
inline constexpr Dimension pitch{1, 0, 0, -1};
}  // namespace dimension

// Conversion to SI: number * times / over. Two factors, so that 30 mm is exactly 0.03 m.
struct Unit {
  Dimension dimension = {};
  double times = 1, over = 1;
  bool is_si() const { return times == over; }
};
Expr in_si(const Expr& number, const Unit& unit);

// The unit, or the first error in it.
std::variant<Unit, ParseError> parse_unit(std::string_view text);
bool is_unit(std::string_view name);  // of a single word

// Whether a unit may be used where this dimension is expected. Radians may be omitted in units that
// contain a mass: a rotational stiffness may be given in N*m.
bool fits(const Dimension& unit, const Dimension& expected);

// "a length", "a torque"; a dimension without a name is described by its units: "a quantity in
// kg*m"
std::string name_of(const Dimension& dimension);
// "m or mm"; may be empty
std::string units_of(const Dimension& dimension);

// Hint for a text with a degree sign, "90\u00b0", which is no unit; empty for other texts.
std::string hint_about_degree_sign(std::string_view text);

// Position of the unit in "(a + b) mm"; the length of the text if it has none.
std::size_t find_unit(std::string_view text);
// Whether a formula is a sum or difference outside parentheses. After one, a unit that is not SI
// could belong to the last term or to the whole: "q - 180 deg".
bool is_sum(std::string_view formula);

}  // namespace trammel
