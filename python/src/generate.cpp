#include "bindings.hpp"
#include "expr_parameters.hpp"
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
  const std::vector<Expr> gamma = read.list("gamma", given.attr("gamma"));
  if (gamma.size() != 6)
    throw std::invalid_argument("gamma has " + std::to_string(gamma.size()) +
                                " entries, it must have 6: Rx, Ry, Rz, Dx, Dy, Dz");
  std::copy(gamma.begin(), gamma.end(), link.gamma.begin());
  for (const py::handle name : given.attr("free"))
    link.free.push_back(entry_of(py::str(name).cast<std::string>()));
  link.solid = solid_of(read, given.attr("solid"));
  link.mount = read.vector("mount", given.attr("mount"));
  link.damping = read.list("damping", given.attr("damping"));
  return link;
}

constexpr auto rows_parameter = parameter<py::iterable>(
    "rows", Required(), [](Reader& read, const char*, const py::iterable& given) {
      std::vector<DhRow> rows;
      for (const py::handle row : given) {
        expects_fields(row, "theta", "a row", "DhRow(a, alpha, d, theta)");
        rows.push_back({read.number("a of a row", row.attr("a")),
                        read.number("alpha of a row", row.attr("alpha")),
                        read.number("d of a row", row.attr("d")),
                        read.number("theta of a row", row.attr("theta")),
                        from_word<JointKind>(py::str(row.attr("kind")).cast<std::string>()),
                        solid_of(read, row.attr("solid"))});
      }
      return rows;
    });
constexpr auto links_parameter = parameter<py::iterable>(
    "links", Required(), [](Reader& read, const char*, const py::iterable& given) {
      std::vector<SdofLink> links;
      for (const py::handle link : given) links.push_back(to_link(read, link));
      return links;
    });

}  // namespace

void bind_generate(py::module_& module) {
  using expr::placement, expr::text, expr::vector;
  generate(
      module, "add_dh_chain",
      parameters(rows_parameter, keyword_only, parameter<DhConvention>("convention", "modified"),
                 text("prefix", ""), text("base", "ground"), placement("base_at"),
                 placement("tool")),
      [](Description& description, const std::vector<DhRow>& rows, DhConvention convention,
         const std::string& prefix, const std::string& base, const Placement& base_at,
         const Placement& tool) {
        add_dh_chain(description, {convention, prefix, base, base_at, rows, tool});
      },
      "Adds a serial chain from a Denavit-Hartenberg table: rows of DhRow [m, rad].\n\n"
      "Its bodies are link1, ..., its joints joint1, ..., its end is the frame tip, each name\n"
      "with the prefix. Raises ModelError with all errors in the table.");
  generate(
      module, "add_sdof_chain",
      parameters(links_parameter, keyword_only, text("prefix", ""), text("base", "ground"),
                 vector("offset"), vector("tip_turn")),
      [](Description& description, const std::vector<SdofLink>& links, const std::string& prefix,
         const std::string& base, const Vec3<Expr>& offset, const Vec3<Expr>& tip_turn) {
        const SdofChain chain{prefix, base, offset, links, tip_turn};
        add_sdof_chain(description, chain);
        return Writer(description.graph)(table_position(chain));
      },
      "Adds a chain in the notation with six numbers per link: SdofLink [rad, m]. Returns the "
      "position that the table describes.");
}

}  // namespace trammel::python
