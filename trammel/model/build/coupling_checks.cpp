#include "trammel/model/build/coupling_checks.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "trammel/model/build/names.hpp"
#include "trammel/model/description/description_parameters.hpp"

namespace trammel {

namespace {

// Factors are decimals in files: a sum that is smaller than this, relative to its summands, is
// zero.
constexpr double rounding = 1e-12;

// A linear combination of couplings: factors of joints, the offset, and the weight of each
// coupling.
struct Sum {
  std::vector<double> factors;
  double offset = 0;
  std::vector<double> parts;
  double size = 0;  // magnitude of the summands
};

class CouplingChecker {
 public:
  CouplingChecker(const Description& description, Diagnostics& diagnostics)
      : description_(description), diagnostics_(diagnostics) {}

  void check() {
    list_joints();
    list_sums();
    report_factors_of_zero();
    // Gaussian elimination, free joints first, then locked ones, then those with prescribed motion:
    // a row that is left with prescribed joints only ties them to each other.
    std::ranges::stable_sort(order_, {}, [&](std::size_t k) { return drive(k); });
    std::size_t done = 0;
    for (const std::size_t joint : order_) {
      const std::size_t pivot = largest(joint, done);
      if (pivot == sums_.size()) continue;
      std::swap(sums_[done], sums_[pivot]);
      if (drive(joint) > free) report_tied(sums_[done]);
      for (std::size_t k = done + 1; k < sums_.size(); ++k) eliminate(joint, sums_[done], sums_[k]);
      ++done;
    }
    for (std::size_t k = done; k < sums_.size(); ++k)
      if (std::abs(sums_[k].offset) > rounding * sums_[k].size) report_contradiction(sums_[k]);
  }

 private:
  enum Order { free, locked, prescribed };
  Order drive(std::size_t joint) const {
    const Drive drive = joints_[joint]->options.drive;
    return drive == Drive::motion ? prescribed : drive == Drive::locked ? locked : free;
  }

  void list_joints() {
    std::unordered_map<std::string, const JointDescription*> by_name;
    for (const JointDescription& joint : description_.joints) by_name.emplace(joint.name, &joint);
    for (const CouplingDescription& coupling : description_.couplings)
      for (const auto& [name, factor] : coupling.terms)
        if (number_.try_emplace(name, joints_.size()).second) {
          order_.push_back(joints_.size());
          joints_.push_back(by_name.at(coordinate_named(name, description_).joint));
        }
  }
  void list_sums() {
    const Values<double> value = evaluate_at_nominal(description_);
    const std::size_t count = description_.couplings.size();
    for (std::size_t k = 0; k < count; ++k) {
      const CouplingDescription& coupling = description_.couplings[k];
      Sum sum{std::vector<double>(joints_.size(), 0.0), value(coupling.offset),
              std::vector<double>(count, 0.0), std::abs(value(coupling.offset))};
      sum.parts[k] = 1;
      for (const auto& [name, factor] : coupling.terms) {
        sum.factors[number_.at(name)] += value(factor);
        sum.size = std::max(sum.size, std::abs(value(factor)));
      }
      sums_.push_back(std::move(sum));
    }
  }

  // A coupling whose factors are all zero is not an equation: it has a row of zeros.
  void report_factors_of_zero() {
    std::erase_if(sums_, [&](const Sum& sum) {
      const bool is_zero = std::ranges::all_of(sum.factors, [](double x) { return x == 0; });
      if (is_zero)
        diagnostics_.error(
            place_of(sum),
            fmt::format("{} has only factors of 0: it ties no joint", couplings_in(sum)),
            "give a factor that is not zero, or take the coupling out");
      return is_zero;
    });
  }

  std::size_t largest(std::size_t joint, std::size_t from) const {
    std::size_t found = sums_.size();
    double most = 0;
    for (std::size_t k = from; k < sums_.size(); ++k) {
      const double size = std::abs(sums_[k].factors[joint]);
      if (size <= rounding * sums_[k].size || size / sums_[k].size <= most) continue;
      most = size / sums_[k].size;
      found = k;
    }
    return found;
  }
  static void eliminate(std::size_t joint, const Sum& by, Sum& from) {
    const double times = from.factors[joint] / by.factors[joint];
    if (times == 0) return;
    for (std::size_t k = 0; k < by.factors.size(); ++k) from.factors[k] -= times * by.factors[k];
    for (std::size_t k = 0; k < by.parts.size(); ++k) from.parts[k] -= times * by.parts[k];
    from.factors[joint] = 0;
    from.offset -= times * by.offset;
    from.size = std::max(from.size, std::abs(times) * by.size);
  }

  // "coupling 'a' and coupling 'b'"
  std::string couplings_in(const Sum& sum) const {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < sum.parts.size(); ++k)
      if (std::abs(sum.parts[k]) > rounding)
        names.push_back(fmt::format("coupling '{}'", shortened(description_.couplings[k].name)));
    return listed(names);
  }
  static std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t k = 0; k < names.size(); ++k)
      text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
    return text;
  }
  // place of the last coupling with a nonzero weight
  Place place_of(const Sum& sum) const {
    for (std::size_t k = sum.parts.size(); k-- > 0;)
      if (std::abs(sum.parts[k]) > rounding) return description_.couplings[k].place.of("terms");
    return {};
  }

  void report_contradiction(const Sum& sum) {
    const bool is_alone =
        std::ranges::count_if(sum.parts, [](double x) { return std::abs(x) > rounding; }) == 1;
    diagnostics_.error(
        place_of(sum),
        is_alone ? fmt::format("{} moves no joint, and its offset is not zero", couplings_in(sum))
                 : fmt::format("{} cannot hold at once: their factors depend on each other, their "
                               "offsets do not",
                               couplings_in(sum)),
        is_alone ? "give a factor that is not zero" : "take one out, or mend its offset");
  }
  // If only locked joints are left, the constraint is redundant, which is reported where it is
  // used.
  void report_tied(const Sum& sum) {
    std::vector<std::string> names;
    bool has_prescribed = false;
    for (std::size_t k = 0; k < sum.factors.size(); ++k) {
      if (std::abs(sum.factors[k]) <= rounding * sum.size) continue;
      const bool is_prescribed = drive(k) == prescribed;
      has_prescribed |= is_prescribed;
      names.push_back(fmt::format("joint '{}' ({})", shortened(joints_[k]->name),
                                  is_prescribed ? "motion" : "locked"));
    }
    if (!has_prescribed) return;
    if (names.size() == 1)
      diagnostics_.error(
          place_of(sum),
          fmt::format("{} cannot be prescribed: {} fixes it", names[0], couplings_in(sum)),
          "take out the coupling, or leave the joint without a drive");
    else
      diagnostics_.error(place_of(sum),
                         fmt::format("{} are tied by {}: only one of them can decide",
                                     listed(names), couplings_in(sum)),
                         "leave the drive to one of them, and the others without");
  }

  const Description& description_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string, std::size_t> number_;  // of a coupled joint
  std::vector<const JointDescription*> joints_;
  std::vector<std::size_t> order_;
  std::vector<Sum> sums_;
};

}  // namespace

void check_couplings(const Description& description, Diagnostics& diagnostics) {
  if (!description.couplings.empty()) CouplingChecker(description, diagnostics).check();
}

}  // namespace trammel
