#include "bench/robot_of_model.hpp"

#include <array>
#include <fstream>
#include <iomanip>
#include <random>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/read/load.hpp"

namespace bench {

namespace {

using namespace trammel;

constexpr std::array<double, 9> identity{1, 0, 0, 0, 1, 0, 0, 0, 1};

std::array<double, 9> by_rows(const Mat3<double>& R) {
  return {R.x.x, R.y.x, R.z.x, R.x.y, R.y.y, R.z.y, R.x.z, R.y.z, R.z.z};
}

void expect(const Status& status) {
  if (!status) throw std::runtime_error(status.message());
}

class Writer {
 public:
  explicit Writer(const std::string& name) : model_(load_model(name)), workspace_(model_) {
    text_ << std::setprecision(17);
    if (model_.has_prescribed_joints() || model_.has_passive_forces() ||
        model_.has_force_elements() || !model_.rods().empty() ||
        !model_.frame_constraints().empty() || !model_.wheels().empty() ||
        !model_.couplings().empty())
      refuse("something else than joints and efforts");
  }

  std::string text() {
    order(0);
    line_of_.resize(model_.bodies().size());
    for (const std::size_t i : order_) append_body(i);
    for (std::size_t k = 0; k < model_.closures().size(); ++k) append_loop(k);
    State start;
    expect(assembled_start(model_, workspace_, start));
    check_rows(start);
    append_states(start);
    const Vec3<double>& g = model_.gravity();
    std::ostringstream all;
    all << std::setprecision(17);
    std::string name = model_.name();
    std::ranges::replace(name, ' ', '_');
    all << "model " << name << ' ' << bodies_ << ' ' << model_.closures().size() << ' '
        << bodies_ - 1 << ' ' << g.x << ' ' << g.y << ' ' << g.z << '\n'
        << text_.str();
    return all.str();
  }
  int nv() const { return model_.nv(); }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw std::runtime_error(model_.name() + ": the neutral format cannot express " + what);
  }
  template <class Range> void numbers(const Range& range) {
    for (const double x : range) text_ << ' ' << x;
  }
  void numbers(const Vec3<double>& x) { text_ << ' ' << x.x << ' ' << x.y << ' ' << x.z; }

  // one line of a body; returns its index
  int line(int parent, char kind, const Vec3<double>& axis, const Pose<double>& X,
           const Inertia<double>& inertia) {
    text_ << "body " << parent << ' ' << kind;
    numbers(axis), numbers(by_rows(X.R)), numbers(X.p);
    const double m = inertia.mass;
    const Vec3<double> c = m > 0 ? 1 / m * inertia.first_moment : Vec3<double>{0, 0, 0};
    const SymMat3<double>& J =
        inertia.rotational;  // about the origin; then about the center of mass
    const double xx = J.xx - m * (c.y * c.y + c.z * c.z), yy = J.yy - m * (c.z * c.z + c.x * c.x),
                 zz = J.zz - m * (c.x * c.x + c.y * c.y);
    text_ << ' ' << m;
    numbers(c);
    numbers(
        std::array{xx, J.xy + m * c.x * c.y, J.xz + m * c.x * c.z, yy, J.yz + m * c.y * c.z, zz});
    text_ << '\n';
    return bodies_++;
  }

  // Bodies outboard of one, depth first.
  void order(int root) {
    for (std::size_t i = 1; i < model_.bodies().size(); ++i)
      if (model_.bodies()[i].parent == root) {
        order_.push_back(i);
        order(int(i));
      }
  }

  void append_body(std::size_t i) {
    const Body& body = model_.bodies()[i];
    const BodyNumbers<double>& numbers = model_.numbers().bodies[i];
    const int parent = body.parent == 0 ? -1 : line_of_[std::size_t(body.parent)];
    int& own = line_of_[i];
    const Vec3<double> x{1, 0, 0}, z{0, 0, 1};
    if (std::holds_alternative<Revolute>(body.joint)) {
      own = line(parent, 'R', z, numbers.X_PF, numbers.inertia);
    } else if (std::holds_alternative<Prismatic>(body.joint)) {
      own = line(parent, 'P', z, numbers.X_PF, numbers.inertia);
    } else if (const auto* universal = std::get_if<Universal>(&body.joint);
               universal != nullptr && !universal->reversed) {
      const int cross = line(parent, 'R', z, numbers.X_PF, {});
      own = line(cross, 'R', x, Pose<double>::identity(), numbers.inertia);
    } else if (std::holds_alternative<Free>(body.joint) && i == 1) {
      is_floating_ = true;
      own = line(parent, 'F', {0, 0, 0}, numbers.X_PF, numbers.inertia);
    } else {
      refuse("the joint of body " + std::to_string(i));
    }
  }

