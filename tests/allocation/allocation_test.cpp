// Public functions allocate no memory. Counted in malloc and related functions: all forms of
// operator new end there, and so does Eigen, which does not use operator new.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <memory>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "tests/allocation/malloc_count.hpp"
#include "tests/support/every_function.hpp"
#include "tests/support/lattice.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/solver/sparse_solver.hpp"
#include "trammel/constraint/system/constrained_derivatives.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/read/load.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TRAMMEL_COUNTS_MEMORY true
#else
#define TRAMMEL_COUNTS_MEMORY false  // sanitizers have their own malloc, other systems no hook
#endif

namespace {
std::atomic<std::size_t> allocations = 0, in_use = 0, peak = 0;

// Peaks are of one thread: another may allocate between the two.
[[maybe_unused]] void add_bytes(std::size_t bytes) {
  const std::size_t now = in_use.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (now > peak.load(std::memory_order_relaxed)) peak.store(now, std::memory_order_relaxed);
}
}  // namespace

namespace trammel {
bool counts_memory() { return TRAMMEL_COUNTS_MEMORY; }
std::size_t allocations_so_far() { return allocations; }
std::size_t bytes_in_use() { return in_use; }
std::size_t most_bytes_in_use() { return peak; }
void forget_peak() { peak = in_use.load(); }
}  // namespace trammel

#if TRAMMEL_COUNTS_MEMORY
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

static void* counted(void* memory) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  add_bytes(malloc_usable_size(memory));
  return memory;
}
static void take_off(void* memory) {
  in_use.fetch_sub(malloc_usable_size(memory), std::memory_order_relaxed);
}

void* malloc(std::size_t size) { return counted(__libc_malloc(size)); }
void* calloc(std::size_t n, std::size_t size) { return counted(__libc_calloc(n, size)); }
void* realloc(void* old, std::size_t size) {
  take_off(old);
  return counted(__libc_realloc(old, size));
}
void* memalign(std::size_t a, std::size_t size) { return counted(__libc_memalign(a, size)); }
void* aligned_alloc(std::size_t a, std::size_t size) { return memalign(a, size); }
int posix_memalign(void** out, std::size_t a, std::size_t size) {
  *out = memalign(a, size);
  return *out != nullptr ? 0 : ENOMEM;
}
void free(void* memory) {
  take_off(memory);
  __libc_free(memory);
}
}
#endif

