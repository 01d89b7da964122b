#include <pybind11/stl.h>

#include "bindings.hpp"
#include "names.hpp"
#include "numbers.hpp"
#include "trammel/generate/denavit_hartenberg.hpp"
#include "trammel/generate/sdof.hpp"

namespace trammel::python {

namespace {

Sdof entry_of(const std::string& name) {
  const char* const names[] = {"rx", "ry", "rz", "dx", "dy", "dz"};
  for (std::size_t k = 0; k < 6; ++k)
    if (name == names[k]) return Sdof(k);
  throw std::invalid_argument("free: there is no entry '" + name +
                              "'; there are rx, ry, rz, dx, dy, dz");
}

Solid solid_of(Reader& read, const py::object& given) {
  return given.is_none() ? Solid{} : read.solid(given);
}

SdofLink to_link(Reader& read, const py::handle& given) {
  expects_fields(given, "gamma", "a link", "SdofLink(gamma, free)");
  SdofLink link;
  const std::vector<Expr> gamma = read.list(given.attr("gamma"));
  if (gamma.size() != 6)
    throw std::invalid_argument("gamma has " + std::to_string(gamma.size()) +
                                " entries, it must have 6: Rx, Ry, Rz, Dx, Dy, Dz");
  std::copy(gamma.begin(), gamma.end(), link.gamma.begin());
  for (const py::handle name : given.attr("free"))
    link.free.push_back(entry_of(name.cast<std::string>()));
  link.solid = solid_of(read, given.attr("solid"));
  link.mount = read.vector("mount", given.attr("mount"));
  link.damping = read.list(given.attr("damping"));
  return link;
}

}  // namespace

void bind_assemble(py::module_& module) {
  module.def(
      "add_dh_chain",
      [](Description& description, const py::iterable& rows, DhConvention convention,
         const std::string& prefix, const std::string& base, const py::object& base_at,
         const py::object& tool) {
        Reader read(description.graph);
        DhTable table{convention, prefix, base, read.placement("base_at", base_at), {}, {}};
        for (const py::handle row : rows) {
          expects_fields(row, "theta", "a row", "DhRow(a, alpha, d, theta)");
          table.rows.push_back({read.number(row.attr("a")), read.number(row.attr("alpha")),
                                read.number(row.attr("d")), read.number(row.attr("theta")),
                                row.attr("kind").cast<JointKind>(),
                                solid_of(read, row.attr("solid"))});
        }
        table.tool = read.placement("tool", tool);
        add_dh_chain(description, table);
      },
      py::arg("description"), py::arg("rows"), py::kw_only(), py::arg("convention") = "modified",
      py::arg("prefix") = "", py::arg("base") = "ground", py::arg("base_at") = py::none(),
      py::arg("tool") = py::none(),
      "Adds a serial chain from a Denavit-Hartenberg table: rows of DhRow [m, rad].\n\n"
      "Its bodies are link1, ..., its joints joint1, ..., its end is the frame tip, each name\n"
      "with the prefix. Raises ModelError with all errors in the table.");
  module.def(
      "add_sdof_chain",
      [](Description& description, const py::iterable& links, const std::string& prefix,
         const std::string& base, const py::object& offset, const py::object& tip_turn) {
        Reader read(description.graph);
        SdofChain chain{
            prefix, base, read.vector("offset", offset), {}, read.vector("tip_turn", tip_turn)};
        for (const py::handle link : links) chain.links.push_back(to_link(read, link));
        add_sdof_chain(description, chain);
        return Writer(description.graph)(table_position(chain));
      },
      py::arg("description"), py::arg("links"), py::kw_only(), py::arg("prefix") = "",
      py::arg("base") = "ground", py::arg("offset") = py::make_tuple(0.0, 0.0, 0.0),
      py::arg("tip_turn") = py::make_tuple(0.0, 0.0, 0.0),
      "Adds a chain in the notation with six numbers per link: SdofLink [rad, m]. Returns the "
      "position that the table describes.");
}

}  // namespace trammel::python
