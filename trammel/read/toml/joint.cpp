#include <array>

#include "trammel/model/description/joint_table.hpp"
#include "trammel/read/toml/items.hpp"
#include "trammel/read/toml/joint_dofs.hpp"

namespace trammel::toml {

namespace {

constexpr auto joint_types = [] {
  std::array<Choice<JointKind>, joint_kinds.size()> choices{};
  for (std::size_t k = 0; k < choices.size(); ++k)
    choices[k] = {traits(joint_kinds[k]).name, joint_kinds[k]};
  return choices;
}();
constexpr std::array<Choice<Drive>, 4> drives = {{{"none", Drive::none},
                                                  {"torque", Drive::torque},
                                                  {"motion", Drive::motion},
                                                  {"locked", Drive::locked}}};

class JointReader {
 public:
  JointReader(const Entry& entry, Context& context)
      : context_(context),
        owner_(owner_of("joint", entry, context.report)),
        reader_(owner_, entry.value, keys::joint, context.scope, context.report) {
    joint_.name = item_name(entry);
  }

  void read() {
    reader_.require("type", "as in type = \"revolute\"");
    joint_.kind = reader_.choice<JointKind>("type", joint_types, JointKind::revolute);
    const bool knows_kind = !owner_.place.has_mistakes;
    reader_.require("parent", "name the body it is fastened to; \"ground\" is one");
    joint_.parent = reader_.name("parent");
    reader_.require("child", "name the body it carries");
    joint_.child = reader_.name("child");

    JointOptions& options = joint_.options;
    options.at = reader_.placement("at");
    options.child_at = reader_.placement("child_at");
    options.axis = reader_.axis("axis", options.axis);
    options.axis2 = reader_.axis("axis2", options.axis2);
    read_motions();
    if (traits(joint_.kind).has_pitch && knows_kind)
      reader_.require("pitch", "as in pitch = \"5 mm/turn\"");
    options.pitch = reader_.number("pitch", dimension::pitch, 0.0);
    options.drive = reader_.choice<Drive>("drive", drives, Drive::none);
    options.cut = reader_.truth("cut");

    if (knows_kind) dimensions_ = dof_dimensions(joint_);
    read_spring();
    read_friction();
    read_limits();
    joint_.place = std::move(owner_.place);
    context_.description.joints.push_back(std::move(joint_));
  }

 private:
  void read_motions() {
    const Entry* found = reader_.entry("motions");
    if (!found ||
        !reader_.expect_list(found->value, "motions", "{ turn = ... } and { slide = ... }"))
      return;
    for (const Value& value : found->value.list) {
      if (!reader_.expect_table(value, "motions")) continue;
      TableReader motion(owner_, value, keys::joint_motion, reader_.scope(), context_.report,
                         "motions.", "motions.");
      if (motion.has("turn") == motion.has("slide")) {
        motion.error(value.position, "each of the motions is one turn or one slide",
                     "as in { turn = \"y\" }");
        continue;
      }
      const bool is_turn = motion.has("turn");
      const Vec3<Expr> axis = motion.axis(is_turn ? "turn" : "slide", {});
      joint_.options.motions.push_back(is_turn ? turn(axis) : slide(axis));
    }
  }

  void read_spring() {
    const Entry* found = reader_.entry("spring");
    if (!found || !reader_.expect_table(found->value, "spring")) return;
    TableReader spring(owner_, found->value, keys::joint_spring, reader_.scope(), context_.report,
                       "spring.");
    joint_.options.stiffness = spring.numbers("stiffness", dimensions_.stiffness);
    joint_.options.rest = spring.numbers("rest", dimensions_.position);
    joint_.options.damping = spring.numbers("damping", dimensions_.damping);
    if (spring.has("rest") && !spring.has("stiffness"))
      spring.error(found->value.find("rest")->position,
                   "spring.rest is where the spring rests, but it has no stiffness",
                   "give the stiffness too");
  }

  void read_friction() {
    const Entry* found = reader_.entry("friction");
    if (!found || !reader_.expect_table(found->value, "friction")) return;
    TableReader friction(owner_, found->value, keys::joint_friction, reader_.scope(),
                         context_.report, "friction.");
    friction.note_place("friction", found->value.position);
    friction.note_place("friction_speed", found->value.position);
    friction.require("effort", "as in friction = { effort = 0.5 }");
    joint_.options.friction = friction.numbers("effort", dimensions_.effort);
    joint_.options.friction_speed = friction.numbers("speed", dimensions_.velocity);
  }

  void read_limits() {
    const Entry* found = reader_.entry("limits");
    if (!found || !reader_.expect_table(found->value, "limits")) return;
    TableReader limits(owner_, found->value, keys::joint_limits, reader_.scope(), context_.report,
                       "limits.", "limits.");
    joint_.options.limits.velocity = limits.numbers("velocity", dimensions_.velocity);
    joint_.options.limits.effort = limits.numbers("effort", dimensions_.effort);
    joint_.options.limits.restitution = limits.numbers("restitution", {});
    if (const Entry* position = limits.entry("position")) read_ranges(limits, position->value);
  }
  // [lower, upper], or one such pair per coordinate
  void read_ranges(TableReader& limits, const Value& value) {
    limits.note_place("lower", value.position);
    limits.note_place("upper", value.position);
    if (!limits.expect_list(value, "position", "two numbers")) return;
    const std::vector<Value>& list = value.list;
    if (list.empty() || !list[0].is_list()) return read_range(limits, value, 0, 1);
    for (std::size_t k = 0; k < list.size(); ++k)
      if (limits.expect_list(list[k], "position", "two numbers"))
        read_range(limits, list[k], k, list.size());
  }
  void read_range(TableReader& limits, const Value& pair, std::size_t k, std::size_t count) {
    if (pair.list.size() != 2)
      return limits.error(pair.position,
                          fmt::format("limits.position has {} entr{}, it takes two numbers",
                                      pair.list.size(), pair.list.size() == 1 ? "y" : "ies"),
                          "they are the lower and the upper limit; inf is none");
    const std::vector<Expected>& coordinate = dimensions_.coordinate;
    const Expected expected = coordinate.size() == count ? coordinate[k] : Expected{};
    joint_.options.limits.lower.push_back(limits.number_of(pair.list[0], "position", expected));
    joint_.options.limits.upper.push_back(limits.number_of(pair.list[1], "position", expected));
  }

  Context& context_;
  Owner owner_;
  TableReader reader_;
  JointDescription joint_;
  DofDimensions dimensions_;  // empty while the type is not known
};

}  // namespace

void read_joint(const Entry& entry, Context& context) { JointReader(entry, context).read(); }

}  // namespace trammel::toml
