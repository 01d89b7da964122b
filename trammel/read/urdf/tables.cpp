#include "trammel/read/urdf/tables.hpp"

namespace trammel::urdf {

namespace {

using enum Use;

const ElementTable origin{{{"xyz"}, {"rpy"}}};

// inertial
const ElementTable mass{{{"value", required}}};
const ElementTable inertia{{{"ixx", required},
                            {"ixy", required},
                            {"ixz", required},
                            {"iyy", required},
                            {"iyz", required},
                            {"izz", required}}};
const ElementTable inertial{
    {},
    {{"origin", optional, &origin}, {"mass", required, &mass}, {"inertia", required, &inertia}}};

// visual and collision
const ElementTable box{{{"size", required}}};
const ElementTable sphere{{{"radius", required}}};
const ElementTable cylinder{{{"radius", required}, {"length", required}}};
const ElementTable mesh{{{"filename", required}, {"scale"}}};
const ElementTable geometry{{},
                            {{"box", optional, &box},
                             {"sphere", optional, &sphere},
                             {"cylinder", optional, &cylinder},
                             {"capsule", optional, &cylinder},
                             {"mesh", optional, &mesh}}};
const ElementTable color{{{"rgba", required}}};
const ElementTable material{
    {{"name"}},
    {{"color", optional, &color},
     {"texture", unused, nullptr, "shapes are shown in one color, without pictures on them"}}};
const ElementTable visual{{{"name"}},
                          {{"origin", optional, &origin},
                           {"geometry", required, &geometry},
                           {"material", optional, &material}}};
const ElementTable collision{
    {{"name"}},
    {{"origin", optional, &origin},
     {"geometry", required, &geometry},
     {"verbose", unused, nullptr, "collision shapes are kept for view"},
     {"contact_coefficients", unused, nullptr, "collision shapes are kept for view"}}};

const ElementTable link{{{"name"}, {"type", unused, "a link is a rigid body"}},
                        {{"inertial", optional, &inertial},
                         {"visual", repeated, &visual},
                         {"collision", repeated, &collision}}};

// joint
const ElementTable end{{{"link", required}}};
const ElementTable axis{{{"xyz", required}}};
const ElementTable limit{{{"lower"},
                          {"upper"},
                          {"effort"},
                          {"velocity"},
                          {"acceleration", unused, "limits are of position, velocity and effort"},
                          {"deceleration", unused, "limits are of position, velocity and effort"},
                          {"jerk", unused, "limits are of position, velocity and effort"}}};
const ElementTable dynamics{{{"damping"}, {"friction"}}};
const ElementTable mimic{{{"joint", required}, {"multiplier"}, {"offset"}}};
const ElementTable joint{
    {{"name"},
     {"type", required},
     {"independent", unused, "which coordinates are independent is found out"}},
    {{"origin", optional, &origin},
     {"parent", required, &end},
     {"child", required, &end},
     {"axis", optional, &axis},
     {"limit", optional, &limit},
     {"dynamics", optional, &dynamics},
     {"mimic", optional, &mimic},
     {"calibration", unused, nullptr, "it is for a real robot's sensors"},
     {"safety_controller", unused, nullptr, "it is for a real robot's controller"}}};

// extensions of URDF+: loops, and couplings between links
const ElementTable placed_end{{{"link", required}}, {{"origin", optional, &origin}}};
const ElementTable loop{
    {{"name"}, {"type", required}},
    {{"predecessor", required, &placed_end},
     {"successor", required, &placed_end},
     {"axis", optional, &axis},
     {"limit", unused, nullptr, "limits are of the joints that carry links"},
     {"dynamics", unused, nullptr, "damping is of the joints that carry links"}}};
const ElementTable ratio{{{"value", required}}};
const ElementTable coupling{
    {{"name"}},
    {{"predecessor", required, &end}, {"successor", required, &end}, {"ratio", required, &ratio}}};

const ElementTable robot{
    {{"name"}, {"version"}},
    {{"link", repeated, &link},
     {"joint", repeated, &joint},
     {"loop", repeated, &loop},
     {"coupling", repeated, &coupling},
     {"material", repeated, &material},
     {"transmission", unused, nullptr, "every joint takes an effort of its own"},
     {"gazebo", unused, nullptr, "it is for the simulator Gazebo"},
     {"ros2_control", unused, nullptr, "it is for a real robot's controllers"},
     {"mujoco", unused, nullptr, "it is for the simulator MuJoCo"},
     {"sensor", unused, nullptr, "it is for other programs"}}};

}  // namespace

const ElementTable& robot_table() { return robot; }

}  // namespace trammel::urdf
