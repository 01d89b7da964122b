// A mechanism of revolute joints about z, closed by welds, in plain numbers: input of peers whose
// headers may need another C++ standard.
#pragma once

#include <array>
#include <vector>

namespace bench {

struct PlainPose {
  std::array<double, 9> R;  // row-major
  std::array<double, 3> p;
};
struct PlainBody {
  int parent;      // -1: ground
  PlainPose X_PF;  // pose of its joint on the parent; its own frame rotates about z of that
  double mass;
  std::array<double, 3> com;
  std::array<double, 6> inertia;  // about its origin: xx yy zz xy xz yz
  double damping, effort;         // of its joint; the effort is constant
  double q, v;                    // initial position
};
struct PlainWeld {
  int parent, child;
  PlainPose X_PF, X_CM;
};
struct PlainTree {
  std::array<double, 3> gravity;
  std::vector<PlainBody> bodies;
  std::vector<PlainWeld> welds;
};

// Result of a peer.
struct PlainArrival {
  std::vector<double> q, v;
  double seconds;  // CPU time
};
enum class SimbodyMethod { runge_kutta_merson, runge_kutta_fehlberg };
PlainArrival follow_by_simbody(const PlainTree& tree, double duration, SimbodyMethod method,
                               double accuracy);

}  // namespace bench
