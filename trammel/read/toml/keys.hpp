// All keys of the native format, by table. schemas/model.schema.json has the same keys for editors
// (a test compares them), docs/model-format.md describes them.
#pragma once

#include <span>
#include <string_view>

namespace trammel::toml {

struct Key {
  std::string_view name;
  bool is_number = false;  // one number, which formulas of the same table may name
};

struct TableKeys {
  std::string_view table;  // its name in the schema
  std::span<const Key> keys;
};

namespace keys {

// clang-format off
inline constexpr Key model[] = {
    {"trammel"}, {"name"}, {"gravity"}, {"parameters"}, {"body"}, {"frame"}, {"joint"}, {"wheel"},
    {"coupling"}, {"constraint"}, {"spring"}, {"bushing"}, {"include"}, {"state"}, {"input"}, {"ground"},
    {"contact"}, {"motor"}, {"terrain"}, {"wrench"}, {"controller"}, {"path"}, {"event"}, {"run"},
    {"user_force"}};
inline constexpr Key body[] = {{"mass", true}, {"com"}, {"inertia"}, {"shape"}, {"repeat"}};
inline constexpr Key shape[] = {
    {"box"}, {"sphere"}, {"cylinder"}, {"capsule"}, {"mesh"}, {"scale"}, {"at"}, {"color"},
    {"collision"}, {"name"}};
inline constexpr Key placement[] = {
    {"xyz"}, {"rpy"}, {"quaternion"}, {"axis_angle"}, {"around"}};
inline constexpr Key placement_axis_angle[] = {{"axis"}, {"angle", true}};
inline constexpr Key placement_around[] = {{"axis"}, {"angle", true}};
inline constexpr Key repeat[] = {{"count"}, {"about"}, {"angle"}, {"index"}};
inline constexpr Key frame[] = {{"body"}, {"at"}, {"repeat"}};
inline constexpr Key joint[] = {
    {"type"}, {"parent"}, {"child"}, {"at"}, {"child_at"}, {"axis"}, {"axis2"}, {"motions"},
    {"pitch", true}, {"drive"}, {"cut"}, {"spring"}, {"friction"}, {"limits"}, {"repeat"}};
inline constexpr Key joint_motion[] = {{"turn"}, {"slide"}};
inline constexpr Key joint_spring[] = {{"stiffness", true}, {"rest", true}, {"damping", true}};
inline constexpr Key joint_friction[] = {{"effort", true}, {"speed", true}};
inline constexpr Key joint_limits[] = {
    {"position"}, {"velocity", true}, {"effort", true}, {"restitution", true}};
inline constexpr Key wheel[] = {
    {"type"}, {"body"}, {"axis"}, {"radius", true}, {"roller_angle", true},
    {"roller_radius", true}, {"friction", true}, {"trail", true}, {"mass", true}, {"at"}, {"on"},
    {"touches"}, {"repeat"}};
inline constexpr Key terrain[] = {
    {"on"}, {"height"}, {"with"}, {"from"}, {"spacing"}, {"heights"}, {"repeat"}};
inline constexpr Key wrench[] = {{"at"}, {"axes"}, {"moment"}, {"force"}, {"repeat"}};
inline constexpr Key coupling[] = {{"terms"}, {"offset", true}, {"repeat"}};
inline constexpr Key constraint[] = {
    {"type"}, {"between"}, {"distance", true}, {"points"}, {"x"}, {"y"}, {"z"}, {"with"},
    {"from"}, {"to"}, {"closed"}, {"active"}, {"repeat"}};
inline constexpr Key spring[] = {
    {"between"}, {"stiffness", true}, {"length", true}, {"damping", true}, {"repeat"}};
inline constexpr Key bushing[] = {
    {"between"}, {"stiffness"}, {"damping"}, {"preload"}, {"table"}, {"interpolation"}, {"repeat"}};
inline constexpr Key bushing_table[] = {{"x"}, {"y"}, {"z"}, {"rx"}, {"ry"}, {"rz"}};
inline constexpr Key bushing_points[] = {{"at"}, {"force"}};
inline constexpr Key user_force[] = {{"between"}, {"force"}, {"energy"}, {"with"}, {"repeat"}};
inline constexpr Key contact[] = {
    {"body"}, {"on"}, {"at"}, {"radius", true}, {"stiffness", true}, {"dissipation", true},
    {"friction", true}, {"slip_speed", true}, {"repeat"}};
inline constexpr Key motor[] = {
    {"joint"}, {"gear", true}, {"rotor_inertia", true}, {"stall_torque", true},
    {"no_load_speed", true}, {"repeat"}};
inline constexpr Key include[] = {{"file"}, {"prefix"}, {"at"}, {"on"}, {"base"}, {"set"}, {"repeat"}};
inline constexpr Key state[] = {{"position"}, {"velocity"}, {"guess"}, {"velocity_guess"}};
inline constexpr Key input[] = {
    {"joint"}, {"constant", true}, {"speed"}, {"ramp"}, {"step"}, {"sine"}, {"random"},
    {"pulse"}, {"cubic"}, {"spline"}, {"table"}, {"repeat"}};
inline constexpr Key controller[] = {
    {"joint"}, {"p", true}, {"i", true}, {"d", true}, {"filter", true}, {"limit", true}, {"rate"},
    {"target"}, {"repeat"}};
inline constexpr Key controller_target[] = {
    {"constant", true}, {"speed"}, {"ramp"}, {"step"}, {"sine"}, {"random"}, {"pulse"},
    {"cubic"}, {"spline"}, {"table"}};
inline constexpr Key event[] = {
    {"at", true}, {"when"}, {"every"}, {"lock"}, {"unlock"}, {"grasp"}, {"release"}, {"stop"}, {"repeat"}};
inline constexpr Key event_when[] = {{"joint"}, {"column"}, {"crosses", true}, {"way"}};
inline constexpr Key input_ramp[] = {
    {"from", true}, {"to", true}, {"over", true}, {"start", true}};
inline constexpr Key input_step[] = {{"from", true}, {"to", true}, {"at", true}};
inline constexpr Key input_sine[] = {
    {"amplitude", true}, {"frequency", true}, {"phase", true}, {"offset", true}};
inline constexpr Key input_speed[] = {{"rate", true}, {"from", true}};
inline constexpr Key input_random[] = {
    {"rms", true}, {"low", true}, {"high", true}, {"seed", true}, {"offset", true}};
inline constexpr Key input_pulse[] = {
    {"from", true}, {"to", true}, {"at", true}, {"over", true}};
inline constexpr Key input_points[] = {{"times"}, {"values"}, {"file"}};
inline constexpr Key path[] = {
    {"place"}, {"forward", true}, {"circle"}, {"straight"}, {"two_straights"}, {"spline"}, {"yaw"}};
inline constexpr Key path_circle[] = {{"radius", true}, {"angle", true}, {"over", true}};
inline constexpr Key path_straight[] = {{"x", true}, {"y", true}, {"over", true}};
inline constexpr Key path_two_straights[] = {
    {"x_start", true}, {"x_end", true}, {"y_start", true}, {"speed", true}, {"start_up", true},
    {"curve", true}, {"slow_down", true}};
inline constexpr Key path_spline[] = {{"times"}, {"x"}, {"y"}, {"yaw"}, {"file"}};
inline constexpr Key path_yaw[] = {
    {"from", true}, {"to", true}, {"start", true}, {"over", true}};
inline constexpr Key ground[] = {{"motion"}};
inline constexpr Key ground_motion[] = {{"position"}, {"yaw_pitch_roll"}};
inline constexpr Key run[] = {
    {"duration", true}, {"step", true}, {"sample", true}, {"tolerance", true}, {"method"}, {"record"}};
// clang-format on

inline constexpr TableKeys all[] = {{"model", model},
                                    {"body", body},
                                    {"shape", shape},
                                    {"placement", placement},
                                    {"placement_axis_angle", placement_axis_angle},
                                    {"placement_around", placement_around},
                                    {"repeat", repeat},
                                    {"frame", frame},
                                    {"joint", joint},
                                    {"joint_motion", joint_motion},
                                    {"joint_spring", joint_spring},
                                    {"joint_friction", joint_friction},
                                    {"joint_limits", joint_limits},
                                    {"wheel", wheel},
                                    {"terrain", terrain},
                                    {"wrench", wrench},
                                    {"coupling", coupling},
                                    {"constraint", constraint},
                                    {"spring", spring},
                                    {"bushing", bushing},
                                    {"bushing_table", bushing_table},
                                    {"bushing_points", bushing_points},
                                    {"user_force", user_force},
                                    {"contact", contact},
                                    {"motor", motor},
                                    {"include", include},
                                    {"state", state},
                                    {"input", input},
                                    {"controller", controller},
                                    {"controller_target", controller_target},
                                    {"event", event},
                                    {"event_when", event_when},
                                    {"input_ramp", input_ramp},
                                    {"input_step", input_step},
                                    {"input_sine", input_sine},
                                    {"input_speed", input_speed},
                                    {"input_random", input_random},
                                    {"input_pulse", input_pulse},
                                    {"input_points", input_points},
                                    {"path", path},
                                    {"path_circle", path_circle},
                                    {"path_straight", path_straight},
                                    {"path_two_straights", path_two_straights},
                                    {"path_spline", path_spline},
                                    {"path_yaw", path_yaw},
                                    {"ground", ground},
                                    {"ground_motion", ground_motion},
                                    {"run", run}};

}  // namespace keys

}  // namespace trammel::toml
