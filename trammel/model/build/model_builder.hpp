// Builds a model in steps, in the order of build(). Internal to this module: build_model() is its
// interface.
//
// builder.cpp: the steps; builder_tree.cpp: bodies, joints and frames; builder_constraints.cpp:
// loops, couplings, wheels; builder_force_elements.cpp: force elements and their states;
// builder_parameters.cpp: nominal parameters, and checks that need them.
#pragma once

#include <string>
#include <vector>

#include "trammel/model/build/builder.hpp"
#include "trammel/model/build/names.hpp"
#include "trammel/model/build/spanning_tree.hpp"

namespace trammel {

class ModelBuilder {
 public:
  ModelBuilder(Description description, Diagnostics found, const BuildOptions& options);

  Model build();

 private:
  const Description& description() const { return model_.description_; }
  BodyId body_of(const std::string& frame_or_body) const;

  // Bodies, joints and frames; layout of q and v.
  void find_tree();
  void name_bodies();
  void number_joints();
  void add_joint(int k, NamedJoint::Role role, bool is_reversed);
  void number_bodies();
  void prescribe(const NamedJoint& joint);
  void mark_last_children();
  void take_fingerprint();
  void share_slots();
  void name_frames();

  // Constraints, and the ground that wheels roll on.
  void number_closures();
  void add_point_on_curve(const ConstraintDescription& constraint, const std::string& name,
                          BodyId parent, BodyId child);
  void add_closure(Closure closure);
  void number_couplings();
  void shape_terrains();
  BodyId floor_of(const std::string& on) const;
  void number_wheels();

  // Force elements.
  void number_force_elements();
  void refuse_one_body(const ContactDescription& contact);
  template <class Element> void refuse_one_body(const Element& element);
  void number_element_states();

  // Nominal parameters, characteristic length, bodies without inertia.
  void make_nominal_numbers();
  static void drop_exchanged_limits(BasicJointLimits<double>& limits);
  void measure();
  void warn_of_massless_dofs();
  std::vector<bool> constrained_bodies() const;

  Model model_;
  Diagnostics diagnostics_;
  BuildOptions options_;
  ResolvedNames names_;
  SpanningTree tree_;
  int constants_ = 0;  // of joints and closures, so far
};

}  // namespace trammel
