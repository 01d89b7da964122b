#include "trammel/dynamics/inputs.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "trammel/base/suggest.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel {

FrameRef frame_ref(const Model& model, std::string_view name) {
  if (const auto frame = model.find_frame(name))
    return {model[*frame].body, model.numbers().X_UF[std::size_t(index(*frame))]};
  if (const auto body = model.find_body(name)) return {*body};
  std::vector<std::string> known;
  for (const NamedFrame& frame : model.frames()) known.push_back(frame.name);
  for (const NamedBody& body : model.named_bodies()) known.push_back(body.name);
  const auto near = suggest(name, known);
  throw std::invalid_argument(
      fmt::format("at: the model has no body or frame '{}'{}", name,
                  near ? fmt::format("; did you mean '{}'?", *near) : std::string()));
}

Pose<double> placed(const Model& model, const FrameRef& place) {
  return model.numbers().X_BU[std::size_t(index(place.body))] * place.X_UA;
}

}  // namespace trammel
