// A model of the gallery at the start of its file, assembled, for calls in tests.
#pragma once

#include "tests/oracle/asked.hpp"
#include "trammel/constraint/assembly.hpp"
#include "trammel/constraint/constrained_dynamics.hpp"
#include "trammel/constraint/mobility.hpp"
#include "trammel/read/load.hpp"

namespace trammel {

struct FromGallery {
  explicit FromGallery(const std::string& name, const ReadOptions& options = {})
      : asked(load_model("@" + name, options).description(), {}) {
    const Status status = assembled_start(asked.model, asked.workspace, asked.state);
    EXPECT_TRUE(status.ok()) << status.message();
  }

  // entries of one joint in a vector of all degrees of freedom
  Eigen::VectorXd of(const Eigen::VectorXd& all, const std::string& joint) const {
    const NamedJoint& found = asked.model[*asked.model.find_joint(joint)];
    return all.segment(found.v_start, found.nv);
  }
  // zeros, except for one joint
  std::vector<double> effort(const std::string& joint,
                             std::initializer_list<double> numbers) const {
    std::vector<double> tau(std::size_t(asked.model.nv()));
    std::copy(numbers.begin(), numbers.end(),
              tau.begin() + asked.model[*asked.model.find_joint(joint)].v_start);
    return tau;
  }
  Mobility ways() {
    Mobility found;
    const Status status = mobility(asked.model, asked.state, asked.workspace, found);
    EXPECT_TRUE(status.ok()) << status.message();
    return found;
  }
  RowBasis plan() {
    RowBasis found;
    const Status status = row_basis(asked.model, asked.state, asked.workspace, found);
    EXPECT_TRUE(status.ok()) << status.message();
    return found;
  }
  UniqueReactions carried(const Inputs& inputs = {}) {
    UniqueReactions out;
    const Status status =
        constrained_reactions(asked.model, asked.state, inputs, asked.workspace, out);
    EXPECT_TRUE(status.ok()) << status.message();
    return out;
  }
  std::size_t joint(const std::string& name) const {
    return std::size_t(index(*asked.model.find_joint(name)));
  }
  // acceleration of a point, in world axes, relative to the world
  Eigen::VectorXd acceleration_of(const std::string& place, const Eigen::VectorXd& a) {
    const std::vector<double> list = list_of(a);
    return six(
        acceleration(asked.model, asked.moving({.a = list}), at(asked.model, place), Axes::world));
  }

  Asked asked;
};

}  // namespace trammel
