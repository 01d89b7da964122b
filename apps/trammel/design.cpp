// `trammel design`: condition numbers and isotropy of a layout, and optimal layouts.
#include <CLI/CLI.hpp>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "command.hpp"
#include "design_results.hpp"
#include "endings.hpp"
#include "files.hpp"
#include "model_options.hpp"
#include "numbers.hpp"
#include "quantities.hpp"
#include "state_options.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/read/table/table.hpp"
#include "trammel/write/plot/layout_picture.hpp"

namespace trammel::cli {

namespace {

class Design final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("Condition numbers and isotropy of vehicles and arms, and better layouts.");
    app.footer(
        "trammel design @four_mecanum_wheels --report layout.svg\n"
        "trammel design --isotropic 4 --roller-angle '45 deg' -o wheels.csv");
    app.add_option("MODEL", given_,
                   "a model file, a platform table (.csv), or @name of the gallery")
        ->type_name("MODEL")
        ->option_text("MODEL");
    model_.offer_reading(app);
    app.add_option("--at", at_,
                   "the end effector, a body or frame; default for a vehicle: its platform")
        ->type_name("PLACE");
    app.add_option("--length", length_,
                   "characteristic length that scales rotations [m]; default: sqrt(2) times the "
                   "mean distance of the wheels, else the model's own")
        ->type_name("LENGTH");
    app.add_option("--isotropic", isotropic_, "make an isotropic ring of N wheels; takes no MODEL")
        ->type_name("N");
    app.add_option("--radius", radius_, "radius of its wheels; default: 0.1 m")
        ->type_name("LENGTH");
    app.add_option("--distance", distance_,
                   "distance of its wheels from the center; default: 0.3 m")
        ->type_name("LENGTH");
    app.add_option("--roller-angle", roller_angle_, "angle of its rollers; default: 90 deg")
        ->type_name("ANGLE");
    offer_repeated(app, "--vary", vary_, "PART=FROM,TO",
                   "find the best layout: rollers, axle, bearing or distance of all wheels vary "
                   "between these bounds, the others are fixed; may be repeated");
    app.add_option("--roller-radius", roller_radius_,
                   "radius of the rollers, to judge each wheel alone")
        ->type_name("LENGTH");
    state_.offer_position(app);
    app.add_option("--report", report_, "write a picture of layout and ellipses (.svg, .png)")
        ->type_name("FILE");
    app.add_option("-o,--output", output_, "write the wheels as a platform table (.csv)")
        ->type_name("FILE");
    app.add_flag("--force", force_, "overwrite files that are there");
    terminal.offer(app);
  }

  Exit run(Terminal& terminal) override {
    expect_ending(report_, "--report", {".svg", ".png"});
    expect_ending(output_, "-o", {".csv"});
    for (const std::string* file : {&report_, &output_})
      if (!file->empty()) expect_free(*file, force_);
    expect_distinct({{"--report", report_}, {"-o", output_}},
                    {{"the model", given_}, {"--state", state_.file()}});
    try {
      return isotropic_.empty() ? judge(terminal) : make(terminal);
    } catch (const std::invalid_argument& error) {  // a layout that is impossible
      throw WorkFailed(error.what());
    }
  }

 private:
  double description(const std::string& text, const char* option, const Dimension& measures,
                     double otherwise) const {
    return text.empty() ? otherwise : number(text, option, measures);
  }
  double above_zero(const std::string& text, const char* option, double otherwise) const {
    const double value = description(text, option, dimension::length, otherwise);
    if (text.empty() || value > 0) return value;
    throw UsageError(fmt::format("option {} is '{}'", option, text), "it takes a length above 0");
  }

  Exit make(Terminal& terminal) const {
    if (!given_.empty())
      throw UsageError("option --isotropic makes a layout, and MODEL is one",
                       "leave out the one or the other");
    const double wheels = number(isotropic_, "--isotropic", dimension::none);
    if (!(wheels == std::floor(wheels) && wheels >= 1 && wheels <= 1000))
      throw UsageError(fmt::format("option --isotropic is '{}'", isotropic_),
                       "it takes a number of wheels, 3 or more");
    const IsotropicRing ring{
        .wheels = int(wheels),
        .radius = above_zero(radius_, "--radius", 0.1),
        .distance = above_zero(distance_, "--distance", 0.3),
        .roller_angle = description(roller_angle_, "--roller-angle", dimension::angle,
                                    IsotropicRing{}.roller_angle),
        .length = above_zero(length_, "--length", 0)};
    DesignResults results{.title = fmt::format("an isotropic ring of {} wheels", int(wheels)),
                          .place_name = {}};
    results.layout.wheels = isotropic_layout(ring);
    for (int k = 1; k <= int(wheels); ++k)
      results.layout.names.push_back(fmt::format("wheel{}", k));
    measure(results);
    return tell(results, terminal, nullptr);
  }

