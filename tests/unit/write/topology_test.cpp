#include "trammel/write/model/topology.hpp"

#include <gtest/gtest.h>

#include "trammel/model/build/builder.hpp"

namespace trammel::topology_test {
namespace {

struct Link {
  const char *parent, *child;
  JointKind kind = JointKind::revolute;
};

std::string class_of(std::initializer_list<const char*> bodies, std::initializer_list<Link> links) {
  Description description("mechanism");
  for (const char* body : bodies) description.body(body, {1.0, {}, {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
  for (const auto& [parent, child, kind] : links)
    description.joint(std::string(parent) + "-" + child, kind, parent, child);
  return topology_class(build_model(description));
}

TEST(Topology, TellsChainsFromTrees) {
  EXPECT_EQ(class_of({"a", "b"}, {{"ground", "a"}, {"a", "b"}}), "serial chain");
  EXPECT_EQ(class_of({"a", "b", "c"}, {{"ground", "a"}, {"a", "b"}, {"a", "c"}}), "tree");
  EXPECT_EQ(class_of({"a", "b"}, {{"ground", "a"}, {"ground", "b"}}), "tree");
  // a body fixed to another is part of it
  EXPECT_EQ(class_of({"a", "b"}, {{"ground", "a"}, {"a", "b", JointKind::fixed}}), "serial chain");
  EXPECT_EQ(class_of({"a"}, {{"ground", "a", JointKind::fixed}}), "nothing that moves");
}

TEST(Topology, TellsWhatFloats) {
  const JointKind free = JointKind::free;
  EXPECT_EQ(class_of({"a"}, {{"ground", "a", free}}), "floating body");
  EXPECT_EQ(class_of({"a", "b"}, {{"ground", "a", free}, {"a", "b"}}), "floating chain");
  EXPECT_EQ(class_of({"a", "b", "c"}, {{"ground", "a", free}, {"a", "b"}, {"a", "c"}}),
            "floating tree");
  EXPECT_EQ(class_of({"a", "b"}, {{"ground", "a", free}, {"ground", "b"}}), "tree");
}

TEST(Topology, CountsLoopsAndNotWhereTheyAreCut) {
  EXPECT_EQ(class_of({"a", "b"}, {{"ground", "a"}, {"a", "b"}, {"ground", "b"}}),
            "mechanism with 1 loop");
  EXPECT_EQ(class_of({"a", "b"}, {{"ground", "a"}, {"a", "b"}, {"ground", "b"}, {"b", "ground"}}),
            "mechanism with 2 loops");
}

}  // namespace
}  // namespace trammel::topology_test
