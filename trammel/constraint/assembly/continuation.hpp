// Assembly by continuation from a closed position along its branch, and the messages of its
// failures. Internal to the constraint module.
#pragma once

#include "trammel/constraint/assembly/assembly.hpp"

namespace trammel {

class Continuation {
 public:
  Continuation(const Model& model, Workspace& workspace, const AssemblyOptions& options);

  // From the closed position `start` to the kept values in q; q is then closed. Positions only.
  [[nodiscard]] Status lead(const std::vector<double>& start, std::vector<double>& q);
  // Share of the path that the last lead() completed: less than 1 at a dead point.
  double part() const { return part_; }
  // Closes the neutral pose in q, as a start for lead(): with the kept joints at their neutral
  // values, otherwise with all joints free. False if Newton's method does not converge from there.
  bool find_base(const std::vector<double>& goal, std::vector<double>& q);
  // For kept values that do not close: projects them if their violation is within the assembly
  // tolerance (true); otherwise writes the nearest closed values into `possible`, if there are any.
  bool close_nearly(std::vector<double>& q, std::string& possible);
  // Projects a complete position whose violation is within the assembly tolerance.
  [[nodiscard]] Status close_rounded(std::vector<double>& q);

 private:
  Status dead_point(const std::vector<double>& start, const std::vector<double>& goal,
                    const std::vector<double>& q, double part) const;
  Status refused(const std::vector<double>& goal, const std::vector<double>& violated,
                 const std::vector<double>& nearest);
  // "motor = 1.2 instead of 1": kept joints whose values differ from the given ones.
  std::string differences(const std::vector<double>& goal,
                          const std::vector<double>& nearest) const;
  // Copies the kept joints' coordinates.
  void put_kept(const std::vector<double>& from, std::vector<double>& q) const;
  // Closes q from a small violation with all joints free; false if that does not converge.
  bool project(std::vector<double>& q);

  const Model& model_;
  Workspace& workspace_;
  const AssemblyOptions& options_;
  std::vector<int> given_;  // kept dofs of the tree
  double part_ = 0;
};

}  // namespace trammel
