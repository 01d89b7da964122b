// Force elements of a model: their bodies, and the places of their states in State::z.
#include <fmt/format.h>

#include "trammel/model/build/model_builder.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel {

void ModelBuilder::refuse_one_body(const ContactDescription& contact) {
  diagnostics_.error(contact.place.of("on"),
                     fmt::format("contact '{}' cannot move against '{}', which it may touch",
                                 contact.name, contact.on),
                     "let it touch a body that its own body can move against");
}

template <class Element> void ModelBuilder::refuse_one_body(const Element& element) {
  diagnostics_.error(
      element.place.of("between"),
      fmt::format("{} '{}' is between two places of one body", element.kind, element.name),
      "name frames of two bodies that can move against each other");
}

void ModelBuilder::number_force_elements() {
  each_force_element_kind(description(), [&](auto kind, const auto& descriptions) {
    for (const auto& element : descriptions) {
      const auto [parent_name, child_name] = element.ends();
      const BodyId parent = body_of(*parent_name);
      // the ball of a contact is on a body, not on a frame
      const BodyId child = requires { element.body; }
      ? *model_.find_body(*child_name) : body_of(*child_name);
      if (model_[parent].tree_body == model_[child].tree_body) refuse_one_body(element);
      model_.force_elements_[kind].push_back(
          {fmt::format("{} '{}'", element.kind, element.name), parent, child, element.place});
    }
  });
}

// After the parameters: places of the elements' states in State::z.
void ModelBuilder::number_element_states() {
  model_.has_force_elements_ = !model_.numbers_->closure_passive.empty();
  each_force_element_kind(*model_.numbers_, [&](auto kind, const auto& list) {
    for (std::size_t k = 0; k < list.size(); ++k) {
      model_.has_force_elements_ = true;
      model_.force_elements_[kind][k].z_start = model_.nz_;
      model_.nz_ += nz_of(list[k]);
    }
  });
}

}  // namespace trammel
