#include "trammel/read/table/mechanisms.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/generate/chain.hpp"
#include "trammel/generate/denavit_hartenberg.hpp"
#include "trammel/generate/sdof.hpp"
#include "trammel/read/table/cells.hpp"

namespace trammel {

namespace {

// Sets the name of the joint, and the places of joint and body, from the row.
void pin(const RowReader& row, JointDescription& joint, BodyDescription& body) {
  if (row.has("name")) joint.name = row.text("name");
  joint.place = row.joint_place();
  body.place = row.body_place();
}

const std::vector<std::string> entry_names = {"Rx", "Ry", "Rz", "Dx", "Dy", "Dz"};

// parses "Rz Dx"
std::vector<Sdof> free_entries(const RowReader& row) {
  std::vector<Sdof> free;
  std::string word;
  for (const char c : row.text("free") + " ") {
    const bool is_gap = c == ' ' || c == ',' || c == '+' || c == ';';
    if (!is_gap) {
      word += c;
      continue;
    }
    if (word.empty()) continue;
    const auto found =
        std::find_if(entry_names.begin(), entry_names.end(),
                     [&](const std::string& name) { return column_key(name) == column_key(word); });
    if (found == entry_names.end()) {
      const auto meant = suggest(word, entry_names);
      row.error("free", fmt::format("row {} has '{}' free", row.row(), shortened(word)),
                meant ? fmt::format("did you mean '{}'?", *meant)
                      : "the entries of a link are Rx, Ry, Rz, Dx, Dy, Dz");
    } else {
      free.push_back(Sdof(found - entry_names.begin()));
    }
    word.clear();
  }
  return free;
}

// The order of the free entries is the order of q.
bool is_in_order(const RowReader& row, const std::vector<Sdof>& free) {
  for (std::size_t k = 0; k + 1 < free.size(); ++k) {
    if (free[k] < free[k + 1]) continue;
    const std::string& here = entry_names[std::size_t(free[k])];
    const std::string& next = entry_names[std::size_t(free[k + 1])];
    if (free[k] == free[k + 1])
      row.error("free", fmt::format("row {} has {} free twice", row.row(), here), "name it once");
    else
      row.error("free", fmt::format("row {} has {} free before {}", row.row(), here, next),
                "the order is Rx, Ry, Rz, Dx, Dy, Dz: so the gimbal turns, and so q is read");
    return false;
  }
  return true;
}

Dimension damping_of(const std::vector<Sdof>& free) {
  const auto is_turn = [](Sdof entry) { return entry < Sdof::dx; };
  if (std::all_of(free.begin(), free.end(), is_turn)) return dimension::angular_damping;
  if (std::none_of(free.begin(), free.end(), is_turn)) return dimension::damping;
  return dimension::none;
}

constexpr double most_links = 10000;

}  // namespace

void add_dh_rows(TableNotation notation, const Table& table, Description& description,
                 Diagnostics& diagnostics) {
  DhTable chain{
      .convention = notation == TableNotation::dh ? DhConvention::standard : DhConvention::modified,
      .base_at = table.settings.base_at,
      .tool = table.settings.tool};
  for (const TableRow& each : table.rows) {
    const RowReader row(notation, table, each, diagnostics);
    chain.rows.push_back(
        {.a = row.number("a"),
         .alpha = row.number("alpha"),
         .d = row.number("d"),
         .theta = row.number("theta"),
         .kind = row.kind({JointKind::revolute, JointKind::prismatic, JointKind::fixed}),
         .solid = row.solid()});
  }
  const std::size_t first_joint = description.joints.size() + 1;  // after the one of link0
  const std::size_t first_body = description.bodies.size() + 1;
  add_dh_chain(description, chain);
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    const RowReader row(notation, table, table.rows[k], diagnostics);
    JointDescription& joint = description.joints[first_joint + k];
    pin(row, joint, description.bodies[first_body + k]);
    row.read_joint(joint.kind, joint.options);
  }
}

