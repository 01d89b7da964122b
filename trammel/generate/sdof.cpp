#include "trammel/generate/sdof.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "trammel/spatial/rotation.hpp"

namespace trammel {

namespace {

constexpr const char* names[] = {"Rx", "Ry", "Rz", "Dx", "Dy", "Dz"};

Vec3<Expr> axis_of(int k) { return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }
bool is_free(const SdofLink& link, int entry) {
  return std::find(link.free.begin(), link.free.end(), Sdof(entry)) != link.free.end();
}
// Value of an entry if it is fixed (`wanted` false) or free (true), and zero otherwise.
Expr part(const SdofLink& link, int entry, bool wanted) {
  return is_free(link, entry) == wanted ? link.gamma[std::size_t(entry)] : Expr(0.0);
}

void check_link(const SdofLink& link, int i, Diagnostics& diagnostics) {
  const auto error = [&](const std::string& fact, std::string hint) {
    diagnostics.error({}, fmt::format("link {} of the SDOF table {}", i, fact), std::move(hint));
  };
  if (link.number != 0 && link.number != i)
    error(fmt::format("has the number {}", link.number),
          "links are numbered from 1 at the base outward, without gaps");
  for (std::size_t k = 0; k + 1 < link.free.size(); ++k) {
    const char* const here = names[int(link.free[k])];
    const char* const next = names[int(link.free[k + 1])];
    if (link.free[k] == link.free[k + 1])
      error(fmt::format("has {} free twice", here), "name it once");
    if (link.free[k] > link.free[k + 1])
      error(fmt::format("has {} free before {}", here, next),
            "the order is Rx, Ry, Rz, Dx, Dy, Dz: so the gimbal turns, and so q is read");
  }
  if (link.damping.size() > 1 && link.damping.size() != link.free.size())
    error(fmt::format("has {} dampings and {} free entries", link.damping.size(), link.free.size()),
          "give one for all, or one each");
}

void check(const SdofChain& chain) {
  Diagnostics diagnostics;
  if (chain.links.empty())
    diagnostics.error({}, "the SDOF table has no links", "give at least one");
  for (std::size_t i = 0; i < chain.links.size(); ++i)
    check_link(chain.links[i], int(i) + 1, diagnostics);
  if (diagnostics.has_errors()) throw ModelError(std::move(diagnostics));
}

// Steps of a joint. A fixed angle between them is moved to the end, rotating the axes it passes, F
// turn(n) = turn(F n) F, so that all fixed angles combine into one rotation, on the child.
std::vector<JointStep> steps_of(const SdofLink& link) {
  std::vector<JointStep> steps;
  Mat3<Expr> F = Mat3<Expr>::identity();
  for (int k = 0; k < 3; ++k) {
    if (is_free(link, k)) steps.push_back(turn(F * axis_of(k)));
    const SinCos<Expr> fixed = sin_cos(part(link, k, false));
    F = F * (k == 0 ? turn_about_x(fixed) : k == 1 ? turn_about_y(fixed) : turn_about_z(fixed));
  }
  for (int k = 0; k < 3; ++k)
    if (is_free(link, 3 + k)) steps.push_back(slide(F * axis_of(k)));
  return steps;
}

// Frame M on the child: (Rx Ry Rz)^T of the fixed angles, which is rpy of their negatives,
// displaced by the table's slides from the frame of the table.
Placement moving_frame(const SdofLink& link) {
  return {{part(link, 3, true), part(link, 4, true), part(link, 5, true)},
          {-part(link, 0, false), -part(link, 1, false), -part(link, 2, false)}};
}

void add_joint(Description& description, const std::string& name, const std::string& parent,
               const std::string& child, const Vec3<Expr>& gimbal, const SdofLink& link) {
  const std::vector<JointStep> steps = steps_of(link);
  JointOptions how;
  how.at = {gimbal, link.mount};
  how.child_at = moving_frame(link);
  how.damping = link.damping;
  if (steps.empty()) {
    description.joint(name, JointKind::fixed, parent, child, how);
  } else if (steps.size() == 1) {
    how.axis = steps[0].axis;
    const bool is_turn = steps[0].kind == JointStep::Kind::turn;
    description.joint(name, is_turn ? JointKind::revolute : JointKind::prismatic, parent, child,
                      how);
  } else {
    how.motions = steps;
    description.joint(name, JointKind::compound, parent, child, how);
  }
}

}  // namespace

void add_sdof_chain(Description& description, const SdofChain& chain) {
  check(chain);
  std::string parent = chain.base;
  Vec3<Expr> gimbal = chain.offset;
  for (std::size_t i = 0; i < chain.links.size(); ++i) {
    const SdofLink& link = chain.links[i];
    const std::string body = fmt::format("{}link{}", chain.prefix, i + 1);
    description.body(body, link.solid);
    add_joint(description, fmt::format("{}joint{}", chain.prefix, i + 1), parent, body, gimbal,
              link);
    parent = body;
    gimbal = {link.gamma[3], link.gamma[4], link.gamma[5]};
  }
  description.frame(chain.prefix + "tip", parent, {gimbal, chain.tip_turn});
}

std::vector<Expr> table_position(const SdofChain& chain) {
  std::vector<Expr> q;
  for (const SdofLink& link : chain.links)
    for (const Sdof entry : link.free) q.push_back(link.gamma[std::size_t(entry)]);
  return q;
}

}  // namespace trammel
