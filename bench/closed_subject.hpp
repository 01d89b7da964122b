// A closed mechanism in Trammel, with more functions than a robot of the benchmarks.
#pragma once

#include "bench/subject.hpp"
#include "trammel/analyze/linearize.hpp"
#include "trammel/constraint/system/constrained_derivatives.hpp"
#include "trammel/simulate/inputs/simulation_inputs.hpp"

namespace bench {

// closed_inverse; reactions (moment and force of each joint of the tree, NaN where not unique);
// closed_derivatives; linearize (with its eigenvalues); step, steps (a run of one or ten
// steps of rk4, 1 ms each, start of the run included; answers the mean acceleration); and all of
// Subject.
class ClosedSubject : public Subject {
 public:
  using Subject::Subject;
  EvalContext question(const std::string& name);

 private:
  EvalContext inverse();
  EvalContext reactions();
  EvalContext derivatives();
  EvalContext linearization();
  EvalContext steps(int count);
  std::vector<double> tree_reactions(std::size_t s);

  std::vector<std::vector<double>> free_a_;        // by state
  std::vector<trammel::SimulationInputs> inputs_;  // of runs, by state
  std::vector<trammel::Force<double>> reactions_;
  trammel::ConstrainedDerivatives closed_derivatives_;
  trammel::Linearization linear_;
  trammel::State moving_;
};

}  // namespace bench
