// A robot in a neutral text format that every engine here reads, so that all compute the same
// robot. Each line but those of states begins with a keyword:
//
//   model NAME bodies loops end-effector gravity(3)
//   body PARENT R|P|F axis(3) R(9, rows) p(3) mass com(3) inertia(6)   one a body, depth first
//   loop BODY BODY 6|3|2 R(9) p(3) R(9) p(3)                           one a loop, after the bodies
//   states COUNT                                                     then a line a state: q v a tau
//   ref nv n trace(M) |J| inverse(nv) forward(nv) closed(n)          of state 0; may be missing
//
// Depth first: without it Pinocchio's factorizations are silently wrong.
// The trace excludes a free base; |J| is the Frobenius norm of the end effector's Jacobian.
// R is a revolute joint about the axis, P a prismatic joint along it, F a free base (the first body
// only). The inertia is xx xy xz yy yz zz about the center of mass. A free base has q = x y z qx qy
// qz qw and v = [linear; angular] in its own axes. A loop connects a frame of one body to a frame
// of another: by a weld (6 rows), a ball joint (3), or a pin about its y axis (2: its part in the
// plane). Standard library only: the peers' programs include this file too.
#pragma once

#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

struct RobotBody {
  int parent = -1;  // -1: ground
  bool is_free = false, is_prismatic = false;
  std::array<double, 3> axis{};
  std::array<double, 9> R{};  // the joint's frame in the parent's frame
  std::array<double, 3> p{};
  double mass = 0;
  std::array<double, 3> com{};
  std::array<double, 6> inertia{};
};
struct RobotLoop {
  int body = 0, other = 0;
  int rows = 6;  // 6: weld, 3: ball joint, 2: pin about y
  std::array<double, 9> R{}, R_other{};
  std::array<double, 3> p{}, p_other{};
};
struct RobotState {
  std::vector<double> q, v, a, tau;
};
struct Robot {
  bool is_floating() const { return !bodies.empty() && bodies[0].is_free; }
  std::size_t nq() const { return bodies.size() + (is_floating() ? 6 : 0); }
  std::size_t nv() const { return bodies.size() + (is_floating() ? 5 : 0); }

  std::string name;
  std::array<double, 3> gravity{};
  int end_effector = 0;  // body of the Jacobian
  std::vector<RobotBody> bodies;
  std::vector<RobotLoop> loops;
  std::vector<RobotState> states;
};

// Reads one robot; errors are reported with their line.
class RobotReader {
 public:
  explicit RobotReader(const std::string& path) : path_(path), file_(path) {
    if (!file_) throw std::runtime_error(path + ": no such file, or not readable");
  }

  Robot read() {
    Robot robot;
    std::size_t bodies = 0, loops = 0, states = 0;
    next_line("model");
    robot.name = word("a name");
    number(bodies), number(loops), number(robot.end_effector), numbers(robot.gravity);
    if (robot.end_effector < 0 || std::size_t(robot.end_effector) >= bodies)
      fail("the end effector is none of the bodies");
    for (std::size_t i = 0; i < bodies; ++i) {
      robot.bodies.push_back(body(int(i)));
      for (int k = int(i) - 1; k != robot.bodies[i].parent; k = robot.bodies[std::size_t(k)].parent)
        if (k < 0) fail("bodies are in depth-first order: a subtree is not interrupted");
    }
    for (std::size_t i = 0; i < loops; ++i) robot.loops.push_back(loop(int(bodies)));

    next_line("states");
    number(states);
    if (states == 0) fail("there must be at least one state");
    for (std::size_t s = 0; s < states; ++s) robot.states.push_back(state(robot));
    return robot;
  }

 private:
  RobotBody body(int i) {
    RobotBody read;
    next_line("body");
    number(read.parent);
    if (read.parent < -1 || read.parent >= i) fail("a parent comes before its children");
    const std::string kind = word("R, P or F");
    if (kind != "R" && kind != "P" && kind != "F") fail("a joint is R, P or F, not '" + kind + "'");
    read.is_free = kind == "F";
    read.is_prismatic = kind == "P";
    if (read.is_free && i > 0) fail("only the first body may be free");
    numbers(read.axis), numbers(read.R), numbers(read.p);
    number(read.mass), numbers(read.com), numbers(read.inertia);
    expect_end();
    return read;
  }
  RobotLoop loop(int bodies) {
    RobotLoop read;
    next_line("loop");
    number(read.body), number(read.other), number(read.rows);
    for (const int body : {read.body, read.other})
      if (body < 0 || body >= bodies) fail("a loop joins two of the bodies");
    if (read.rows != 6 && read.rows != 3 && read.rows != 2)
      fail("a loop has 6 rows (a weld), 3 (a ball joint) or 2 (a pin in the plane)");
    numbers(read.R), numbers(read.p), numbers(read.R_other), numbers(read.p_other);
    expect_end();
    return read;
  }
  RobotState state(const Robot& robot) {
    const std::size_t nv = robot.nv();
    RobotState read{std::vector<double>(robot.nq()), std::vector<double>(nv),
                    std::vector<double>(nv), std::vector<double>(nv)};
    next_line("");
    numbers(read.q), numbers(read.v), numbers(read.a), numbers(read.tau);
    expect_end();
    return read;
  }

  void next_line(const std::string& opening) {
    std::string text;
    ++line_;
    if (!std::getline(file_, text)) fail("the file ends where a line '" + opening + "' should be");
    words_ = std::istringstream(text);
    if (!opening.empty() && word(opening) != opening)
      fail("the line should begin with '" + opening + "'");
  }
  std::string word(const std::string& what) {
    std::string read;
    if (!(words_ >> read)) fail("the line ends where " + what + " should be");
    return read;
  }
  template <class Number> void number(Number& out) {
    const std::string text = word("a number");
    std::istringstream stream(text);
    if (!(stream >> out) || stream.peek() != EOF) fail("'" + text + "' is not the number wanted");
  }
  template <class Range> void numbers(Range& out) {
    for (double& x : out) number(x);
  }
  void expect_end() {
    std::string more;
    if (words_ >> more) fail("the line goes on with '" + more + "' where it should end");
  }
  [[noreturn]] void fail(const std::string& fact) const {
    throw std::runtime_error(path_ + ":" + std::to_string(line_) + ": " + fact);
  }

  std::string path_;
  std::ifstream file_;
  std::istringstream words_;
  int line_ = 0;
};

}  // namespace bench
