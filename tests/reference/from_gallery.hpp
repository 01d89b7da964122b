// A model of the gallery at the start of its file, assembled, for calls in tests.
#pragma once

#include "tests/reference/posed.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/read/load.hpp"

namespace trammel {

struct FromGallery {
  explicit FromGallery(const std::string& name, const ReadOptions& options = {})
      : posed(load_model("@" + name, options).description(), {}) {
    const Status status = assembled_start(posed.model, posed.workspace, posed.state);
    EXPECT_TRUE(status.ok()) << status.message();
  }

  // entries of one joint in a vector of all degrees of freedom
  Eigen::VectorXd of(const Eigen::VectorXd& all, const std::string& joint) const {
    const NamedJoint& found = posed.model[*posed.model.find_joint(joint)];
    return all.segment(found.v_start, found.nv);
  }
  // zeros, except for one joint
  std::vector<double> effort(const std::string& joint,
                             std::initializer_list<double> numbers) const {
    std::vector<double> tau(std::size_t(posed.model.nv()));
    std::copy(numbers.begin(), numbers.end(),
              tau.begin() + posed.model[*posed.model.find_joint(joint)].v_start);
    return tau;
  }
  Mobility ways() {
    Mobility found;
    const Status status = mobility(posed.model, posed.state, posed.workspace, found);
    EXPECT_TRUE(status.ok()) << status.message();
    return found;
  }
  RowBasis plan() {
    RowBasis found;
    const Status status = row_basis(posed.model, posed.state, posed.workspace, found);
    EXPECT_TRUE(status.ok()) << status.message();
    return found;
  }
  UniqueReactions carried(const Inputs& inputs = {}) {
    UniqueReactions out;
    const Status status =
        constrained_reactions(posed.model, posed.state, inputs, posed.workspace, out);
    EXPECT_TRUE(status.ok()) << status.message();
    return out;
  }
  std::size_t joint(const std::string& name) const {
    return std::size_t(index(*posed.model.find_joint(name)));
  }
  // acceleration of a point, in world axes, relative to the world
  Eigen::VectorXd acceleration_of(const std::string& place, const Eigen::VectorXd& a) {
    const std::vector<double> list = list_of(a);
    return six(acceleration(posed.model, posed.moving({.a = list}), frame_ref(posed.model, place),
                            Axes::world));
  }

  Posed posed;
};

}  // namespace trammel
