// A mechanism of joints that turn about z, held together by welds, in plain numbers: what is told
// to peers, whose headers may not be of our C++.
#pragma once

#include <array>
#include <vector>

namespace bench {

struct PlainPose {
  std::array<double, 9> R;  // row after row
  std::array<double, 3> p;
};
struct PlainBody {
  int parent;      // -1: ground
  PlainPose X_PF;  // where its joint sits on the parent; its own frame turns about z of that
  double mass;
  std::array<double, 3> com;
  std::array<double, 6> inertia;  // about its origin: xx yy zz xy xz yz
  double damping, effort;         // of its joint; the effort is constant
  double q, v;                    // where it starts
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

// What a peer made of it.
struct PlainArrival {
  std::vector<double> q, v;
  double seconds;  // of the processor
};
enum class SimbodyMethod { runge_kutta_merson, runge_kutta_fehlberg };
PlainArrival follow_by_simbody(const PlainTree& tree, double duration, SimbodyMethod method,
                               double accuracy);

}  // namespace bench
