// Properties of every kind of joint: its Jacobian is the derivative of its pose, its bias is the
// rate of the Jacobian, integrate and difference are inverse, its constraint wrenches do no work on
// its motions, also with parent and child exchanged. The kinds are those of the joint table.
#include <gtest/gtest.h>

#include <functional>

#include "tests/support/capability.hpp"
#include "tests/support/joint_samples.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"

namespace trammel::every_joint_test {
namespace {

using Step = Compound::Step;

struct Case {
  std::string name;
  Joint joint;
  std::vector<double> constants = {};
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

// Every row of the joint table, from both sides, and compound joints of other steps.
std::vector<Case> cases() {
  std::vector<Case> list = {
      {"gimbal with slides", Compound{Step::turn_x, Step::turn_y, Step::turn_z, Step::slide_x,
                                      Step::slide_y, Step::slide_z}},
      {"turn and slide", Compound{Step::turn_z, Step::slide_x}},
      {"oblique",
       Compound{Step::turn_oblique, Step::slide_z, Step::turn_oblique, Step::slide_oblique},
       {0.6, 0.0, 0.8, 0.0, 0.28, -0.96, 0.48, 0.6, 0.64}},
  };
  for (const JointKind kind : joint_kinds) {
    if (kind == JointKind::fixed) continue;
    const JointSample sample = joint_sample(kind);
    list.push_back({traits(kind).name, make_joint(sample.joint, false), sample.constants});
    if (!traits(kind).flips_when_reversed)
      list.push_back({std::string(traits(kind).name) + " from its far side",
                      make_joint(sample.joint, true), sample.constants});
  }
  return list;
}

class EveryJoint : public testing::TestWithParam<Case> {
 protected:
  // Calls `law` with the joint's own type, for several random positions and velocities.
  template <class Law> void for_several_motions(const Law& law) {
    std::visit(
        [&]<class J>(const J& joint) {
          Random random(7);
          for (int round = 0; round < 20; ++round) {
            std::vector<double> start(std::size_t(joint.nq())), q(start),
                far(std::size_t(joint.nv()));
            joint.neutral(start.data());
            for (double& x : far) x = random(-2, 2);
            joint.integrate(start.data(), far.data(), q.data());
            law(joint, q, random.numbers(joint.nv()));
          }
        },
        GetParam().joint);
  }
  template <Scalar S> static Coordinates<S, double> at(const std::vector<S>& q) {
    static thread_local SinCosCache<S> turns(16);  // caches the sines of the last position
    turns.prepare(q);
    return turns.at(0, GetParam().constants.data());
  }
  // The position moving with velocity v, as Dual numbers.
  template <class J>
  static std::vector<Duals> moving(const J& joint, const std::vector<double>& q,
                                   const std::vector<double>& v) {
    std::vector<double> q_dot(q.size());
    joint.rate(q.data(), v.data(), q_dot.data());
    std::vector<Duals> out(q.begin(), q.end());
    for (std::size_t k = 0; k < q.size(); ++k) out[k].derivative[0] = q_dot[k];
    return out;
  }
};
INSTANTIATE_TEST_SUITE_P(kinds, EveryJoint, testing::ValuesIn(cases()));

Vec3<double> value(const Vec3<Duals>& x) { return {x.x.value, x.y.value, x.z.value}; }
Vec3<double> slope(const Vec3<Duals>& x) {
  return {x.x.derivative[0], x.y.derivative[0], x.z.derivative[0]};
}

// a pose type with known zeros, as a general pose
template <Scalar S, class X> Pose<S> whole(const X& X_FM) {
  const Pose<S, S> moved = Pose<S>::identity() * X_FM;
  return {moved.R, moved.p};
}

TEST_P(EveryJoint, columns_are_the_derivatives_of_the_pose) {
  shows({"M-13", "pose", "axes"}, {"M-14", "axes"}, {"Y-08", "axes"});
  for_several_motions([](const auto& joint, const std::vector<double>& q,
                         const std::vector<double>& v) {
    const auto X = whole<Duals>(pose(joint, at(moving(joint, q, v))));
    const Mat3<double> R{value(X.R.x), value(X.R.y), value(X.R.z)};
    const Mat3<double> W = transpose(R) * Mat3<double>{slope(X.R.x), slope(X.R.y), slope(X.R.z)};
    const Motion<double> V{{W.y.z, W.z.x, W.x.y}, transpose_times(R, slope(X.p))};

    std::vector<Motion<double>> columns(6);
    const auto S_J = axes(joint, at(q), columns.data());
    Motion<double> across{};
    for (int k = 0; k < S_J.n; ++k) across = across + v[std::size_t(k)] * column<double>(S_J, k);
    EXPECT_LT(norm(across.angular - V.angular), 1e-14 * 20);  // a few products of numbers about 1
    EXPECT_LT(norm(across.linear - V.linear), 1e-14 * 20);
  });
}

TEST_P(EveryJoint, bias_is_the_rate_of_the_columns) {
  shows({"M-29", "bias"});
  for_several_motions(
      [](const auto& joint, const std::vector<double>& q, const std::vector<double>& v) {
        std::vector<Motion<Duals>> columns(6);
        const auto S_J = axes(joint, at(moving(joint, q, v)), columns.data());
        Motion<double> rate_{};
        for (int k = 0; k < S_J.n; ++k) {
          const Motion<Duals> S_k = column<Duals>(S_J, k);
          rate_ = rate_ + v[std::size_t(k)] * Motion<double>{slope(S_k.angular), slope(S_k.linear)};
        }
        const Motion<double> b = Motion<double>{} + bias(joint, at(q), v.data());
        EXPECT_LT(norm(b.angular - rate_.angular), 1e-14 * 50);
        EXPECT_LT(norm(b.linear - rate_.linear), 1e-14 * 50);
      });
}

TEST_P(EveryJoint, difference_undoes_integrate) {
  for_several_motions(
      [](const auto& joint, const std::vector<double>& q, const std::vector<double>& v) {
        std::vector<double> there(q.size()), back(v.size());
        joint.integrate(q.data(), v.data(), there.data());
        joint.difference(q.data(), there.data(), back.data());
        // v| < sqrt(3) < pi, so the shortest difference is v itself
        EXPECT_LT(difference_of(back, v), 1e-14 * 10);
      });
}

TEST_P(EveryJoint, rate_is_the_start_of_integrate) {
  for_several_motions(
      [](const auto& joint, const std::vector<double>& q, const std::vector<double>& v) {
        std::vector<Duals> q_dual(q.begin(), q.end()), v_dual(v.size()), there(q.size());
        for (std::size_t k = 0; k < v.size(); ++k) v_dual[k].derivative[0] = v[k];  // t v at t = 0
        joint.integrate(q_dual.data(), v_dual.data(), there.data());
        std::vector<double> q_dot(q.size());
        joint.rate(q.data(), v.data(), q_dot.data());
        for (std::size_t k = 0; k < q.size(); ++k)
          EXPECT_NEAR(there[k].derivative[0], q_dot[k], 1e-14 * 5);
      });
}

TEST_P(EveryJoint, a_constant_velocity_is_a_screw_where_the_axes_do_not_change) {
  for_several_motions([](const auto& joint, const std::vector<double>& q,
                         const std::vector<double>& v) {
    if constexpr (!requires { joint.bias(at(q), v.data()); }) {
      if (is_reversed(joint)) return;
      std::vector<Motion<double>> columns(6);
      const auto S_J = axes(joint, at(q), columns.data());
      Motion<double> twist{};
      for (int k = 0; k < S_J.n; ++k) twist = twist + v[std::size_t(k)] * column<double>(S_J, k);
      std::vector<double> there(q.size());
      const Pose<double> expected = whole<double>(pose(joint, at(q))) * exponential(twist);
      joint.integrate(q.data(), v.data(), there.data());
      const Pose<double> X = whole<double>(pose(joint, at(there)));
      EXPECT_LT(norm(X.p - expected.p) + norm(X.R.x - expected.R.x) + norm(X.R.y - expected.R.y),
                1e-13);
    }
  });
}

TEST_P(EveryJoint, wrenches_do_no_work_on_the_columns) {
  for_several_motions(
      [](const auto& joint, const std::vector<double>& q, const std::vector<double>&) {
        Force<double> row[6];
        if constexpr (requires { joint.wrenches(at(q), row); }) {
          const int rows = joint.wrenches(at(q), row);
          ASSERT_EQ(rows, 6 - joint.nv());
          std::vector<Motion<double>> columns(6);
          // those of a loop joint, which is never reversed
          auto forward = joint;
          if constexpr (requires { forward.reversed = false; }) forward.reversed = false;
          if (is_reversed(forward)) return;
          const auto S_J = axes(forward, at(q), columns.data());
          for (int r = 0; r < rows; ++r) {
            // as long as a unit wrench, so that errors of all rows are comparable; a screw's is
            // longer
            EXPECT_GE(norm(row[r].moment) + norm(row[r].force), 1 - 1e-14);
            for (int k = 0; k < S_J.n; ++k)
              EXPECT_LT(std::abs(dot(column<double>(S_J, k), row[r])), 1e-14 * 5);
          }
        }
      });
}

TEST_P(EveryJoint, fit_finds_the_coordinates_of_a_pose) {
  for_several_motions(
      [](const auto& joint, const std::vector<double>& q, const std::vector<double>&) {
        auto forward = joint;
        if constexpr (requires { forward.reversed = false; }) forward.reversed = false;
        const double* const constants = GetParam().constants.data();
        std::vector<double> found(q.size());
        if constexpr (requires { forward.fit(Pose<double>{}, constants, found.data()); }) {
          forward.neutral(found.data());
          const Pose<double> X = whole<double>(forward.pose(at(q)));
          forward.fit(X, constants, found.data());
          const Pose<double> again = whole<double>(forward.pose(at(found)));
          EXPECT_LT(norm(X.p - again.p) + norm(X.R.x - again.R.x) + norm(X.R.y - again.R.y),
                    1e-14 * 50);
        }
      });
}

TEST(Joint, a_body_seen_from_its_far_side_is_where_it_was) {
  Random random(3);
  const Free forward;
  const FreeFromAfar backward;
  std::vector<double> start(7), q(7), far = random.numbers(6);
  forward.neutral(start.data());
  forward.integrate(start.data(), far.data(), q.data());
  const Coordinates<double, double> x{q.data(), nullptr, nullptr, nullptr};
  const Pose<double> X = pose(forward, x) * pose(backward, x);
  EXPECT_LT(norm(X.p) + norm(X.R.x - Vec3<double>{1, 0, 0}), 1e-15 * 10);
}

}  // namespace
}  // namespace trammel::every_joint_test
