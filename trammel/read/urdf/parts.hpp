// The parts of a robot, each read by its own file.
#pragma once

#include <optional>
#include <string>

#include "trammel/read/load.hpp"
#include "trammel/read/urdf/element.hpp"
#include "trammel/read/urdf/materials.hpp"
#include "trammel/read/urdf/meshes.hpp"

namespace trammel {

Placement read_origin(const Element& owner, ItemPlace& place, const std::string& key);

BodyDescription read_link(const Element& link, const Materials& materials, Meshes& meshes);

// Adds the joint, and a coupling if it mimics another.
void read_joint(const Element& joint, Description& description);

// Once all joints are known: does each mimic one that it can?
void check_mimics(Description& description, UrdfReport& report);

// Another name for a link 'ground' that is not the root: 'ground' is what stands still. Returns the
// new name, or nothing if there is no such link.
std::optional<std::string> rename_ground_link(Description& description, UrdfReport& report);

// Makes the root link ground, or hangs it from ground; complains of what is no tree. Then adds the
// joints that close loops.
void plant_tree(Description& description, std::vector<JointDescription> loops, Base base,
                UrdfReport& report);

}  // namespace trammel
