#include "design_results.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "trammel/base/linear_algebra.hpp"

#include "numbers.hpp"

namespace trammel::cli {

namespace {

constexpr double degrees_per_radian = 180 / std::numbers::pi;

double tidy(double degrees) { return std::round(degrees * 1e9) / 1e9 + 0.0; }

// Angles in degrees in text, in radians in JSON.
Answer wheels_answer(const ModelLayout& layout, double per_radian) {
  Answer out{.part = "wheels",
             .shape = Answer::Shape::table,
             .values = Eigen::MatrixXd(Eigen::Index(layout.wheels.size()), 5),
             .rows = layout.names,
             .columns = {"rollers", "axle", "bearing", "distance", "radius"}};
  const std::string angle = per_radian == 1 ? "rad" : "deg";
  for (std::size_t k = 0; k < layout.wheels.size(); ++k) {
    const WheelPlacing& w = layout.wheels[k];
    const auto in_unit = [&](double a) { return per_radian == 1 ? a : tidy(a * per_radian); };
    out.values.row(Eigen::Index(k)) << in_unit(w.roller_angle), in_unit(w.axle), in_unit(w.bearing),
        w.distance, w.radius;
    for (const std::string& unit : {angle, angle, angle, std::string("m"), std::string("m")})
      out.units.push_back(unit);
  }
  return out;
}

Answer ellipsoid_answer(const char* part, const Ellipsoid& ellipsoid, const char* unit) {
  Answer out{.part = part,
             .shape = Answer::Shape::table,
             .values = Eigen::MatrixXd(3, 4),
             .rows = {"longest", "middle", "shortest"},
             .columns = {"half axis", "x", "y", "z"},
             .frame = "world"};
  for (Eigen::Index k = 0; k < 3; ++k) {
    out.values(k, 0) = ellipsoid.size[k];
    out.values.row(k).tail<3>() = ellipsoid.axes.col(k).transpose();
    for (const char* each : {unit, "1", "1", "1"}) out.units.emplace_back(each);
  }
  return out;
}

Answer jacobian_answer(const Dexterity& moved) {
  Answer out{.part = "jacobian",
             .shape = Answer::Shape::table,
             .values = moved.J,
             .rows = {"omega x", "omega y", "omega z", "v x", "v y", "v z"},
             .columns = moved.drives,
             .frame = "world"};
  for (int row = 0; row < 6; ++row)
    for (const bool slides : moved.slides)
      out.units.emplace_back(row < 3 ? (slides ? "rad/m" : "1") : (slides ? "1" : "m"));
  return out;
}

// In text, rounding errors are printed as 0.
Answer without_rounding(Answer answer) {
  const double least = 1e-12 * max_abs(answer.values);
  answer.values = (answer.values.array().abs() > least).select(answer.values, 0.0);
  return answer;
}

struct LengthEffect {
  double length, condition;
};
// Half the length, the length, twice the length, and the length with the smallest condition number.
std::vector<LengthEffect> effects_of(const DesignResults& results) {
  std::vector<LengthEffect> out;
  const auto add = [&](const auto& condition, double best) {
    for (const double factor : {0.5, 1.0, 2.0})
      out.push_back({factor * results.length, condition(factor * results.length)});
    if (best > 0) out.push_back({best, condition(best)});
  };
  if (results.hubs) {
    const Eigen::MatrixXd L = hub_jacobian(results.layout.wheels);
    const auto condition = [&](double length) {
      return conditioning(scaled(L, 1, length)).condition;
    };
    const double best = results.hubs->is_singular()
                            ? 0
                            : best_length(L, 1, 1e-3 * results.length, 1e3 * results.length);
    add(condition, best);
  } else if (results.moved) {
    add([&](double length) { return results.moved->condition_at(length); },
        results.moved->best_length);
  }
  return out;
}

bool is_isotropic(const DesignResults& results) {
  if (results.hubs) return results.hubs->is_isotropic();
  return results.moved && !results.moved->is_singular() && results.moved->directions > 1 &&
         results.moved->condition < 1 + 1e-9;
}

// [Saha 1991, 5.4]
std::string each_wheel_alone(const DesignResults& results) {
  std::string out =
      "each wheel alone: never isotropic. The rates of a hub and its roller move the hub's center "
      "evenly only\n  if the roller is across the hub and as large as the wheel itself, which no "
      "wheel can have";
  if (results.roller_radius > 0) {
    double best = INFINITY;
    for (const WheelPlacing& wheel : results.layout.wheels)
      best = std::min(best, conditioning(wheel_matrix(wheel, results.roller_radius)).condition);
    out += fmt::format("; here its condition number is {:.4g} or more", best);
  }
  return out + "\n";
}

}  // namespace

std::string singular_reason(const DesignResults& results) {
  if (results.hubs && results.hubs->is_singular()) return singular_because(results.layout.wheels);
  return results.moved ? results.moved->singular_because : std::string();
}

void DesignResults::evaluate_hubs() {
  if (!layout.all_have_rollers()) return;
  hubs = conditioning(scaled(hub_jacobian(layout.wheels), 1, length));
}

std::string design_text(const DesignResults& results, const Terminal& terminal) {
  std::string out = terminal.heading(results.title) + "\n";
  if (!results.layout.wheels.empty())
    out += answer_text(wheels_answer(results.layout, degrees_per_radian), 6);
  if (results.moved && !results.hubs) {
    out += fmt::format("{}{} of '{}' by the rates of the drives\n",
                       results.moved->has_drives ? ""
                                                 : "nothing is driven: every joint counts "
                                                   "as a drive; ",
                       terminal.heading("motion"), results.place_name);
    out += answer_text(without_rounding(jacobian_answer(*results.moved)), 6);
    out += fmt::format(
        "{}, {}, {} of them independent; the place has {}\n",
        counted(std::size_t(results.moved->ways), "degree of freedom", "degrees of freedom"),
        counted(results.moved->drives.size(), "drive", "drives"), results.moved->decided,
        counted(std::size_t(results.moved->directions), "direction", "directions"));
  }
  out += fmt::format("characteristic length  {:.6g} m, {}\n", results.length, results.length_is);
  const Eigen::VectorXd singular = results.hubs    ? results.hubs->singular
                                   : results.moved ? results.moved->singular
                                                   : Eigen::VectorXd();
  out +=
      fmt::format("singular values        {:.6g}{}\n", fmt::join(singular, ", "),
                  results.hubs ? " [1/m], of the Jacobian from platform motion to hub rates" : "");
  const std::string reason = singular_reason(results);
  if (!reason.empty()) {
    out += fmt::format("condition number       infinite: it is singular; {}\n", reason);
  } else {
    const std::vector<LengthEffect> effects = effects_of(results);
    out += fmt::format("condition number       {:.6g}{}\n", effects[1].condition,
                       is_isotropic(results) ? ": isotropic" : "");
    out += fmt::format("with other lengths     {:.6g} at {:.6g} m, {:.6g} at {:.6g} m",
                       effects[0].condition, effects[0].length, effects[2].condition,
                       effects[2].length);
    out += effects.size() > 3 ? fmt::format("; least {:.6g} at {:.6g} m\n", effects[3].condition,
                                            effects[3].length)
                              : "; it has no effect\n";
  }
  if (results.hubs) out += each_wheel_alone(results);
  if (results.search)
    out += fmt::format("searched               from {} starts, {} found this: anisotropy {:.3g}\n",
                       results.search->starts, results.search->agreeing,
                       results.search->found.anisotropy);
  if (results.moved && !results.hubs) {
    out += terminal.heading("velocities") + ", for drive rates of norm one\n" +
           answer_text(
               without_rounding(ellipsoid_answer("velocities", results.moved->linear, "m/s")), 5);
    out += terminal.heading("turning") + "\n" +
           answer_text(
               without_rounding(ellipsoid_answer("turning", results.moved->angular, "rad/s")), 5);
  }
  return out;
}

Json design_json(const DesignResults& results) {
  Json out{{"title", results.title},
           {"place", results.place_name.empty() ? Json(nullptr) : Json(results.place_name)},
           {"length", number_json(results.length)}};
  const std::string reason = singular_reason(results);
  out["singular_because"] = reason.empty() ? Json(nullptr) : Json(reason);
  out["isotropic"] = is_isotropic(results);
  const Eigen::VectorXd singular = results.hubs    ? results.hubs->singular
                                   : results.moved ? results.moved->singular
                                                   : Eigen::VectorXd();
  out["singular_values"] = Json::array();
  for (const double value : singular) out["singular_values"].push_back(number_json(value));
  out["lengths"] = Json::array();
  for (const auto& [length, condition] : effects_of(results))
    out["lengths"].push_back(
        {{"length", number_json(length)}, {"condition", number_json(condition)}});
  out["condition"] = out["lengths"].size() > 1 ? out["lengths"][1]["condition"] : Json(nullptr);
  if (!results.layout.wheels.empty()) out["wheels"] = answer_json(wheels_answer(results.layout, 1));
  if (results.moved) {
    out["ways"] = results.moved->ways;
    out["decided"] = results.moved->decided;
    out["directions"] = results.moved->directions;
    out["jacobian"] = answer_json(jacobian_answer(*results.moved));
    out["velocities"] = answer_json(ellipsoid_answer("velocities", results.moved->linear, "m/s"));
    out["turning"] = answer_json(ellipsoid_answer("turning", results.moved->angular, "rad/s"));
  }
  if (results.search)
    out["search"] = {{"starts", results.search->starts},
                     {"agreeing", results.search->agreeing},
                     {"anisotropy", number_json(results.search->found.anisotropy)}};
  return out;
}

std::string design_table(const DesignResults& results) {
  // a layout has no masses
  std::string out = "# masses and moments of inertia are examples: put yours\n";
  out += "name,type,distance,bearing [deg],axle [deg],radius,rollers [deg],mass,axial,across\n";
  out += ",platform,,,,,,10,1,1\n";
  for (std::size_t k = 0; k < results.layout.wheels.size(); ++k) {
    const WheelPlacing& w = results.layout.wheels[k];
    out +=
        fmt::format("{},omni,{},{},{},{},{},1,0.005,0.003\n", results.layout.names[k], w.distance,
                    tidy(w.bearing * degrees_per_radian), tidy(w.axle * degrees_per_radian),
                    w.radius, tidy(w.roller_angle * degrees_per_radian));
  }
  return out;
}

}  // namespace trammel::cli
