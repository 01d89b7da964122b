#include "trammel/read/units.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <string>

namespace trammel::units_test {
namespace {

using std::numbers::pi;

double in_si(double number, std::string_view unit) {
  return trammel::in_si(Expr(number), std::get<Unit>(parse_unit(unit))).constant();
}
Dimension dimension_of(std::string_view unit) { return std::get<Unit>(parse_unit(unit)).dimension; }
ParseError mistake(std::string_view unit) { return std::get<ParseError>(parse_unit(unit)); }

TEST(Units, numbers_come_out_in_si) {
  EXPECT_EQ(in_si(30, "mm"), 0.03);
  EXPECT_EQ(in_si(7, "cm"), 0.07);
  EXPECT_EQ(in_si(180, "deg"), pi);
  EXPECT_EQ(in_si(90, "deg"), pi / 2);
  EXPECT_DOUBLE_EQ(in_si(20, "rpm"), 2 * pi / 3);           // a third of a turn per second
  EXPECT_DOUBLE_EQ(in_si(5, "mm/turn"), 0.005 / (2 * pi));  // a screw
  EXPECT_EQ(in_si(3, "in"), 0.0762);                        // 25.4 mm each, by definition
  EXPECT_EQ(in_si(1, "lb"), 0.45359237);
  EXPECT_EQ(in_si(2, "kg*mm^2"), 2e-6);
  EXPECT_EQ(in_si(36, "km/h"), 10);
  EXPECT_DOUBLE_EQ(in_si(1, "lbf"), 0.45359237 * 9.80665);  // a pound under standard gravity
}

TEST(Units, products_powers_and_parentheses_count_in_the_dimension) {
  EXPECT_EQ(dimension_of("N"), dimension_of("kg*m/s^2"));
  EXPECT_EQ(dimension_of("N*m"), dimension_of("J"));
  EXPECT_EQ(dimension_of("Nm"), dimension_of("N m"));
  EXPECT_EQ(dimension_of("N*m*s/rad"), dimension_of("N*m/(rad/s)"));
  EXPECT_EQ(dimension_of("N*m*s/rad"), dimension_of("N*m*s*rad^-1"));
  EXPECT_EQ(dimension_of("1/s"), dimension_of("Hz"));
  EXPECT_EQ(dimension_of("W"), dimension_of("J/s"));
  EXPECT_EQ(dimension_of("m/s/s"), dimension::acceleration);
}

TEST(Units, an_angle_is_no_plain_number) {
  EXPECT_FALSE(fits(dimension_of("deg"), dimension::none));
  EXPECT_FALSE(fits(dimension_of("mm"), dimension::pitch));  // per turn or per radian?
  EXPECT_FALSE(fits(dimension_of("Hz"), dimension::angular_velocity));
  EXPECT_TRUE(fits(dimension_of("rpm"), dimension::angular_velocity));
}

TEST(Units, radians_may_be_left_out_of_torques) {
  EXPECT_TRUE(fits(dimension_of("N*m"), dimension::angular_stiffness));
  EXPECT_TRUE(fits(dimension_of("N*m/rad"), dimension::angular_stiffness));
  EXPECT_TRUE(fits(dimension_of("N*m*s"), dimension::angular_damping));
  EXPECT_FALSE(fits(dimension_of("N*m/rad"), dimension::torque));
  EXPECT_FALSE(fits(dimension_of("N/m"), dimension::angular_stiffness));
}

TEST(Units, mistakes_have_a_place) {
  EXPECT_EQ(mistake("kg + 3 kg").position, 3);
  EXPECT_EQ(mistake("N*mms").position, 2);
  EXPECT_EQ(mistake("m^").position, 2);
  EXPECT_EQ(mistake("m/").message, "a unit is missing at the end");
  EXPECT_EQ(mistake("m/(s").message, "')' is missing in the unit");
  EXPECT_EQ(mistake("m^12").message, "the power of a unit is a whole number from -9 to 9");
  EXPECT_EQ(mistake("m*+s").message, "'+' stands where a unit is expected");
  EXPECT_EQ(mistake("degs").hint, "did you mean 'deg'? a product is written with '*'");
}

TEST(Units, a_unit_begins_where_an_operator_is_missing) {
  const auto unit_of = [](std::string_view text) {
    return std::string(text.substr(find_unit(text)));
  };
  EXPECT_EQ(unit_of("90 deg"), "deg");
  EXPECT_EQ(unit_of("90deg"), "deg");
  EXPECT_EQ(unit_of("1e3 mm"), "mm");
  EXPECT_EQ(unit_of("(a + b) mm/turn"), "mm/turn");
  EXPECT_EQ(unit_of("sin(x) m"), "m");
  EXPECT_EQ(unit_of("m m"), "m");
  EXPECT_EQ(unit_of("5 1/s"), "1/s");
  EXPECT_EQ(unit_of("2*m"), "");
  EXPECT_EQ(unit_of("max(a, b)"), "");
  EXPECT_EQ(unit_of("1/2"), "");
  EXPECT_EQ(unit_of(""), "");
}

TEST(Units, a_sum_is_one_outside_parentheses) {
  for (const char* sum :
       {"q - 180", "a+b", "-q - 1", "2*a + b*(c)", "1e-3 - x", "f(x) + 1", "q -1"})
    EXPECT_TRUE(is_sum(sum)) << sum;
  for (const char* other :
       {"-90", "(a + b)", "1e-3", "2*-3", "2^-3", "sin(a + b)", "+4", "", "a*(b-c)/d"})
    EXPECT_FALSE(is_sum(other)) << other;
}

TEST(Units, those_of_SI_change_no_number) {
  for (const char* unit : {"m", "rad", "N*m", "kg m^2", "s^-1", "J", "W", "mm/mm"})
    EXPECT_TRUE(std::get<Unit>(parse_unit(unit)).is_si()) << unit;
  for (const char* unit : {"mm", "deg", "g", "kN", "rpm", "turn", "min"})
    EXPECT_FALSE(std::get<Unit>(parse_unit(unit)).is_si()) << unit;
}

TEST(Units, dimensions_without_a_name_are_reported_in_units) {
  EXPECT_EQ(name_of(dimension_of("kg*m")), "a quantity in kg*m");
  EXPECT_EQ(name_of(dimension_of("rad/s^3")), "a quantity in s^-3*rad");
  EXPECT_EQ(name_of(dimension::angle), "an angle");
}

}  // namespace
}  // namespace trammel::units_test
