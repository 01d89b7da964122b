// Tables of the items of a model file, one function per kind of item: bodies.cpp, joints.cpp,
// constraints.cpp, forces.cpp, inputs.cpp.
#pragma once

#include <vector>

#include "trammel/model/description/description.hpp"
#include "trammel/write/model/toml/value_writer.hpp"

namespace trammel::toml {

Table table_of(const BodyDescription& body, ValueWriter& values);
Table table_of(const FrameDescription& frame, ValueWriter& values);

Table table_of(const JointDescription& joint, ValueWriter& values);
Table table_of(const MotorDescription& motor, ValueWriter& values);
// Angles larger than a turn get their unit: without one the reader warns.
Table positions_table(const std::vector<StartDescription>& starts, const Description& description,
                      ValueWriter& values);
Table table_of(const std::vector<StartDescription>& starts, ValueWriter& values);

Table table_of(const WheelDescription& wheel, ValueWriter& values);
Table table_of(const TerrainDescription& terrain, ValueWriter& values);
Table table_of(const CouplingDescription& coupling, ValueWriter& values);
Table table_of(const ConstraintDescription& constraint, ValueWriter& values);

Table table_of(const SpringDescription& spring, ValueWriter& values);
Table table_of(const BushingDescription& bushing, ValueWriter& values);
Table table_of(const ContactDescription& contact, ValueWriter& values);
// Throws std::invalid_argument: a file cannot hold code.
Table table_of(const UserForceDescription& force, ValueWriter& values);

Table table_of(const InputDescription& input, ValueWriter& values);
Table table_of(const WrenchDescription& wrench, ValueWriter& values);
Table table_of(const GroundMotionDescription& motion, ValueWriter& values);
Table table_of(const ControllerDescription& controller, ValueWriter& values);
Table table_of(const EventDescription& event, const Description& description, ValueWriter& values);

}  // namespace trammel::toml
