// Items of a description as named tuples.
#pragma once

#include "expr_conversion.hpp"

namespace trammel::python {

py::object to_record(const Writer& write, const Shape& shape);
py::object to_record(const Writer& write, const BodyDescription& body);
py::object to_record(const Writer& write, const JointStep& step);
py::object to_record(const Writer& write, const JointDescription& joint);
py::object to_record(const Writer& write, const FrameDescription& frame);
py::object to_record(const Writer& write, const WheelDescription& wheel);
py::object to_record(const Writer& write, const CouplingDescription& coupling);
py::object to_record(const Writer& write, const CurveDescription& curve);
py::object to_record(const Writer& write, const ConstraintDescription& constraint);
py::object to_record(const Writer& write, const SpringDescription& spring);
py::object to_record(const Writer& write, const BushingDescription& bushing);
py::object to_record(const Writer& write, const StartDescription& start);
py::object to_record(const Writer& write, const ParameterDescription& parameter);
py::object to_record(const Writer& write, const DefinitionDescription& definition);
py::object to_record(const Writer& write, const RawSection& section);
py::object to_record(const Writer& write, const TerrainDescription& terrain);
py::object to_record(const Writer& write, const ContactDescription& contact);
py::object to_record(const Writer& write, const MotorDescription& motor);
py::object to_record(const Writer& write, const WrenchDescription& wrench);
py::object to_record(const Writer& write, const InputDescription& input);
py::object to_record(const Writer& write, const ControllerDescription& controller);
py::object to_record(const Writer& write, const EventDescription& event);

template <class Item> py::tuple records_of(const Writer& write, const std::vector<Item>& items) {
  return each(items, [&](const Item& item) { return to_record(write, item); });
}
// The getter of a list of a description, its own or of its base.
template <class Item, class Owner> auto records_of(std::vector<Item> Owner::*items) {
  return [=](const Description& given) { return records_of(Writer(given.graph), given.*items); };
}

}  // namespace trammel::python
