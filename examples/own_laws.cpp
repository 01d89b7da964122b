// A ball falls through air onto the ground, with user-defined laws: drag quadratic in the speed, a
// linear contact with friction. A function defines the event at its highest point.
#include <cmath>
#include <cstdio>

#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"
#include "trammel/simulate/simulate.hpp"

using namespace trammel;

int main() {
  Description description("ball");
  description.body("ball", sphere(0.5, 0.1));
  description.joint("float", JointKind::free, "ground", "ball");
  ContactDescription skin;  // without a stiffness of its own: its force is left to a law
  skin.name = "skin", skin.body = "ball", skin.radius = 0.1;
  description.contacts.push_back(skin);
  const Model model = build_model(description);

  SimulationInputs run_inputs(model);
  run_inputs.add_wrench(frame_ref(model, "ball"), [](const MovingPlace& place) -> Force<double> {
    const Vec3<double>& v = place.V.linear;
    return {{}, (-0.02 * norm(v)) * v};
  });
  run_inputs.set_contact_law("skin", [](const ContactState& touch) -> ContactLawForce {
    const double press = std::max(0.0, 2000 * touch.depth + 2 * touch.sinking);
    return {press, (-0.3 * press / std::hypot(norm(touch.sliding), 0.01)) * touch.sliding};
  });
  RunOptions options{.duration = 3};
  options.events.push_back({{.name = "top", .way = EventDescription::Way::down, .every = true},
                            [](const RunSnapshot& now) { return now.state.v[5]; }});

  Workspace workspace(model);
  State state = neutral_state(model);
  state.q[6] = 1;  // a meter up, thrown along x
  state.v[3] = 1.5;
  RunStatistics statistics;
  const Status went = simulate(
      model, state, run_inputs, options, workspace, [](const RunSnapshot&) { return Status(); },
      statistics);
  if (!went) return std::puts(went.message().c_str()), 1;
  for (const EventRecord& event_record : statistics.events)
    std::printf("%.4f s: %s\n", event_record.time, event_record.what.c_str());
  std::printf("after 3 s it is at x = %.3f m and spins with %.2f rad/s\n", state.q[4], state.v[1]);
}
