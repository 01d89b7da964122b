// All keys of the native format, by table. schemas/model.schema.json has the same keys for editors
// (a test compares them), docs/model-format.md describes them.
#pragma once

#include <span>
#include <string_view>

namespace trammel {

struct TomlKey {
  std::string_view name;
  bool is_number = false;  // one number, which formulas of the same table may name
};

struct TomlKeys {
  std::string_view table;  // its name in the schema
  std::span<const TomlKey> keys;
};

namespace toml_keys {

// clang-format off
inline constexpr TomlKey model[] = {
    {"trammel"}, {"name"}, {"gravity"}, {"parameters"}, {"body"}, {"frame"}, {"joint"}, {"wheel"},
    {"coupling"}, {"constraint"}, {"spring"}, {"bushing"}, {"include"}, {"state"}, {"input"}, {"ground"},
    {"contact"}, {"motor"}, {"terrain"}, {"wrench"}, {"controller"}, {"path"}, {"event"}, {"run"}};
inline constexpr TomlKey body[] = {{"mass", true}, {"com"}, {"inertia"}, {"shape"}};
inline constexpr TomlKey shape[] = {
    {"box"}, {"sphere"}, {"cylinder"}, {"capsule"}, {"mesh"}, {"scale"}, {"at"}, {"color"},
    {"collision"}, {"name"}};
inline constexpr TomlKey placement[] = {{"xyz"}, {"rpy"}};
inline constexpr TomlKey frame[] = {{"body"}, {"at"}};
inline constexpr TomlKey joint[] = {
    {"type"}, {"parent"}, {"child"}, {"at"}, {"child_at"}, {"axis"}, {"axis2"}, {"motions"},
    {"pitch", true}, {"drive"}, {"cut"}, {"spring"}, {"friction"}, {"limits"}};
inline constexpr TomlKey joint_motion[] = {{"turn"}, {"slide"}};
inline constexpr TomlKey joint_spring[] = {{"stiffness", true}, {"rest", true}, {"damping", true}};
inline constexpr TomlKey joint_friction[] = {{"effort", true}, {"speed", true}};
inline constexpr TomlKey joint_limits[] = {
    {"position"}, {"velocity", true}, {"effort", true}, {"restitution", true}};
inline constexpr TomlKey wheel[] = {
    {"type"}, {"body"}, {"axis"}, {"radius", true}, {"roller_angle", true},
    {"roller_radius", true}, {"friction", true}, {"trail", true}, {"mass", true}, {"at"}, {"on"},
    {"touches"}};
inline constexpr TomlKey terrain[] = {
    {"on"}, {"height"}, {"with"}, {"from"}, {"spacing"}, {"heights"}};
inline constexpr TomlKey wrench[] = {{"at"}, {"axes"}, {"moment"}, {"force"}};
inline constexpr TomlKey coupling[] = {{"terms"}, {"offset", true}};
inline constexpr TomlKey constraint[] = {
    {"type"}, {"between"}, {"distance", true}, {"points"}, {"x"}, {"y"}, {"z"}, {"with"},
    {"from"}, {"to"}, {"closed"}, {"active"}};
inline constexpr TomlKey spring[] = {
    {"between"}, {"stiffness", true}, {"length", true}, {"damping", true}};
inline constexpr TomlKey bushing[] = {
    {"between"}, {"stiffness"}, {"damping"}, {"preload"}, {"table"}, {"interpolation"}};
inline constexpr TomlKey bushing_table[] = {{"x"}, {"y"}, {"z"}, {"rx"}, {"ry"}, {"rz"}};
inline constexpr TomlKey bushing_points[] = {{"at"}, {"force"}};
inline constexpr TomlKey contact[] = {
    {"body"}, {"on"}, {"at"}, {"radius", true}, {"stiffness", true}, {"dissipation", true},
    {"friction", true}, {"slip_speed", true}};
inline constexpr TomlKey motor[] = {
    {"joint"}, {"gear", true}, {"rotor_inertia", true}, {"stall_torque", true},
    {"no_load_speed", true}};
inline constexpr TomlKey include[] = {{"file"}, {"prefix"}, {"at"}, {"on"}, {"base"}, {"set"}};
inline constexpr TomlKey state[] = {{"position"}, {"velocity"}, {"guess"}, {"velocity_guess"}};
inline constexpr TomlKey input[] = {
    {"joint"}, {"constant", true}, {"ramp"}, {"step"}, {"sine"}, {"pulse"}, {"cubic"},
    {"spline"}, {"table"}};
inline constexpr TomlKey controller[] = {
    {"joint"}, {"p", true}, {"i", true}, {"d", true}, {"filter", true}, {"limit", true}, {"rate"},
    {"target"}};
inline constexpr TomlKey controller_target[] = {
    {"constant", true}, {"ramp"}, {"step"}, {"sine"}, {"pulse"}, {"cubic"}, {"spline"}, {"table"}};
inline constexpr TomlKey event[] = {
    {"at", true}, {"when"}, {"every"}, {"lock"}, {"unlock"}, {"grasp"}, {"release"}, {"stop"}};
inline constexpr TomlKey event_when[] = {{"joint"}, {"column"}, {"crosses", true}, {"way"}};
inline constexpr TomlKey input_ramp[] = {
    {"from", true}, {"to", true}, {"over", true}, {"start", true}};
inline constexpr TomlKey input_step[] = {{"from", true}, {"to", true}, {"at", true}};
inline constexpr TomlKey input_sine[] = {
    {"amplitude", true}, {"frequency", true}, {"phase", true}, {"offset", true}};
inline constexpr TomlKey input_pulse[] = {
    {"from", true}, {"to", true}, {"at", true}, {"over", true}};
inline constexpr TomlKey input_points[] = {{"times"}, {"values"}, {"file"}};
inline constexpr TomlKey path[] = {
    {"place"}, {"forward", true}, {"circle"}, {"straight"}, {"two_straights"}, {"spline"}, {"yaw"}};
inline constexpr TomlKey path_circle[] = {{"radius", true}, {"angle", true}, {"over", true}};
inline constexpr TomlKey path_straight[] = {{"x", true}, {"y", true}, {"over", true}};
inline constexpr TomlKey path_two_straights[] = {
    {"x_start", true}, {"x_end", true}, {"y_start", true}, {"speed", true}, {"start_up", true},
    {"curve", true}, {"slow_down", true}};
inline constexpr TomlKey path_spline[] = {{"times"}, {"x"}, {"y"}, {"yaw"}, {"file"}};
inline constexpr TomlKey path_yaw[] = {
    {"from", true}, {"to", true}, {"start", true}, {"over", true}};
inline constexpr TomlKey ground[] = {{"motion"}};
inline constexpr TomlKey ground_motion[] = {{"position"}, {"yaw_pitch_roll"}};
inline constexpr TomlKey run[] = {
    {"duration", true}, {"step", true}, {"sample", true}, {"tolerance", true}, {"method"}, {"record"}};
// clang-format on

inline constexpr TomlKeys all[] = {{"model", model},
                                   {"body", body},
                                   {"shape", shape},
                                   {"placement", placement},
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

}  // namespace toml_keys

}  // namespace trammel
