// Allocation of a motion to redundant drives, on closed chains, and invalid input.
#include "trammel/constraint/forces/allocation.hpp"

#include <fmt/format.h>
#include "tests/reference/from_gallery.hpp"

namespace trammel::allocation_test {
namespace {

// A four-bar with a motor at every joint of its tree: mobility 1, three drives.
struct DrivenFourBar : FromGallery {
  DrivenFourBar() : FromGallery("four_bar") {
    Description description = posed.model.description();
    for (JointDescription& joint : description.joints)
      if (posed.model[*posed.model.find_joint(joint.name)].role == NamedJoint::Role::tree) {
        joint.options.drive = Drive::torque;
        names.push_back(joint.name);
      }
    const State start = posed.state;
    posed.model = build_model(description);
    posed.workspace = Workspace(posed.model);
    posed.state = start;
    DriveDemand demand;
    EXPECT_TRUE(drive_demand(posed.model, posed.state, {}, posed.workspace, demand).ok());
    EXPECT_EQ(demand.A.rows(), 1);
    a = list_of(demand.T.col(0) * 3.0);
    EXPECT_TRUE(drive_demand(posed.model, posed.state, {.a = a}, posed.workspace, demand).ok());
    ways = demand.A.row(0).transpose();
    needed = demand.needed[0];
  }
  Status ask(const AllocationOptions& options) {
    return allocate_efforts(posed.model, posed.state, {.a = a}, posed.workspace, found, options);
  }
  Eigen::VectorXd accelerations() {
    const std::vector<double> tau = list_of(found.efforts.tau);
    return posed.a({.tau = tau});
  }