  Exit judge(Terminal& terminal) const {
    if (given_.empty())
      throw UsageError("no MODEL is given", "a file, @name of the gallery, or --isotropic N");
    const Model model = load(terminal);
    const StateAndInputs state_and_inputs = state_.state_and_inputs(model);
    Workspace workspace(model);
    State state = state_and_inputs.state;
    std::ranges::fill(state.v, 0.0);
    DesignResults results{.title = model.name(), .place_name = place_name(model)};
    const FrameRef at = place(model, results.place_name, "--at");
    Kinematics kinematics(model);
    expect_ok(trammel::kinematics(model, state, {}, workspace, kinematics));
    results.layout = model_layout(model, kinematics, at);
    if (!vary_.empty()) search(results);
    measure(results);
    if (!results.search) {
      results.moved.emplace();
      expect_ok(dexterity(model, state, at, results.length, workspace, *results.moved));
      results.length = results.moved->length;
      // without drives the hubs do not matter
      if (results.moved->drives.size() != results.layout.wheels.size()) results.hubs.reset();
    }
    const std::string picture = report_.empty() || !results.moved || !results.layout.wheels.empty()
                                    ? std::string()
                                    : dexterity_picture(model, kinematics, at, *results.moved);
    return tell(results, terminal, &picture);
  }

  Model load(Terminal& terminal) const {
    if (!given_.ends_with(".csv")) return model_.load(terminal, given_);
    Diagnostics found;
    const Description table =
        read_table(TableNotation::platform, given_, model_.read_options(), found);
    const Model model = build_model(table, found, model_.read_options().build);
    for (const Diagnostic& warning : model.warnings()) terminal.report(warning);
    return model;
  }

  // of a vehicle: the body whose joint connects it to ground
  std::string place_name(const Model& model) const {
    if (!at_.empty()) return at_;
    if (!model.wheels().empty())
      for (const NamedJoint& joint : model.joints())
        if (model[joint.parent].tree_body == 0 && joint.role == NamedJoint::Role::tree)
          return model[joint.child].name;
    throw UsageError("no place is given that the drives move", "add --at BODY or --at FRAME");
  }

  void measure(DesignResults& results) const {
    results.length = above_zero(length_, "--length", 0);
    results.roller_radius = above_zero(roller_radius_, "--roller-radius", 0);
    results.length_is = "as said";
    if (results.length == 0 && results.layout.all_have_rollers()) {
      results.length = characteristic_length(results.layout.wheels);
      results.length_is = "sqrt(2) times the mean distance of the wheels";
    } else if (results.length == 0) {
      results.length_is = "the model's own";
    }
    results.evaluate_hubs();
  }

  void search(DesignResults& results) const {
    if (!results.layout.all_have_rollers())
      throw UsageError("option --vary is for wheels with rollers, all of them",
                       "this model has others, or none");
    std::vector<WheelRange> ranges;
    for (const WheelPlacing& w : results.layout.wheels)
      ranges.push_back({{w.roller_angle, w.roller_angle},
                        {w.axle, w.axle},
                        {w.bearing, w.bearing},
                        {w.distance, w.distance},
                        w.radius});
    for (const NamedTexts& given : named_texts(vary_)) {
      const bool is_length = given.name == "distance";
      const auto part = given.name == "rollers"   ? &WheelRange::roller_angle
                        : given.name == "axle"    ? &WheelRange::axle
                        : given.name == "bearing" ? &WheelRange::bearing
                        : is_length               ? &WheelRange::distance
                                                  : nullptr;
      if (part == nullptr || given.values.size() != 2)
        throw UsageError(
            fmt::format("option --vary takes PART=FROM,TO, not '{}'", given.name),
            "for example --vary 'axle=0 deg,90 deg'; parts are rollers, axle, bearing, "
            "distance");
      for (WheelRange& range : ranges)
        for (std::size_t k = 0; k < 2; ++k)
          (range.*part)[k] =
              number(given.values[k], "--vary", is_length ? dimension::length : dimension::angle);
    }
    const double length = above_zero(length_, "--length", 0);
    results.search =
        best_layout(ranges, length > 0 ? length : characteristic_length(results.layout.wheels));
    results.layout.wheels = results.search->layout;
    results.title += ", searched";
  }

  Exit tell(const DesignResults& results, Terminal& terminal, const std::string* picture) const {
    if (!output_.empty()) {
      if (!results.layout.all_have_rollers())
        throw UsageError("option -o writes wheels with rollers, and there are others or none",
                         "trammel convert writes models");
      write_file(output_, design_table(results), force_, terminal);
    }
    if (!report_.empty())
      write_picture(report_,
                    picture && !picture->empty() ? *picture : layout_picture(drawn(results)),
                    force_, terminal);
    if (output_ != "-" && report_ != "-")
      terminal.answer(terminal.wants_json() ? json_text(design_json(results))
                                            : design_text(results, terminal));
    return Exit::done;
  }

  static LayoutPicture drawn(const DesignResults& results) {
    LayoutPicture out{.title = results.title,
                      .names = results.layout.names,
                      .wheels = results.layout.wheels,
                      .length = results.length,
                      .singular_because = singular_reason(results)};
    if (results.hubs && !results.hubs->is_singular()) {
      out.motion_by_rates =
          OrthogonalDecomposition(hub_jacobian(results.layout.wheels)).pseudo_inverse();
    } else if (results.moved && !results.moved->is_singular()) {
      // seen from above
      out.motion_by_rates.resize(3, results.moved->J.cols());
      out.motion_by_rates << results.moved->J.row(2), results.moved->J.row(3),
          results.moved->J.row(4);
    }
    return out;
  }

  ModelOptions model_;
  StateOptions state_;
  std::string given_, at_, length_, isotropic_, radius_, distance_, roller_angle_, roller_radius_,
      report_, output_;
  std::vector<std::string> vary_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_design() { return std::make_unique<Design>(); }

}  // namespace trammel::cli