namespace trammel::allocation_test {
namespace {

class Allocation : public testing::Test {
 protected:
  void SetUp() override {
    if (!TRAMMEL_COUNTS_MEMORY) GTEST_SKIP() << "memory is counted with glibc's malloc only";
  }
};

template <class Call> std::size_t allocations_of(const Call& call) {
  const std::size_t before = allocations;
  call();
  return allocations - before;
}

// A robot with all kinds of joints in some state, with accelerations, efforts, a moving ground and
// two wrenches.
Interview robot(int seed, Axes axes, Drive drive_of_first = Drive::none) {
  Description description = RandomRobot::describe(seed, {.bodies = 24});
  description.joints[0].options.drive = drive_of_first;
  Interview x(description);
  Random random(seed);
  x.state = RandomRobot::random_state(x.model, random);
  for (std::ptrdiff_t s = 0; s < x.q_batch.cols(); ++s) {
    const State other = RandomRobot::random_state(x.model, random);
    x.q_batch.col(s) = Eigen::Map<const Eigen::VectorXd>(other.q.data(), x.model.nq());
    x.v_batch.col(s) = Eigen::Map<const Eigen::VectorXd>(other.v.data(), x.model.nv());
  }
  x.a_in = random.numbers(x.model.nv());
  x.tau_in = random.numbers(x.model.nv());
  x.ground = {{random.vector(), random.vector()}, {random.vector(), random.vector()}};
  x.wrenches = {{x.place, {random.vector(), random.vector()}, axes},
                {{BodyId(3)}, {random.vector(), random.vector()}, axes}};
  return x;
}

// Accelerations for forward and hybrid dynamics: those of joints without prescribed motion are
// results.
std::vector<double> planned_accelerations(const Interview& x) {
  std::vector<double> a = x.a_in;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (x.model.prescription(int(k)) != Drive::motion) a[k] = 0;
  return a;
}

void expect_no_allocation(const PublicFunction& question, Interview& x) {
  const std::vector<double> given = x.a_in;
  if (question.name == std::string_view("forward_dynamics") ||
      question.name == std::string_view("hybrid_dynamics"))
    x.a_in = planned_accelerations(x);
  EXPECT_EQ(question.ask(x).message(), "") << question.name;  // warm-up: results get their size
  bool is_ok = false;
  EXPECT_EQ(allocations_of([&] { is_ok = question.ask(x).ok(); }), 0u) << question.name;
  EXPECT_TRUE(is_ok) << question.name;
  x.a_in = given;
}

// Lets a pointer escape, so that no compiler removes the allocation.
void use(const void* pointer) { asm volatile("" : : "g"(pointer) : "memory"); }

TEST_F(Allocation, is_counted) {
  struct alignas(64) Wide {
    double x[8];
  };
  EXPECT_EQ(allocations_of([] {}), 0u);
  EXPECT_EQ(allocations_of([] { use(std::make_unique<std::vector<double>>(3)->data()); }), 2u);
  EXPECT_EQ(allocations_of([] { use(std::make_unique<int[]>(3).get()); }), 1u);
  EXPECT_EQ(allocations_of([] { use(std::make_unique<Wide>().get()); }), 1u);
  EXPECT_EQ(allocations_of([] { use(std::vector<Wide>(3).data()); }), 1u);
  EXPECT_EQ(allocations_of([] { use(Eigen::MatrixXd(3, 3).data()); }), 1u);
  EXPECT_EQ(allocations_of([] {
              void* const memory = std::calloc(1, 8);
              use(memory);
              std::free(memory);
            }),
            1u);
}

TEST_F(Allocation, no_question_allocates) {
  for (const int seed : {1, 2, 3}) {  // fixed bases and a floating one
    Interview x = robot(seed, Axes::body);
    int posed = 0;
    for (const PublicFunction& question : every_function()) {
      if (question.is_for_study) continue;
      expect_no_allocation(question, x);
      ++posed;
    }
    EXPECT_EQ(posed, 30);
  }
}

TEST_F(Allocation, nor_do_wrenches_in_the_worlds_axes) {
  Interview x = robot(4, Axes::world);
  for (const PublicFunction& question : every_function()) {
    const bool differentiates = std::string_view(question.name).ends_with("derivatives");
    if (question.takes == Takes::inputs && !differentiates) expect_no_allocation(question, x);
  }
}

TEST_F(Allocation, nor_do_joints_driven_by_motion) {
  Interview x = robot(5, Axes::body, Drive::motion);
  ASSERT_TRUE(x.model.has_prescribed_joints());
  for (const PublicFunction& question : every_function())
    for (const char* name : {"forward_dynamics", "hybrid_dynamics", "inverse_dynamics"})
      if (std::string_view(question.name) == name) expect_no_allocation(question, x);
}

// In regular states the loops are part of the recursion.
TEST_F(Allocation, nor_do_dynamics_of_loops) {
  for (const char* name : {"@four_bar", "@r_ex2", "@me_5", "@f2"}) {
    SCOPED_TRACE(name);
    Interview x(load_model(name).description());
    ASSERT_TRUE(x.model.has_constraints());
    ASSERT_TRUE(assembled_start(x.model, x.workspace, x.state).ok());
    ConstrainedAnswer answer;
    ASSERT_TRUE(constrained_dynamics(x.model, x.state, {}, x.workspace, answer).ok());
    ASSERT_NE(answer.solver, ConstraintSolver::kkt);
    Random random(7);
    x.tau_in = random.numbers(x.model.nv());
    x.in_batch = Eigen::MatrixXd::Constant(x.model.nv(), x.in_batch.cols(), 0.3);
    for (std::ptrdiff_t s = 0; s < x.q_batch.cols(); ++s) {
      x.q_batch.col(s) = Eigen::Map<const Eigen::VectorXd>(x.state.q.data(), x.model.nq());
      x.v_batch.col(s) = Eigen::Map<const Eigen::VectorXd>(x.state.v.data(), x.model.nv());
    }
    const auto expect_none = [&](std::initializer_list<const char*> names) {
      for (const PublicFunction& question : every_function())
        for (const char* posed : names)
          if (std::string_view(question.name) == posed) expect_no_allocation(question, x);
    };
    expect_none({"forward_dynamics", "forward_dynamics_batch", "reactions", "reactions_batch",
                 "project_to_manifold_batch"});
    x.in_batch = x.out_batch;  // accelerations that keep the loops closed
    ASSERT_TRUE(
        forward_dynamics_batch(x.model, x.states(), x.v_batch, x.batch_workspace, x.in_batch).ok());
    expect_none({"inverse_dynamics_batch"});
    x.a_in = {x.in_batch.data(), x.in_batch.data() + x.model.nv()};
    expect_none({"inverse_dynamics"});
  }
}

// Once the matrices have their sizes.
TEST_F(Allocation, nor_do_derivatives_of_loops) {
  for (const char* name : {"@four_bar", "@excavator", "@stewart_platform", "@leg_with_rods"}) {
    SCOPED_TRACE(name);
    const Model model = load_model(name);
    Workspace workspace(model);
    State state;
    ASSERT_TRUE(assembled_start(model, workspace, state).ok());
    OrthogonalComplement complement;
    ASSERT_TRUE(orthogonal_complement(model, state, {}, workspace, complement).ok());
    ConstrainedDerivatives found;
    bool is_ok = false;
    const auto along_given = [&] {
      is_ok = constrained_derivatives(model, state, {}, complement, workspace, found).ok();
    };
    const auto along_own = [&] {
      is_ok = constrained_derivatives(model, state, {}, workspace, found).ok();
    };
    along_given();
    EXPECT_EQ(allocations_of(along_given), 0u);
    EXPECT_TRUE(is_ok);
    along_own();
    EXPECT_EQ(allocations_of(along_own), 0u);
    EXPECT_TRUE(is_ok);
  }
}

// Once a and lambda have their sizes.
TEST_F(Allocation, nor_does_the_sparse_solver) {
  const Model model = build_model(lattice(6));
  Workspace workspace(model);
  const State state = neutral_state(model);
  Kinematics at(model);
  ASSERT_TRUE(kinematics(model, state, {}, workspace, at).ok());
  ConstraintRows rows(model);
  const std::vector<double> zero(std::size_t(model.nv())), f(zero.size(), 1.0);
  rows.evaluate(model, at, state.q, state.v, zero, {});
  std::vector<int> basis;  // forces in the plane
  for (const ConstraintRows::RowWrench& wrench : rows.row_wrenches())
    if (norm(wrench.F.moment) < 1e-9 && std::abs(wrench.F.force.z) < 1e-9)
      basis.push_back(wrench.row);
  SparseSolver solver(model, basis);
  const Eigen::VectorXd gamma = Eigen::VectorXd::Zero(rows.count());
  Eigen::VectorXd a, lambda;
  const auto solve = [&] { EXPECT_TRUE(solver.solve(model, at, rows, f, gamma, a, lambda).ok()); };
  solve();
  EXPECT_GT(a.norm(), 0);
  EXPECT_EQ(allocations_of(solve), 0u);
}

// A lattice is solved by the sparse solver, by the automatic choice.
TEST_F(Allocation, nor_does_forward_dynamics_of_a_lattice) {
  const Model model = build_model(lattice(8));
  Workspace workspace(model);
  State state;
  ASSERT_TRUE(assembled_start(model, workspace, state).ok());
  std::vector<double> a(std::size_t(model.nv()));
  const auto call = [&] { EXPECT_TRUE(forward_dynamics(model, state, {}, workspace, a).ok()); };
  call();
  call();
  EXPECT_EQ(allocations_of(call), 0u);
}

// Degenerate wheel layouts have a recursive solver on the remaining rows.
TEST_F(Allocation, nor_does_forward_dynamics_of_redundant_wheel_layouts) {
  for (const char* name : {"@e_09", "@e_12a"}) {
    SCOPED_TRACE(name);
    Interview x(load_model(name).description());
    ASSERT_TRUE(assembled_start(x.model, x.workspace, x.state).ok());
    RowBasis basis;
    ASSERT_TRUE(row_basis(x.model, x.state, x.workspace, basis).ok());
    ASSERT_GT(basis.redundant(), 2);
    x.tau_in = Random(7).numbers(x.model.nv());
    for (const PublicFunction& question : every_function())
      if (std::string_view(question.name) == "forward_dynamics") expect_no_allocation(question, x);
  }
}

}  // namespace
}  // namespace trammel::allocation_test