  void append_loop(std::size_t k) {
    const Closure& closure = model_.closures()[k];
    const ClosureNumbers<double>& numbers_of = model_.numbers().closures[k];
    const auto body_of = [&](BodyId id) {
      const int body = model_[id].tree_body;
      if (body == 0) refuse("a loop that ends at ground");
      return line_of_[std::size_t(body)];
    };
    const bool is_pin = std::holds_alternative<Revolute>(closure.joint);
    const int dofs = std::visit([](const auto& joint) { return joint.nv(); }, closure.joint);
    if (!is_pin && !std::holds_alternative<Spherical>(closure.joint) && dofs != 0)
      refuse(closure.name);
    const int rows = is_pin ? 2 : 6 - dofs;
    rows_ += rows;
    text_ << "loop " << body_of(closure.parent) << ' ' << body_of(closure.child) << ' ' << rows;
    for (const Pose<double>& X : {numbers_of.X_PF, numbers_of.X_CM}) {
      // a pin of the format is about y, ours about z
      const Mat3<double> R = is_pin ? Mat3<double>{X.R.x, X.R.z, -1.0 * X.R.y} : X.R;
      numbers(by_rows(R)), numbers(X.p);
    }
    text_ << '\n';
  }

  // Two rows express a pin in the plane only; in space it has five.
  void check_rows(const State& start) {
    RowBasis basis;
    expect(row_basis(model_, start, workspace_, basis));
    if (basis.rank() != rows_)
      refuse("loops of rank " + std::to_string(basis.rank()) + " by " + std::to_string(rows_) +
             " rows");
  }

  void append_states(const State& start) {
    std::mt19937 random(1);
    const auto any = [&random](double size) {
      return size * (2.0 * double(random()) / double(std::mt19937::max()) - 1);
    };
    text_ << "states 16\n";
    for (int s = 0; s < 16; ++s) {
      State state = start;
      if (s > 1) {
        const std::size_t first = is_floating_ ? 7 : 0;
        for (std::size_t k = first; k < state.q.size(); ++k) state.q[k] += any(0.03);
      }
      for (double& v : state.v) v = s == 1 ? 0 : any(1);
      expect(assemble(model_, state, workspace_));
      append(state, [&] { return any(10); });
    }
  }
  // x y z qx qy qz qw, and [linear; angular], of a free base
  template <class Effort> void append(const State& state, Effort effort) {
    const std::size_t nv = state.v.size();
    std::vector<double> tau(nv);
    for (double& x : tau) x = effort();
    const auto append_dofs = [&](const std::vector<double>& x) {
      for (const std::size_t i : order_) {
        const Body& body = model_.bodies()[i];
        const std::size_t first = std::size_t(body.v_start),
                          count = std::size_t(body.v_end) - first;
        for (std::size_t k = 0; k < count; ++k)
          text_ << ' ' << x[first + (count == 6 ? (k + 3) % 6 : k)];
      }
    };
    for (const std::size_t i : order_) {
      const Body& body = model_.bodies()[i];
      const bool is_free = is_floating_ && i == 1;
      const std::size_t first = std::size_t(body.q_start),
                        count = is_free ? 7 : std::size_t(body.v_end - body.v_start);
      for (std::size_t k = 0; k < count; ++k)
        text_ << ' ' << state.q[first + (!is_free ? k : k < 3 ? k + 4 : k < 6 ? k - 2 : 0)];
    }
    append_dofs(state.v);
    append_dofs(std::vector<double>(nv));
    append_dofs(tau);
    text_ << '\n';
  }

  Model model_;
  Workspace workspace_;
  std::ostringstream text_;
  std::vector<int> line_of_;        // by body of the tree
  std::vector<std::size_t> order_;  // bodies of the tree in the order of the file
  int bodies_ = 0, rows_ = 0;
  bool is_floating_ = false;
};

}  // namespace

std::string write_robot_of_model(const std::string& model, const std::string& path) {
  Writer writer(model);
  const std::string text = writer.text();
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw std::runtime_error(path + ": could not be written");
  return std::to_string(writer.nv());
}

}  // namespace bench
