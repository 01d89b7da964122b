// Assembly from a closed position along its own branch, and what to say where that ends. For this
// module only.
#pragma once

#include "trammel/constraint/assembly.hpp"

namespace trammel {

class Continuation {
 public:
  Continuation(const Model& model, Workspace& workspace, const AssemblyOptions& options);

  // From the closed position `start` to the kept values in q; q is then closed. Positions only.
  [[nodiscard]] Status lead(const std::vector<double>& start, std::vector<double>& q);
  // Share of the way that the last lead() went: less than 1 if it met a dead point.
  double part() const { return part_; }
  // The neutral pose closed, in q, as a start for lead(): with the kept joints at their neutral
  // values, or else wherever they come. False where Newton's method does not close it from there.
  bool find_base(const std::vector<double>& goal, std::vector<double>& q);
  // Where the kept values do not close: projects them if they miss by digits left out by hand
  // (true), or else says in `possible` what the nearest closed values are, if there are some.
  bool close_nearly(std::vector<double>& q, std::string& possible);
  // Projects a complete position whose violation is within the assembly tolerance.
  [[nodiscard]] Status close_rounded(std::vector<double>& q);

 private:
  Status dead_point(const std::vector<double>& start, const std::vector<double>& goal,
                    const std::vector<double>& q, double part) const;
  Status refused(const std::vector<double>& goal, const std::vector<double>& violated,
                 const std::vector<double>& nearest);
  // "motor = 1.2 instead of 1", of kept joints that are elsewhere
  std::string differences(const std::vector<double>& goal,
                          const std::vector<double>& nearest) const;
  // Copies the kept joints' coordinates.
  void put_kept(const std::vector<double>& from, std::vector<double>& q) const;
  // Closes q from a small violation with nothing kept; false if it is more than digits.
  bool project(std::vector<double>& q);

  const Model& model_;
  Workspace& workspace_;
  const AssemblyOptions& options_;
  std::vector<int> given_;  // kept freedoms of the tree
  double part_ = 0;
};

}  // namespace trammel
