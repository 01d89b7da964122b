#include "trammel/simulate/checks/interruption.hpp"

#include <cmath>

#include <fmt/format.h>

namespace trammel {

bool is_over(double wall_limit, std::chrono::steady_clock::time_point begin) {
  if (!(wall_limit > 0)) return false;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  return spent.count() >= wall_limit;
}

Status check_wall_limit(double wall_limit) {
  if (wall_limit >= 0 && std::isfinite(wall_limit)) return {};
  return Status::failure(
      fmt::format("the wall limit is {} s: give a time above 0, or 0 for none", wall_limit));
}

std::string wall_limit_reached(double wall_limit) {
  return fmt::format("the limit of {:g} s of wall-clock time is reached", wall_limit);
}

const Status& Interruption::after(const StepReport& report) {
  if (!status_.ok()) return status_;
  if (options_.each_step) status_ = options_.each_step(report);
  if (status_.ok() && is_over(options_.wall_limit, begin_))
    status_ = Status::failure(wall_limit_reached(options_.wall_limit));
  return status_;
}

}  // namespace trammel
