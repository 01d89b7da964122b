// Bodies, joints and frames of a model: spanning tree, merged bodies, layout of q and v.
#include <utility>

#include <fmt/format.h>

#include "trammel/model/build/model_builder.hpp"
#include "trammel/model/description/joint_table.hpp"

namespace trammel {

// Spanning tree over the joints with valid names; items with an error of their own count as
// connected.
void ModelBuilder::find_tree() {
  std::vector<Edge> edges;
  for (std::size_t k = 0; k < description().joints.size(); ++k) {
    const JointDescription& joint = description().joints[k];
    const ResolvedNames::Ends& ends = names_.joints[k];
    if (ends.are_sound())
      edges.push_back({ends.parent, ends.child, dofs(joint), joint.options.cut,
                       joint.options.drive != Drive::none});
  }
  for (const int body : names_.doubtful) edges.push_back({0, body});
  tree_ = find_spanning_tree(int(description().bodies.size()) + 1, edges);

  for (const auto& [first, size] : tree_.islands) {
    const BodyDescription& body = description().bodies[std::size_t(first) - 1];
    const std::string more = size > 2   ? fmt::format(" and {} more are", size - 1)
                             : size > 1 ? " and 1 more are"
                                        : " is";
    diagnostics_.error(body.place,
                       fmt::format("body '{}'{} not connected to ground", body.name, more),
                       "connect it with a joint, for example a free joint from ground");
  }
}

void ModelBuilder::name_bodies() {
  model_.named_bodies_.reserve(description().bodies.size() + 1);
  model_.named_bodies_.push_back({"ground", 0, std::nullopt, {}});
  for (const BodyDescription& body : description().bodies)
    model_.named_bodies_.push_back({body.name, 0, std::nullopt, body.place});
  model_.body_names_ = NameIndex(model_.named_bodies_);
}

// tree joints in the order of q, then fixed ones, then loop joints
void ModelBuilder::number_joints() {
  using Role = NamedJoint::Role;
  std::vector<JointId> id_of_step(tree_.outward.size());
  model_.joints_.reserve(description().joints.size());
  for (const Role role : {Role::tree, Role::fixed})
    for (std::size_t s = 0; s < tree_.outward.size(); ++s) {
      const auto& [k, is_reversed, inboard, outboard] = tree_.outward[s];
      const bool is_fixed = description().joints[std::size_t(k)].kind == JointKind::fixed;
      if (is_fixed != (role == Role::fixed)) continue;
      id_of_step[s] = JointId(int(model_.joints_.size()));
      add_joint(k, role, is_reversed);
      model_.named_bodies_[std::size_t(outboard)].inboard = id_of_step[s];
    }
  model_.outward_joints_ = std::move(id_of_step);
  for (const int k : tree_.loops) add_joint(k, Role::loop, false);
  model_.joint_names_ = NameIndex(model_.joints_);
}

void ModelBuilder::add_joint(int k, NamedJoint::Role role, bool is_reversed) {
  const JointDescription& joint = description().joints[std::size_t(k)];
  const ResolvedNames::Ends& ends = names_.joints[std::size_t(k)];
  NamedJoint named;
  named.name = joint.name;
  named.kind = joint.kind;
  named.role = role;
  named.parent = BodyId(ends.parent);
  named.child = BodyId(ends.child);
  named.is_reversed = is_reversed;
  named.description = k;
  named.drive = joint.options.drive;
  named.place = joint.place;
  model_.joints_.push_back(std::move(named));
}

// One body of the tree for each joint that moves; bodies on fixed joints are merged into it.
void ModelBuilder::number_bodies() {
  model_.bodies_.reserve(tree_.outward.size() + 1);
  model_.bodies_.resize(1);
  int constants = 0;
  for (const auto& [k, is_reversed, inboard, outboard] : tree_.outward) {
    NamedBody& named = model_.named_bodies_[std::size_t(outboard)];
    NamedJoint& joint = model_.joints_[std::size_t(index(*named.inboard))];
    const int parent = model_.named_bodies_[std::size_t(inboard)].tree_body;
    if (joint.role == NamedJoint::Role::fixed) {
      named.tree_body = parent;
      continue;
    }
    const JointDescription& what = description().joints[std::size_t(k)];
    joint.body = named.tree_body = int(model_.bodies_.size());
    joint.q_start = model_.nq_, joint.nq = coordinates(what);
    joint.v_start = model_.nv_, joint.nv = dofs(what);
    model_.bodies_.push_back(
        {parent, model_.nq_, model_.nv_, constants, make_joint(what, is_reversed)});
    if (has_quaternion(what.kind)) model_.quaternion_starts_.push_back(model_.nq_);
    if (is_restricted(model_.bodies_.back().joint)) model_.restricted_bodies_.push_back(joint.body);
    model_.nq_ += joint.nq;
    model_.nv_ += joint.nv;
    model_.bodies_.back().v_end = model_.nv_;
    const Body& carries = model_.bodies_[std::size_t(parent)];
    for (int l = joint.v_start; l < model_.nv_; ++l)
      model_.inboard_dofs_.push_back(l > joint.v_start ? l - 1 : carries.v_end - 1);
    constants += constant_count(model_.bodies_.back().joint);
    prescribe(joint);
  }
  constants_ = constants;
  mark_last_children();
  share_slots();
  take_fingerprint();
}

void ModelBuilder::prescribe(const NamedJoint& joint) {
  const bool is_prescribed = joint.drive == Drive::motion || joint.drive == Drive::locked;
  model_.has_prescribed_joints_ |= is_prescribed;
  model_.prescribed_.insert(model_.prescribed_.end(), std::size_t(joint.nv),
                            is_prescribed ? joint.drive : Drive::none);
}

void ModelBuilder::mark_last_children() {
  std::vector<Body>& bodies = model_.bodies_;
  for (std::size_t i = bodies.size() - 1; i > 0; --i) {
    Body& parent = bodies[std::size_t(bodies[i].parent)];
    bodies[i].is_last_child = !parent.has_children;
    parent.has_children = true;
  }
}

// FNV-1a hash over the parent, the joint type and the dof of each body.
void ModelBuilder::take_fingerprint() {
  std::uint64_t hash = 14695981039346656037ULL;
  const auto add = [&](std::size_t number) { hash = (hash ^ number) * 1099511628211ULL; };
  for (const Body& body : model_.bodies_) {
    add(std::size_t(body.parent));
    add(body.joint.index());
    add(std::size_t(body.v_end));
  }
  model_.tree_fingerprint_ = hash;
}

void ModelBuilder::share_slots() {
  std::vector<Body>& bodies = model_.bodies_;
  int used = 0;
  std::vector<int> slots(bodies.size(), -1);
  for (std::size_t i = bodies.size(); i-- > 0;) {
    if (slots[i] < 0) slots[i] = used++;
    if (i > 0 && bodies[i].is_last_child) slots[std::size_t(bodies[i].parent)] = slots[i];
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].slot = slots[i];
    bodies[i].parent_slot = slots[std::size_t(bodies[i].parent)];
  }
}

void ModelBuilder::name_frames() {
  for (std::size_t k = 0; k < description().frames.size(); ++k)
    model_.frames_.push_back({description().frames[k].name, BodyId(names_.frames[k])});
  model_.frame_names_ = NameIndex(model_.frames_);
}

BodyId ModelBuilder::body_of(const std::string& frame_or_body) const {
  if (const auto frame = model_.find_frame(frame_or_body)) return model_[*frame].body;
  return *model_.find_body(frame_or_body);
}

}  // namespace trammel
