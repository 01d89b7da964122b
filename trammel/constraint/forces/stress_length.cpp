#include "trammel/constraint/forces/stress_length.hpp"

#include <vector>

#include "trammel/model/description/description_parameters.hpp"

namespace trammel {

namespace {

using Places = std::vector<Vec3<double>>;

// Twice the mean distance from the centroid.
double size_of(const Places& places) {
  if (places.empty()) return 0;
  const double share = 1 / double(places.size());
  Vec3<double> middle{};
  for (const Vec3<double>& place : places) middle = middle + share * place;
  double size = 0;
  for (const Vec3<double>& place : places) size += 2 * share * norm(place - middle);
  return size;
}

// Joint positions on each body, in its frame; with a single joint also the center of mass.
std::vector<Places> places_on_bodies(const Model& model) {
  std::vector<Places> places(model.named_bodies().size());
  for (const NamedJoint& joint : model.joints()) {
    places[std::size_t(index(joint.parent))].push_back(joint.X_PF.p);
    places[std::size_t(index(joint.child))].push_back(joint.X_CM.p);
  }
  const Values<double> value = evaluate_at_nominal(model.description());
  for (const BodyDescription& body : model.description().bodies) {
    const auto id = model.find_body(body.name);
    if (!id || places[std::size_t(index(*id))].size() != 1 || !(value(body.solid.mass) > 0))
      continue;
    const auto& [x, y, z] = body.solid.com;
    places[std::size_t(index(*id))].push_back({value(x), value(y), value(z)});
  }
  return places;
}

}  // namespace

double stress_length(const Model& model) {
  const std::vector<Places> places = places_on_bodies(model);
  double sum = 0;
  int count = 0;
  for (std::size_t body = 1; body < places.size(); ++body)
    if (const double size = size_of(places[body]); size > 0) sum += size, ++count;
  if (count > 0) return sum / count;
  const double of_ground = size_of(places[0]);
  return of_ground > 0 ? of_ground : 1;
}

}  // namespace trammel