void add_sdof_rows(const Table& table, Description& description, Diagnostics& diagnostics) {
  SdofChain chain;
  chain.offset = table.settings.base_at.xyz;
  chain.tip_turn = table.settings.tool.rpy;
  std::vector<const TableRow*> links;
  for (const TableRow& each : table.rows) {
    const RowReader row(TableNotation::sdof, table, each, diagnostics);
    SdofLink link;
    for (std::size_t k = 0; k < 6; ++k) link.gamma[k] = row.number(column_key(entry_names[k]));
    // D of link 0 leads from the base to the first gimbal
    if (each.number == 1 && row.has("link") && row.number("link") == 0) {
      chain.offset = {link.gamma[3], link.gamma[4], link.gamma[5]};
      for (const char* column : {"free", "mass", "rx", "ry", "rz"})
        if (row.has(column) && (std::string_view(column) == "free" || row.number(column) != 0))
          row.error(column,
                    fmt::format("link 0 has {}, but it is the base",
                                find_column(TableNotation::sdof, column)->name),
                    "only its Dx, Dy, Dz count: they lead to the first gimbal");
      continue;
    }
    const int expected = int(links.size()) + 1;
    links.push_back(&each);
    if (row.has("link") && row.number("link", expected) != expected)
      row.error("link", fmt::format("row {} has the link number {}", each.number, row.text("link")),
                "links are numbered from 1 at the base outward, without gaps");
    link.free = free_entries(row);
    if (!is_in_order(row, link.free)) link.free.clear();
    link.solid = row.solid();
    link.mount = {row.number("mount x"), row.number("mount y"), row.number("mount z")};
    link.damping = row.per_joint("damping", damping_of(link.free));
    chain.links.push_back(std::move(link));
  }
  if (chain.links.empty()) {
    diagnostics.error(table.place, "the table has no rows but link 0", "give one for each link");
    return;
  }
  const std::size_t first_joint = description.joints.size(), first_body = description.bodies.size();
  add_sdof_chain(description, chain);
  for (std::size_t k = 0; k < chain.links.size(); ++k) {
    const RowReader row(TableNotation::sdof, table, *links[k], diagnostics);
    JointDescription& joint = description.joints[first_joint + k];
    pin(row, joint, description.bodies[first_body + k]);
    // the free entries of the table are the initial position
    StartDescription start{joint.name, {}, row.joint_place()};
    for (const Sdof entry : chain.links[k].free)
      start.values.push_back(chain.links[k].gamma[std::size_t(entry)]);
    if (!start.values.empty()) description.start_positions.push_back(std::move(start));
  }
}

void add_chain_rows(const Table& table, Description& description, Diagnostics& diagnostics) {
  ChainTable chain{.base_at = table.settings.base_at};
  struct Origin {
    const TableRow* row;
    int copy;  // from 1; 0: the only one
  };
  std::vector<Origin> rows;  // the row of each link
  for (const TableRow& each : table.rows) {
    const RowReader row(TableNotation::chain, table, each, diagnostics);
    ChainLink link{.length = row.number("length"),
                   .mass = row.number("mass"),
                   .radius = row.number("radius"),
                   .along = row.axis("along", {1.0, 0.0, 0.0}),
                   .kind = row.kind({JointKind::revolute, JointKind::prismatic, JointKind::fixed,
                                     JointKind::spherical})};
    link.joint.axis = row.axis("axis", {0.0, 1.0, 0.0});
    row.read_joint(link.kind, link.joint);
    link.joint.stiffness = row.per_joint("stiffness", link.kind == JointKind::prismatic
                                                          ? dimension::stiffness
                                                          : dimension::angular_stiffness);
    if (link.radius.constant() < 0)
      row.error("radius",
                fmt::format("radius of row {} is {}", each.number, link.radius.constant()),
                "a radius is zero or more; zero is a thin rod");
    double count = row.number("count", 1);
    if (count < 1 || count != std::floor(count) ||
        double(chain.links.size()) + count > most_links) {
      row.error("count", fmt::format("count of row {} is {}", each.number, count),
                fmt::format("it is a whole number, and a chain has at most {} links", most_links));
      count = 1;
    }
    chain.links.insert(chain.links.end(), std::size_t(count), link);
    for (int k = 1; k <= int(count); ++k) rows.push_back({&each, count > 1 ? k : 0});
  }
  const std::size_t first_joint = description.joints.size(), first_body = description.bodies.size();
  add_chain(description, chain);
  for (std::size_t k = 0; k < chain.links.size(); ++k) {
    const RowReader row(TableNotation::chain, table, *rows[k].row, diagnostics);
    JointDescription& joint = description.joints[first_joint + k];
    pin(row, joint, description.bodies[first_body + k]);
    if (rows[k].copy > 0 && row.has("name"))
      joint.name = fmt::format("{}{}", row.text("name"), rows[k].copy);
  }
}

}  // namespace trammel
