// The joint table agrees with the structs of the joints, and schema, Python, docs and fuzzer know
// the names of all its kinds.
#include "trammel/model/description/joint_table.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "tests/support/joint_samples.hpp"
#include "tests/support/test_folder.hpp"

namespace trammel::joint_table_test {
namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(test_folder() + "/../" + file);
  EXPECT_TRUE(in.good()) << file;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(JointTable, names_are_unique_and_complete) {
  std::set<std::string> names;
  for (const JointKind kind : joint_kinds) names.insert(to_string(kind));
  EXPECT_EQ(names.size(), joint_kinds.size());
  EXPECT_EQ(joint_kinds.back(), JointKind::plunging_constant_velocity);  // the last enumerator
}

TEST(JointTable, has_the_degrees_of_freedom_of_the_struct) {
  for (const JointKind kind : joint_kinds) {
    SCOPED_TRACE(to_string(kind));
    const JointSample sample = joint_sample(kind);
    const Joint joint = make_joint(sample.joint, false);
    std::visit(
        [&](const auto& j) {
          EXPECT_EQ(j.nv(), dofs(sample.joint));
          EXPECT_EQ(j.nq(), coordinates(sample.joint));
        },
        joint);
    EXPECT_EQ(constant_count(joint), int(sample.constants.size()));
    EXPECT_EQ(dof_kinds(sample.joint).size(), std::size_t(dofs(sample.joint)));
  }
}

// A column with a rotation belongs to a rotational degree of freedom, one without to a translation.
TEST(JointTable, has_the_rotations_and_translations_of_the_struct) {
  for (const JointKind kind : joint_kinds) {
    SCOPED_TRACE(to_string(kind));
    const JointSample sample = joint_sample(kind);
    const std::vector<DofKind> kinds = dof_kinds(sample.joint);
    std::visit(
        [&](const auto& j) {
          double q[7] = {}, sin[7] = {}, cos[7] = {};
          j.neutral(q);
          for (double& c : cos) c = 1;
          Motion<double> keep[6];
          const auto S =
              axes(j, Coordinates<double, double>{{q, sin, cos, sample.constants.data()}}, keep);
          for (int k = 0; k < S.n; ++k)
            EXPECT_EQ(norm(column<double>(S, k).angular) > 0.5,
                      kinds[std::size_t(k)] == DofKind::turn);
        },
        make_joint(sample.joint, false));
  }
}

// A kind that the builder does not flip keeps that it is reversed.
TEST(JointTable, exchanges_parent_and_child_by_a_flip_or_in_the_struct) {
  for (const JointKind kind : joint_kinds) {
    if (kind == JointKind::fixed) continue;
    SCOPED_TRACE(to_string(kind));
    const Joint joint = make_joint(joint_sample(kind).joint, true);
    EXPECT_NE(std::visit([](const auto& j) { return is_reversed(j); }, joint),
              traits(kind).flips_when_reversed);
  }
}

TEST(JointTable, names_are_in_schema_python_docs_and_fuzzer) {
  const std::string quoted[] = {"schemas/model.schema.json", "schemas/cli/info.schema.json",
                                "python/trammel/_names.py", "tests/fuzz/models/mutations.py"};
  for (const JointKind kind : joint_kinds) {
    const std::string name = to_string(kind);
    for (const std::string& file : quoted)
      EXPECT_NE(text_of(file).find("\"" + name + "\""), std::string::npos) << name << ": " << file;
    const std::string docs = text_of("docs/model-format.md");
    const std::size_t row = docs.find("| `type` | `fixed ");
    ASSERT_NE(row, std::string::npos);
    const std::string types = docs.substr(row, docs.find('\n', row) - row);
    EXPECT_TRUE(types.find(" " + name + " ") != std::string::npos ||
                types.find("`" + name + " ") != std::string::npos ||
                types.find(" " + name + "`") != std::string::npos)
        << name << ": docs/model-format.md";
    if (kind == JointKind::fixed) continue;
    EXPECT_NE(text_of("docs/theory/joints.md").find("\n| " + name + " |"), std::string::npos)
        << name << ": docs/theory/joints.md";
  }
}

}  // namespace
}  // namespace trammel::joint_table_test
