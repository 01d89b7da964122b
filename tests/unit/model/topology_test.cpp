// Classification of mechanism graphs: those of [Yesiloglu 2007, section 1.1], [Saha 1991, sections
// 1 and 3.4.1] and [van der Merwe 1995, sections 1.2 and 6.1, figures 1.2 to 1.5, examples ME-1 to
// ME-5].
#include "trammel/model/topology.hpp"

#include <Eigen/Core>

#include "tests/support/capability.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::topology_test {
namespace {

using Kind = Topology::Kind;
using Form = Topology::Form;

struct Edges {
  const char *parent, *child;
  JointKind kind = JointKind::revolute;
};

// Bodies are those named by the edges; joints are called "parent-child".
Description mechanism(std::initializer_list<Edges> edges) {
  Description description("mechanism");
  for (const auto& [parent, child, kind] : edges) {
    for (const std::string body : {parent, child})
      if (body != "ground" && std::ranges::find(description.bodies, body, &BodyDescription::name) ==
                                  description.bodies.end())
        description.body(body, {1.0, {}, {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
    description.joint(std::string(parent) + "-" + child, kind, parent, child);
  }
  return description;
}
Topology of(const Description& description) { return topology(build_model(description)); }
Topology of(std::initializer_list<Edges> edges) { return of(mechanism(edges)); }

TEST(TopologyGraph, UnitGraphsOfYesiloglu) {
  shows({"Y-01", "topology"});
  EXPECT_EQ(of({{"ground", "a"}, {"a", "b"}, {"b", "c"}}).kind, Kind::serial);
  EXPECT_EQ(of({{"ground", "a"}, {"a", "b"}, {"a", "c"}}).kind, Kind::tree);
  EXPECT_EQ(of({{"ground", "a"}, {"ground", "b"}}).kind, Kind::tree);
  EXPECT_EQ(of({{"ground", "a"}, {"a", "b"}, {"b", "c"}, {"c", "ground"}}).kind, Kind::closed);
  EXPECT_EQ(of({{"ground", "a"}, {"a", "b"}, {"b", "c"}, {"c", "ground"}, {"b", "arm"}}).kind,
            Kind::complex);
  // an arm that carries a ring
  EXPECT_EQ(of({{"ground", "a"}, {"a", "b"}, {"b", "c"}, {"c", "a"}}).kind, Kind::complex);
}

TEST(TopologyGraph, FixedBodiesAreOneAndFreeJointsHoldNothing) {
  const JointKind fixed = JointKind::fixed, free = JointKind::free;
  const Topology tool = of({{"ground", "a"}, {"a", "tool", fixed}, {"a", "camera", fixed}});
  EXPECT_EQ(tool.kind, Kind::serial);
  EXPECT_EQ(tool.nodes, 2);
  EXPECT_EQ(of({{"ground", "a", fixed}}).kind, Kind::nothing_moves);
  const Topology floating = of({{"ground", "base", free}, {"base", "a"}});
  EXPECT_TRUE(floating.floats);
  EXPECT_EQ(floating.kind, Kind::serial);
  EXPECT_EQ(of({{"ground", "base", free}, {"base", "a"}, {"base", "b"}}).kind, Kind::tree);
  // arms that grasp an object which also has a free joint: two loops would be one too many
  const Topology held = of({{"ground", "a"},
                            {"ground", "b"},
                            {"ground", "o", free},
                            {"a", "o", fixed},
                            {"b", "o", fixed}});
  EXPECT_FALSE(held.floats);
  EXPECT_EQ(held.loops.size(), 1u);
  EXPECT_EQ(held.form, Form::serial_closed);
  // arms of a free base that grasp each other
  const Topology space = of({{"ground", "base", free}, {"base", "a"}, {"base", "b"}, {"a", "b"}});
  EXPECT_TRUE(space.floats);
  EXPECT_EQ(space.form, Form::serial_closed);
  EXPECT_EQ(space.internal_loops, 0);
}

TEST(TopologyGraph, FiguresAndExamplesOfVanDerMerwe) {
  shows({"M-01", "topology"});
  // figures 1.2 to 1.5
  EXPECT_EQ(of({{"ground", "1"}, {"1", "2"}, {"2", "3"}}).form, Form::serial_open);
  EXPECT_EQ(of({{"ground", "1"}, {"1", "2"}, {"2", "3"}, {"ground", "3"}}).form,
            Form::serial_closed);
  EXPECT_EQ(of({{"ground", "1"}, {"1", "2"}, {"1", "3"}, {"3", "4"}}).form, Form::branched);
  const Topology loop = of({{"ground", "1"}, {"1", "2"}, {"2", "3"}, {"3", "1"}});
  EXPECT_EQ(loop.form, Form::internal_loops);
  EXPECT_EQ(loop.internal_loops, 1);
  EXPECT_FALSE(loop.reference.has_value());
  // three legs on ground, and two bodies that share them: no single body breaks every loop
  EXPECT_EQ(of({{"ground", "1"},
                {"ground", "2"},
                {"1", "2"},
                {"ground", "3"},
                {"ground", "4"},
                {"3", "4"},
                {"2", "3"}})
                .form,
            Form::multiple_closed);
  // ME-1 and ME-2: Stanford arms
  EXPECT_EQ(of({{"ground", "1"}, {"1", "2", JointKind::cylindrical}, {"2", "3"}, {"3", "4"}}).form,
            Form::serial_open);
  // ME-3: four links, the tip attached
  Description held = mechanism({{"ground", "1"}, {"1", "2"}, {"2", "3"}, {"3", "4"}});
  held.frame("tip", "4", {});
  held.frame("post", "ground", {});
  held.constraints.push_back({.name = "tip", .frame = "post", .other_frame = "tip"});
  EXPECT_EQ(of(held).form, Form::serial_closed);
  EXPECT_EQ(of(held).loops,
            (std::vector<Topology::Loop>{{"tip", "ground-1", "1-2", "2-3", "3-4"}}));

  // ME-4: two links and a load; ME-5: three legs of two links, the last fixed to the load
  const Description two =
      mechanism({{"ground", "left"}, {"ground", "right"}, {"left", "load"}, {"right", "load"}});
  const Model me_4 = build_model(two);
  const Topology carried = topology(me_4);
  EXPECT_EQ(carried.form, Form::serial_closed);
  ASSERT_TRUE(carried.reference.has_value());
  EXPECT_EQ(me_4[*carried.reference].name, "load");
  EXPECT_EQ(carried.tree_bodies.size(), 2u);
  Description legs("three legs");
  legs.body("load", {5.0, {}, {0.5, 0.0, 0.0, 0.5, 0.0, 0.5}});
  for (const std::string k : {"1", "2", "3"}) {
    legs.body("upper" + k, {2.0, {}, {0.05, 0.0, 0.0, 0.5, 0.0, 0.5}});
    legs.body("lower" + k, {0.5, {}, {0.01, 0.0, 0.0, 0.01, 0.0, 0.01}});
    legs.joint("hip" + k, JointKind::compound, "ground", "upper" + k,
               {.motions = {turn({0.0, 1.0, 0.0}), turn({0.0, 0.0, 1.0}), slide({1.0, 0.0, 0.0})}});
    legs.joint("knee" + k, JointKind::universal, "upper" + k, "lower" + k,
               {.axis = {0.0, 1.0, 0.0}, .axis2 = {0.0, 0.0, 1.0}});
    legs.joint("grip" + k, JointKind::fixed, "lower" + k, "load");
  }
  const Model me_5 = build_model(legs);
  const Topology machine = topology(me_5);
  EXPECT_EQ(machine.form, Form::simple_closed);
  EXPECT_EQ(machine.loops.size(), 2u);
  ASSERT_TRUE(machine.reference.has_value());
  EXPECT_EQ(me_5[*machine.reference].name, "load");
  ASSERT_EQ(machine.tree_bodies.size(), 3u);
  for (const Topology::Chain& leg : machine.tree_bodies) EXPECT_EQ(leg.steps.size(), 2u);

  // bodies are numbered outward, so chains count up; Wittenburg's interconnection matrix S of a
  // tree (+1 where joint k leaves body i, -1 where it comes in) is the inverse of its path matrix T
  const Model tree = build_model(mechanism({{"ground", "1"}, {"1", "2"}, {"1", "3"}, {"3", "4"}}));
  const auto bodies = tree.bodies();
  const Eigen::Index n = Eigen::Index(bodies.size()) - 1;
  Eigen::MatrixXd S = Eigen::MatrixXd::Zero(n, n), T = S;
  for (Eigen::Index k = 0; k < n; ++k) {
    S(k, k) = -1;
    const int parent = bodies[std::size_t(k) + 1].parent;
    ASSERT_LE(parent, k);
    if (parent > 0) S(parent - 1, k) = 1;
    for (int i = int(k) + 1; i > 0; i = bodies[std::size_t(i)].parent) T(i - 1, k) = -1;
  }
  EXPECT_EQ(S * T, Eigen::MatrixXd::Identity(n, n));
}

// Platform, two driven wheels, fork and wheel of a caster on a floor [Saha 1991, figure 3.4].
Description vehicle() {
  Description description = mechanism({{"ground", "platform", JointKind::free},
                                       {"platform", "wheel1"},
                                       {"platform", "wheel2"},
                                       {"platform", "fork"},
                                       {"fork", "caster"}});
  for (const char* wheel : {"wheel1", "wheel2", "caster"})
    description.wheels.push_back(
        {.name = std::string("roll of ") + wheel, .body = wheel, .radius = 0.1});
  return description;
}

TEST(TopologyGraph, SerialArmIsSimpleAndAVehicleComplex) {
  shows({"S-01", "topology"}, {"S-24", "topology"});
  const Topology arm = of({{"ground", "1"}, {"1", "2"}, {"2", "3"}, {"3", "4"}, {"4", "5"}});
  EXPECT_EQ(arm.most_joints, 2);
  const Model model = build_model(vehicle());
  const Topology graph = topology(model);
  EXPECT_EQ(graph.most_joints, 3);
  EXPECT_EQ(model[graph.most_joined].name, "platform");
  EXPECT_EQ(graph.nodes, 6);
  EXPECT_EQ(graph.edges, 7);
  EXPECT_EQ(graph.loops.size(), 2u);
  // each joint of the tree and each loop joint: all seven are in the loops
  EXPECT_EQ(graph.kind, Kind::closed);
  EXPECT_EQ(graph.form, Form::simple_closed);
  EXPECT_EQ(model[*graph.reference].name, "platform");
}

TEST(TopologyGraph, EveryClassHasAName) {
  EXPECT_EQ(to_string(Kind::nothing_moves), "nothing moves");
  EXPECT_EQ(to_string(Form::serial_open), "serial open chain");
  EXPECT_EQ(to_string(Form::serial_closed), "serial closed chain");
  EXPECT_EQ(to_string(Form::branched), "branched open chains");
  EXPECT_EQ(to_string(Form::simple_closed), "simple closed chain");
  EXPECT_EQ(to_string(Form::multiple_closed), "multiple closed chain");
  EXPECT_EQ(to_string(Form::internal_loops), "mechanism with internal loops");
}

TEST(TopologyGraph, AnArmOnALoopBeginsAtTheLoop) {
  const Model model = build_model(
      mechanism({{"ground", "a"}, {"a", "b"}, {"b", "ground"}, {"b", "c"}, {"c", "d"}}));
  const Topology graph = topology(model);
  ASSERT_EQ(graph.open_arms.size(), 1u);
  EXPECT_EQ(model[graph.open_arms[0].base].name, "b");
  EXPECT_EQ(model[graph.open_arms[0].tip].name, "d");
  EXPECT_EQ(graph.open_arms[0].steps.size(), 2u);
}

TEST(TopologyGraph, ARingBetweenLegsIsSeenWhicheverWayRoundTheLoopsAreTold) {
  const Topology graph =
      of({{"ground", "a"}, {"ground", "b"}, {"ground", "c"}, {"a", "b"}, {"b", "c"}, {"c", "a"}});
  EXPECT_EQ(graph.loops.size(), 3u);
  EXPECT_EQ(graph.internal_loops, 1);
  EXPECT_EQ(graph.form, Form::internal_loops);
}

// Bodies in a loop from ground to ground; without the middle one, two equal chains are left.
Description ring(int n, const char* letter = "b") {
  Description description("ring");
  const auto name = [&](int k) { return k == 0 || k > n ? "ground" : letter + std::to_string(k); };
  for (int k = 1; k <= n; ++k) description.body(name(k), {1.0, {}, {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
  for (int k = 0; k <= n; ++k)
    description.joint(letter + ("-" + std::to_string(k)), JointKind::revolute, name(k),
                      name(k + 1));
  return description;
}

TEST(TopologyGraph, TheReferenceOfARingIsItsMiddle) {
  for (const int n : {1, 3, 2001}) {
    const Model model = build_model(ring(n));
    const Topology graph = topology(model);
    ASSERT_TRUE(graph.reference) << n;
    EXPECT_EQ(model[*graph.reference].name, "b" + std::to_string((n + 1) / 2));
    EXPECT_EQ(graph.tree_bodies.size(), 2u);
    EXPECT_EQ(graph.form, Form::serial_closed);
  }
  // of two bodies in the middle, the heavier
  Description even = ring(6);
  EXPECT_EQ(build_model(even)[*of(even).reference].name, "b3");
  even.bodies[3].solid.mass = 2.0;
  EXPECT_EQ(build_model(even)[*of(even).reference].name, "b4");
  // an open chain next to it changes nothing, a second ring leaves no reference
  even.body("arm", {1.0, {}, {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
  even.joint("shoulder", JointKind::revolute, "ground", "arm");
  EXPECT_EQ(build_model(even)[*of(even).reference].name, "b4");
  const Description other = ring(3, "c");
  for (const BodyDescription& body : other.bodies) even.bodies.push_back(body);
  for (const JointDescription& joint : other.joints) even.joints.push_back(joint);
  EXPECT_FALSE(of(even).reference);
}

}  // namespace
}  // namespace trammel::topology_test
