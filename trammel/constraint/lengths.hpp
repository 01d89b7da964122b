// The lengths of a mechanism: where joints and constraints are placed on its bodies, and distances
// held. For this room only.
#pragma once

#include <Eigen/Core>

#include "trammel/constraint/mobility.hpp"

namespace trammel {

class Lengths {
 public:
  explicit Lengths(const Model& model);

  // Numbers that say them: three a place, one a distance.
  int count() const { return int(numbers_.size()); }
  int places() const { return int(names_.size()); }
  std::vector<int> of_place(int place) const;
  // What was said, with lengths changed by so much.
  Description changed(const Eigen::VectorXd& by) const;
  // The places that change, the one that does most first; what is below a hundredth of it is not
  // told.
  std::vector<LengthChange> told(const Eigen::VectorXd& by) const;

 private:
  enum class Kind { on_parent, on_child, frame, distance };
  struct Number {
    Kind kind;
    std::size_t item;  // of the description's joints, frames or constraints
    int axis;
    int place;  // which of the names
    double nominal;
  };
  void add_place(Kind kind, std::size_t item, const Vec3<double>& xyz, std::string name);
  static Expr& number(Description& said, const Number& which);

  const Model& model_;
  std::vector<Number> numbers_;
  std::vector<std::string> names_;
};

}  // namespace trammel
