#include "trammel/read/toml/placement.hpp"

#include <array>
#include <cmath>
#include <optional>

#include "trammel/model/description/frames.hpp"

namespace trammel::toml {

namespace {

// Roll, pitch and yaw of a rotation. Roll is measured after yaw is taken off, so that the three
// together are exact to rounding near a pitch of 90 degrees, too, where roll and yaw alone are not.
Vec3<Expr> rpy_of(const Mat3<double>& R) {
  const bool is_upright = std::hypot(R.x.x, R.x.y) < 1e-12;
  const double yaw = is_upright ? 0 : std::atan2(R.x.y, R.x.x);
  const double c = std::cos(yaw), s = std::sin(yaw);
  const double pitch = std::atan2(-R.x.z, c * R.x.x + s * R.x.y);
  const double roll = std::atan2(s * R.z.x - c * R.z.y, c * R.y.y - s * R.y.x);
  return {roll, pitch, yaw};
}

Vec3<double> constants(const Vec3<Expr>& a) {
  return {a.x.constant(), a.y.constant(), a.z.constant()};
}

// An axis and an angle; `coordinate`: 0, 1, 2 for an axis along x, y, z, and then the angle about
// that axis.
struct Turn {
  Vec3<Expr> axis;
  Expr angle;
  int coordinate = -1;

  bool is_constant() const { return trammel::is_constant(axis) && angle.is_constant(); }
  Mat3<double> matrix() const {
    const Vec3<double> n = normalized(constants(axis));
    const auto [s, c] = clean_sin_cos(angle.constant());
    const Mat3<double> k = skew(n);
    return Mat3<double>::identity() + s * k + (1 - c) * (k * k);
  }
  // About a coordinate axis.
  Vec3<Expr> rpy() const {
    return {coordinate == 0 ? angle : 0.0, coordinate == 1 ? angle : 0.0,
            coordinate == 2 ? angle : 0.0};
  }
};

class PlacementReader {
 public:
  explicit PlacementReader(TableReader& reader) : reader_(reader) {}

  Placement read() {
    Placement at{reader_.vector("xyz", dimension::length, {}), read_rotation()};
    if (const Entry* around = reader_.entry("around"))
      if (const std::optional<Turn> turn = read_turn(*around, keys::placement_around))
        rotate_all(*around, *turn, at);
    return at;
  }

 private:
  Vec3<Expr> read_rotation() {
    std::string given;
    for (const char* key : {"rpy", "quaternion", "axis_angle"}) {
      if (!reader_.has(key)) continue;
      if (!given.empty())
        reader_.error(reader_.table().find(key)->position,
                      fmt::format("the rotation is given by {} and by {}", given, key),
                      "leave out the one or the other");
      given = key;
    }
    if (given == "quaternion") return read_quaternion(*reader_.entry("quaternion"));
    if (given == "axis_angle") return read_axis_angle(*reader_.entry("axis_angle"));
    return reader_.vector("rpy", dimension::angle, {});
  }

  Vec3<Expr> read_quaternion(const Entry& entry) {
    const std::vector<Expr> q =
        reader_.numbers("quaternion", std::vector<Expected>(4, dimension::none));
    if (reader_.owner().place.has_mistakes) return {};
    double square = 0;
    for (const Expr& part : q) {
      if (!part.is_constant()) return refuse_formula(entry);
      square += part.constant() * part.constant();
    }
    // a quaternion rounded to two digits is meant; other lengths are a mistake
    if (q.size() != 4 || !(std::abs(std::sqrt(square) - 1) < 0.02)) {
      reader_.error(entry.value.position,
                    q.size() != 4
                        ? fmt::format("quaternion has {} entr{}, it takes 4 numbers", q.size(),
                                      q.size() == 1 ? "y" : "ies")
                        : fmt::format("quaternion has the length {:.6g}, not 1", std::sqrt(square)),
                    "the order is [w, x, y, z], as in [1, 0, 0, 0], which is no rotation");
      return {};
    }
    return rpy_of(rotation(normalized(
        Quaternion<double>{q[0].constant(), q[1].constant(), q[2].constant(), q[3].constant()})));
  }

