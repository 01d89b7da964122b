// Readers for the parts of a robot, one source file each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/model/description/joint_table.hpp"
#include "trammel/read/load.hpp"
#include "trammel/read/urdf/element.hpp"
#include "trammel/read/urdf/materials.hpp"
#include "trammel/read/urdf/meshes.hpp"

namespace trammel::urdf {

Placement read_origin(const Element& owner, ItemPlace& place, const std::string& key);

// Names of joint types in URDF (`column` of the joint table), with `continuous`, a revolute joint
// without limits.
struct JointType {
  std::string name;
  JointKind kind;
};
std::vector<JointType> joint_types(const char* JointTraits::*column);

BodyDescription read_link(const Element& link, const Materials& materials, Meshes& meshes);

// Adds the joint, and a coupling if it mimics another.
void read_joint(const Element& joint, Description& description);

// After all joints are read: checks that each mimicked joint exists and can be mimicked.
void check_mimics(Description& description, Report& report);

// Renames a link 'ground' that is not the root, since 'ground' is the fixed world. Returns the new
// name, or nothing if there is no such link.
std::optional<std::string> rename_ground_link(Description& description, Report& report);

// Makes the root link ground, or connects it to ground; reports graphs that are not a tree. Then
// adds the loop joints.
void plant_tree(Description& description, std::vector<JointDescription> loops, Base base,
                Report& report);

}  // namespace trammel::urdf
