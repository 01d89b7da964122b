// Numbers of things, as distinct types at the doors: a body is not a joint. Inside loops, plain
// int.
#pragma once

namespace trammel {

enum class BodyId : int {};   // a body as the user named it; 0 is ground
enum class JointId : int {};  // a joint as the user named it
enum class FrameId : int {};  // a named place on a body

inline constexpr BodyId ground{0};

constexpr int index(BodyId id) { return static_cast<int>(id); }
constexpr int index(JointId id) { return static_cast<int>(id); }
constexpr int index(FrameId id) { return static_cast<int>(id); }

}  // namespace trammel
