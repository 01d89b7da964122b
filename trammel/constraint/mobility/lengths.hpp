// Lengths of a mechanism as parameters: the placements of joints and constraint frames on its
// bodies, and the lengths of distance constraints. Internal to the constraint module.
#pragma once

#include <Eigen/Core>

#include "trammel/constraint/mobility/mobility.hpp"

namespace trammel {

class Lengths {
 public:
  explicit Lengths(const Model& model);

  // Number of parameters: three per placement, one per distance.
  int count() const { return int(numbers_.size()); }
  int places() const { return int(names_.size()); }
  std::vector<int> of_place(int place) const;
  // The model's description with its lengths changed by `by`.
  Description changed(const Eigen::VectorXd& by) const;
  // The lengths that change, in descending order; changes below a hundredth of the largest are left
  // out.
  std::vector<LengthChange> changes(const Eigen::VectorXd& by) const;

 private:
  enum class Kind { on_parent, on_child, frame, distance };
  struct Number {
    Kind kind;
    std::size_t item;  // index in the description's joints, frames or constraints
    int axis;
    int place;  // index in names_
    double nominal;
  };
  void add_place(Kind kind, std::size_t item, const Vec3<double>& xyz, std::string name);
  static Expr& number(Description& description, const Number& which);

  const Model& model_;
  std::vector<Number> numbers_;
  std::vector<std::string> names_;
};

}  // namespace trammel
