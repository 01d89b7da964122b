// What holds a mechanism with loops together.
#include <algorithm>

#include "quantities.hpp"
#include "trammel/constraint/constrained_dynamics.hpp"

namespace trammel::cli {

Answers ask_constraint_jacobian(Moment& moment) {
  Answer answer{.shape = Answer::Shape::table,
                .rows = row_names(moment.model),
                .columns = freedom_names(moment.model)};
  expect_ok(constraint_jacobian(moment.model, moment.state(), moment.workspace, answer.values));
  answer.units.assign(std::size_t(answer.values.size()), "1");
  return {answer};
}

Answers ask_multipliers(Moment& moment) {
  ConstrainedAnswer found;
  expect_ok(constrained_dynamics(moment.model, moment.state(), moment.inputs(), moment.workspace,
                                 found, moment.road));
  if (moment.model.has_constraints()) moment.taken = found.road;
  const std::vector<std::string> names = row_names(moment.model);
  std::vector<std::string> units;
  for (const std::string& name : names)
    units.emplace_back(name.find(": moment") != name.npos  ? "N m"
                       : name.find(": force") != name.npos ? "N"
                                                           : "1");
  return {list_answer(names, {found.lambda.data(), std::size_t(found.lambda.size())}, units)};
}

}  // namespace trammel::cli