  Vec3<Expr> read_axis_angle(const Entry& entry) {
    const std::optional<Turn> turn = read_turn(entry, keys::placement_axis_angle);
    if (!turn) return {};
    if (turn->coordinate >= 0) return turn->rpy();
    return turn->is_constant() ? rpy_of(turn->matrix()) : refuse_formula(entry);
  }

  // { axis, angle }
  std::optional<Turn> read_turn(const Entry& entry, std::span<const Key> keys) {
    if (!reader_.expect_table(entry.value, entry.key)) return std::nullopt;
    TableReader inner(reader_.owner(), entry.value, keys, reader_.scope(), reader_.report(),
                      entry.key + ".", entry.key + ".");
    const char* const example = "as in { axis = \"z\", angle = \"30 deg\" }";
    if (!inner.require("axis", example) || !inner.require("angle", example)) return std::nullopt;
    Turn turn{inner.axis("axis", {0.0, 0.0, 1.0}), inner.number("angle", dimension::angle, 0.0)};
    if (reader_.owner().place.has_mistakes) return std::nullopt;
    if (!is_constant(turn.axis)) return turn;
    const Vec3<double> n = constants(turn.axis);
    if (!(norm(n) > 0)) {
      inner.error(inner.table().find("axis")->value.position, "the axis has the length 0",
                  "give a direction");
      return std::nullopt;
    }
    const std::array<double, 3> parts = {n.x, n.y, n.z};
    for (int k = 0; k < 3; ++k) {
      const auto at = std::size_t(k);
      if (parts[at] == 0 || parts[(at + 1) % 3] != 0 || parts[(at + 2) % 3] != 0) continue;
      turn.coordinate = k;
      if (parts[at] < 0) turn.angle = -turn.angle;
    }
    return turn;
  }

  // The placement after a rotation about an axis through the origin of the frame it is in.
  void rotate_all(const Entry& entry, const Turn& turn, Placement& at) {
    const Vec3<Expr> r = at.xyz;
    if (turn.coordinate >= 0) {
      const auto [s, c] = sin_cos_of(turn.angle);
      if (turn.coordinate == 0) at.xyz = {r.x, c * r.y - s * r.z, s * r.y + c * r.z};
      if (turn.coordinate == 1) at.xyz = {c * r.x + s * r.z, r.y, c * r.z - s * r.x};
      if (turn.coordinate == 2) at.xyz = {c * r.x - s * r.y, s * r.x + c * r.y, r.z};
    } else if (turn.is_constant()) {
      const Mat3<double> R = turn.matrix();
      at.xyz = {R.x.x * r.x + R.y.x * r.y + R.z.x * r.z, R.x.y * r.x + R.y.y * r.y + R.z.y * r.z,
                R.x.z * r.x + R.y.z * r.y + R.z.z * r.z};
    } else {
      refuse_formula(entry);
      return;
    }
    const bool is_constant_rotation = is_constant(at.rpy);
    const bool has_rotation = !is_constant_rotation || norm(constants(at.rpy)) > 0;
    if (turn.coordinate == 2)
      at.rpy.z = at.rpy.z + turn.angle;  // yaw comes last
    else if (!has_rotation && turn.coordinate >= 0)
      at.rpy = turn.rpy();
    else if (is_constant_rotation && turn.is_constant())
      at.rpy = rpy_of(turn.matrix() * rotation_of(at.rpy));
    else
      at.rpy = refuse_formula(entry);
  }

  static SinCos<Expr> sin_cos_of(const Expr& angle) {
    if (!angle.is_constant()) return sin_cos(angle);
    const auto [s, c] = clean_sin_cos(angle.constant());
    return {s, c};
  }
  static Mat3<double> rotation_of(const Vec3<Expr>& rpy) {
    return rotation_rpy(clean_sin_cos(rpy.x.constant()), clean_sin_cos(rpy.y.constant()),
                        clean_sin_cos(rpy.z.constant()));
  }

  Vec3<Expr> refuse_formula(const Entry& entry) {
    reader_.error(
        entry.value.position,
        fmt::format("{} depends on a parameter, which roll, pitch and yaw cannot follow "
                    "for this axis",
                    entry.key),
        "give numbers, or the angle about x, y or z as a formula: { axis = \"z\", angle = "
        "\"tilt\" }");
    return {};
  }

  TableReader& reader_;
};

}  // namespace

Placement read_placement(TableReader& reader) { return PlacementReader(reader).read(); }

}  // namespace trammel::toml
