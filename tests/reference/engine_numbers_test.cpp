// Closed mechanisms of the gallery against stored numbers of Simbody and Pinocchio.
#include "tests/reference/engine_numbers.hpp"

#include <algorithm>

#include "tests/reference/from_gallery.hpp"

namespace trammel::engine_numbers_test {
namespace {

// A gallery model in a stored state; vectors in the stored order and in ours.
class Stored {
 public:
  explicit Stored(const EngineNumbers& numbers) : numbers(numbers), mechanism(numbers.model) {
    order(0);
    State& state = mechanism.posed.state;
    std::size_t at = 0;
    for (const int i : bodies) {
      const Body& body = model().bodies()[std::size_t(i)];
      const bool is_free = std::holds_alternative<Free>(body.joint);
      const int count = is_free ? 7 : body.v_end - body.v_start;
      for (int k = 0; k < count; ++k) {
        const int place = !is_free ? k : k < 3 ? k + 4 : k < 6 ? k - 2 : 0;
        state.q[std::size_t(body.q_start + place)] = numbers.q[at++];
      }
    }
    state.v = ours(numbers.v);
  }

  const Model& model() const { return mechanism.posed.model; }
  std::vector<double> ours(const std::vector<double>& stored) const {
    std::vector<double> out(stored.size());
    std::size_t at = 0;
    for (const int i : bodies) {
      const Body& body = model().bodies()[std::size_t(i)];
      const int count = body.v_end - body.v_start;
      for (int k = 0; k < count; ++k)  // [linear; angular] of a free base
        out[std::size_t(body.v_start + (count == 6 ? (k + 3) % 6 : k))] = stored[at++];
    }
    return out;
  }

  const EngineNumbers& numbers;
  FromGallery mechanism;
  std::vector<int> bodies;  // of the spanning tree, depth first

 private:
  void order(int root) {
    for (int i = 1; i < int(model().bodies().size()); ++i)
      if (model().bodies()[std::size_t(i)].parent == root) {
        bodies.push_back(i);
        order(i);
      }
  }
};

void expect_same(const Eigen::VectorXd& found, const std::vector<double>& wanted, double tolerance,
                 const char* what) {
  const Eigen::VectorXd expected = vector_of(wanted);
  EXPECT_LE((found - expected).lpNorm<Eigen::Infinity>(),
            tolerance * expected.lpNorm<Eigen::Infinity>())
      << what;
}

// Rounding times the condition of mass matrix and rows, some thousands; Pinocchio regularizes the
// redundant row of a pin in the plane by 1e-8, and refines once.
constexpr double rounding = 1e-12, regularized = 1e-10;

TEST(engine_numbers, forward_dynamics_is_that_of_simbody_and_pinocchio) {
  for (const EngineNumbers& numbers : engine_numbers) {
    SCOPED_TRACE(numbers.model);
    Stored stored(numbers);
    const std::vector<double> tau = stored.ours(numbers.tau);
    const Eigen::VectorXd a = stored.mechanism.posed.a({.tau = tau});
    expect_same(a, stored.ours(numbers.a), rounding, "Simbody");
    expect_same(a, stored.ours(numbers.pinocchio_a), regularized, "Pinocchio");
  }
}

TEST(engine_numbers, efforts_of_pinocchio_produce_the_motion) {
  for (const EngineNumbers& numbers : engine_numbers) {
    SCOPED_TRACE(numbers.model);
    Stored stored(numbers);
    const std::vector<double> efforts = stored.ours(numbers.efforts);
    expect_same(stored.mechanism.posed.a({.tau = efforts}), stored.ours(numbers.a), regularized,
                "accelerations");
  }
}

// A joint's place is that of its body's frame; axes differ, lengths do not.
TEST(engine_numbers, reactions_of_the_leg_are_those_of_simbody) {
  Stored stored(*std::ranges::find(engine_numbers, std::string("leg_with_rods"),
                                   [](const EngineNumbers& numbers) { return numbers.model; }));
  const std::vector<double> tau = stored.ours(stored.numbers.tau);
  std::vector<Force<double>> forces;
  Posed& posed = stored.mechanism.posed;
  ASSERT_TRUE(reactions(posed.model, posed.state, {.tau = tau}, posed.workspace, forces).ok());
  const double largest_moment = *std::ranges::max_element(leg_moments),
               largest_force = *std::ranges::max_element(leg_forces);
  std::size_t line = 0;  // a universal joint takes two, the second is its body's
  for (const int i : stored.bodies) {
    const Body& body = posed.model.bodies()[std::size_t(i)];
    line += std::size_t(body.v_end - body.v_start) - 1;
    for (std::size_t j = 0; j < forces.size(); ++j) {
      const NamedJoint& joint = posed.model.joints()[j];
      if (joint.role != NamedJoint::Role::tree || joint.body != i) continue;
      EXPECT_NEAR(norm(forces[j].moment), leg_moments[line], rounding * largest_moment)
          << joint.name;
      EXPECT_NEAR(norm(forces[j].force), leg_forces[line], rounding * largest_force) << joint.name;
    }
    ++line;
  }
  EXPECT_EQ(line, leg_forces.size());
}

}  // namespace
}  // namespace trammel::engine_numbers_test