  std::vector<std::string> names;
  std::vector<double> a;
  Eigen::VectorXd ways;
  double needed = 0;
  Allocation found;
};

TEST(allocation, drives_a_closed_chain_however_it_is_shared) {
  DrivenFourBar bars;
  ASSERT_EQ(bars.names.size(), 3u);
  ASSERT_TRUE(bars.ask({}).ok());
  const Eigen::VectorXd least = bars.ways * bars.needed / bars.ways.squaredNorm();
  EXPECT_LT(largest_of(bars.found.efforts.tau - least), 1e-12 * least.norm());
  const double cost = bars.found.cost;
  EXPECT_NEAR(cost, least.squaredNorm(), 1e-12 * cost);
  const AllocationOptions cases[] = {
      {.weights = {{bars.names[0], 5}}},
      {.limits = {{bars.names[0], 0.5 * std::abs(least[0])}}},
      {.idle = {bars.names[1]}},
      {.idle = {bars.names[0], bars.names[2]}},
  };
  for (const AllocationOptions& options : cases) {
    const Status status = bars.ask(options);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_LT(largest_of(bars.accelerations() - vector_of(bars.a)), 1e-9);
    EXPECT_GT(bars.found.efforts.tau.squaredNorm(), cost);
    double weighted = 0;  // by definition: the sum of weight times square
    for (std::size_t k = 0; k < bars.names.size(); ++k) {
      const auto given = std::ranges::find(options.weights, bars.names[k],
                                           [](const auto& weight) { return weight.first; });
      const double effort = bars.found.efforts.tau[Eigen::Index(k)];
      weighted += (given == options.weights.end() ? 1 : given->second) * effort * effort;
    }
    EXPECT_NEAR(bars.found.cost, weighted, 1e-12 * weighted);
    for (const std::string& name : options.idle)
      EXPECT_EQ(
          bars.found.efforts.tau[bars.posed.model[*bars.posed.model.find_joint(name)].v_start], 0);
  }
  ASSERT_TRUE(bars.ask(cases[1]).ok());
  EXPECT_EQ(bars.found.at_limit, std::vector<std::string>{bars.names[0]});
}

TEST(allocation, says_what_lacks) {
  DrivenFourBar bars;
  AllocationOptions tight;
  for (const std::string& name : bars.names) tight.limits.emplace_back(name, 1e-3);
  const Status beyond = bars.ask(tight);
  ASSERT_FALSE(beyond.ok());
  // all three together: needed = ways . (limits + lacking)
  const double lacking = std::abs(bars.needed) / bars.ways.cwiseAbs().sum() - 1e-3;
  EXPECT_NE(beyond.message().find(fmt::format("would each need {:.4g} more", lacking)),
            std::string::npos)
      << beyond.message();
  const Status none = bars.ask({.idle = bars.names});
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.message().find("cannot produce this motion"), std::string::npos);
}

// Too few drives are counted in the message; with enough drives, none of which acts, the count
// would mislead.
TEST(allocation, counts_the_drives_only_where_they_are_too_few) {
  DrivenFourBar bars;
  const std::string few = bars.ask({.idle = bars.names}).message();
  EXPECT_NE(few.find("0 drives for mobility 1: "), std::string::npos) << few;

  // a separate pendulum that no drive moves: three drives for two degrees of freedom
  Description description = bars.posed.model.description();
  description.body("weight", {.mass = 1.0, .com = {0.3, 0.0, 0.0}});
  description.joint("swing", JointKind::revolute, "ground", "weight", {.axis = {0.0, 1.0, 0.0}});
  const Model model = build_model(description);
  Workspace workspace(model);
  State state;
  ASSERT_TRUE(assembled_start(model, workspace, state).ok());
  Allocation found;
  const std::string idle = allocate_efforts(model, state, {}, workspace, found).message();
  EXPECT_NE(idle.find("joint 'swing' moves most"), std::string::npos) << idle;
  EXPECT_EQ(idle.find("drives for"), std::string::npos) << idle;
}

// Each degree of freedom of a joint has its own limit. A body on a universal joint needs the
// efforts of inverse dynamics; limits a tenth higher suffice, a tenth lower do not.
TEST(allocation, heeds_the_limit_of_every_degree_of_freedom) {
  Description description("gimbal");
  description.body("mast", {.mass = 2.0, .com = {0.3, 0.2, 0.5}});
  description.joint("mount", JointKind::universal, "ground", "mast",
                    {.axis = {1.0, 0.0, 0.0}, .axis2 = {0.0, 1.0, 0.0}, .drive = Drive::torque});
  Posed free(description, {0.3, -0.2});
  const Eigen::VectorXd needed = free.tau().cwiseAbs();
  ASSERT_GT(needed.minCoeff(), 0.5);
  for (const int low : {-1, 0, 1}) {
    std::vector<Expr> limits;
    for (int k = 0; k < 2; ++k) limits.emplace_back(needed[k] * (k == low ? 0.9 : 1.1));
    description.joints[0].options.limits.effort = limits;
    Posed limited(description, {0.3, -0.2});
    Allocation found;
    const Status status = allocate_efforts(limited.model, limited.state, {}, limited.workspace,
                                           found, {.heeds_model_limits = true});
    EXPECT_EQ(status.ok(), low < 0) << status.message();
    if (low >= 0) {
      EXPECT_NE(status.message().find("'" + limited.model.dof_name(low) + "' would need"),
                std::string::npos)
          << status.message();
    }
  }
}

TEST(allocation, refuses_what_makes_no_sense) {
  DrivenFourBar bars;
  const auto message = [&](const AllocationOptions& options) -> std::string {
    try {
      (void)bars.ask(options);
    } catch (const std::invalid_argument& error) { return error.what(); }
    return "";
  };
  const std::string& name = bars.names[0];
  EXPECT_NE(message({.idle = {name + "x"}}).find("did you mean '" + name + "'"), std::string::npos);
  EXPECT_NE(message({.weights = {{name, 0}}}).find("above zero"), std::string::npos);
  EXPECT_NE(message({.limits = {{name, -1}}}).find("zero or more"), std::string::npos);
  EXPECT_NE(message({.limits = {{name, std::nan("")}}}).find("zero or more"), std::string::npos);
}

}  // namespace
}  // namespace trammel::allocation_test
