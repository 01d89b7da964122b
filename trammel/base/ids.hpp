// Indices of bodies, joints and frames as distinct types in interfaces, so that a body is not
// mistaken for a joint. Inner loops use plain int.
#pragma once

namespace trammel {

enum class BodyId : int {};   // a named body of the description; 0 is ground
enum class JointId : int {};  // a named joint of the description
enum class FrameId : int {};  // a named frame on a body

// Ground: body 0 of every model, root of its tree. Its frame is the world frame.
inline constexpr BodyId ground{0};

// Index of a body, joint or frame in Model::named_bodies(), joints() or frames().
constexpr int index(BodyId id) { return static_cast<int>(id); }
constexpr int index(JointId id) { return static_cast<int>(id); }
constexpr int index(FrameId id) { return static_cast<int>(id); }

}  // namespace trammel
