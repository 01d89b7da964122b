// <mimic>: a joint that follows another. Checked after all joints are read.
#include <unordered_map>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/model/description/joint_table.hpp"
#include "trammel/read/urdf/parts.hpp"

namespace trammel::urdf {

void check_mimics(Description& description, Report& report) {
  std::unordered_map<std::string, const JointDescription*> joints;
  std::vector<std::string> names;
  for (const JointDescription& joint : description.joints)
    if (joints.emplace(joint.name, &joint).second) names.push_back(joint.name);

  std::erase_if(description.couplings, [&](const CouplingDescription& coupling) {
    const std::string &follower = coupling.terms[0].first, &leader = coupling.terms[1].first;
    const auto found = joints.find(leader);
    const auto complain = [&](const std::string& fact, const std::string& hint) {
      report.error(coupling.place.of("terms"),
                   fmt::format("joint '{}' mimics joint '{}', {}", shortened(follower),
                               shortened(leader), fact),
                   hint);
      return true;
    };
    if (leader.empty()) return true;  // reported before, when read
    if (leader == follower) return complain("which is itself", "name another joint");
    if (found == joints.end()) {
      const std::optional<std::string> meant = suggest(leader, names);
      report.warning(coupling.place.of("terms"),
                     fmt::format("joint '{}' mimics joint '{}', but no joint has that name: it "
                                 "moves by itself",
                                 shortened(follower), shortened(leader)),
                     meant ? fmt::format("did you mean '{}'?", *meant) : "name one that is there");
      return true;
    }
    const JointDescription& other = *found->second;
    if (!other.place.has_mistakes && dofs(other) != 1)
      return complain(fmt::format("which is {} and has {} degrees of freedom",
                                  to_string(other.kind), dofs(other)),
                      "a joint can follow one that has 1");
    return false;
  });
}

}  // namespace trammel::urdf
