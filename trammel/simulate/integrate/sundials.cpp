#include "trammel/simulate/integrate/sundials.hpp"

#ifdef TRAMMEL_HAS_SUNDIALS

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>

namespace trammel {

namespace {

// Owns an object of a C library.
template <class T, void (*destroy)(T)> class Owned {
 public:
  explicit Owned(T made) : made_(made) {
    if (made_ == nullptr) throw std::bad_alloc();
  }
  ~Owned() { destroy(made_); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  operator T() const { return made_; }

 private:
  T made_;
};
void free_context(SUNContext context) { SUNContext_Free(&context); }
void free_solver(SUNLinearSolver solver) { SUNLinSolFree(solver); }
void free_memory(void* memory) { CVodeFree(&memory); }

SUNContext make_context() {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  return context;
}

std::span<double> numbers(N_Vector y) { return {NV_DATA_S(y), std::size_t(NV_LENGTH_S(y))}; }

bool is_finite(std::span<const double> x) {
  return std::ranges::all_of(x, [](double number) { return std::isfinite(number); });
}

class Bdf final : public Integrator {
 public:
  explicit Bdf(int size)
      : context_(make_context()),
        y_(N_VNew_Serial(size, context_)),
        matrix_(SUNDenseMatrix(size, size, context_)),
        solver_(SUNLinSol_Dense(y_, matrix_, context_)),
        memory_(CVodeCreate(CV_BDF, context_)) {
    N_VConst(0, y_);
    require(CVodeInit(memory_, rhs, 0, y_));
    require(CVodeSetUserData(memory_, this));
    require(CVodeWFtolerances(memory_, weigh));
    require(CVodeSetLinearSolver(memory_, solver_, matrix_));
    require(CVodeSetProjFn(memory_, project));
    require(CVodeSetProjErrEst(memory_, SUNFALSE));  // the error is estimated without projection
    require(CVodeSetMaxNumSteps(memory_, -1));       // the run counts steps
    require(CVodeSetErrFile(memory_, nullptr));      // no messages of the library
  }

  int order() const override { return 5; }
  int error_order() const override { return 5; }
  bool has_dense_output() const override { return true; }
  bool chooses_steps() const override { return true; }
  int memory() const override { return 2000; }

  void aim(OdeSystem::Tolerance tolerance, double longest) override {
    tolerance_ = tolerance;
    longest_ = longest;
  }
  void forget() override { remembers_ = false; }
  Taken taken() const override { return taken_; }

  Status take(OdeSystem& ode, const Step& step, bool& has_next_rhs) override {
    has_next_rhs = true;  // not used: CVODE evaluates its own
    ode_ = &ode;
    ode.set_projection_tolerance(1e-13);  // constraint violations are noise to a stiff method
    if (!remembers_) begin(step);
    refused_ = {};
    from_ = step.time;
    require(CVodeSetStopTime(memory_, step.time + step.h));
    double reached = step.time;
    const int flag = CVode(memory_, step.time + step.h, y_, &reached, CV_ONE_STEP);
    if (flag < 0) return failure(flag);
    const auto next = numbers(y_);
    // CVODE accepts steps that do not advance time, and values that are not finite
    if (!(reached > step.time) || !is_finite(next)) return failure(CV_CONV_FAILURE);
    std::ranges::copy(next, step.y_next.begin());
    std::ranges::fill(step.y_dot_next, 0.0);
    const long so_far = refused_so_far();
    taken_ = {flag == CV_TSTOP_RETURN ? step.h : reached - step.time, so_far - counted_};
    counted_ = so_far;
    return {};
  }

  void between(double part, std::span<double> y) const override {
    const N_Vector out = N_VMake_Serial(int(y.size()), y.data(), context_);
    const int flag = CVodeGetDky(memory_, from_ + part * taken_.h, 0, out);
    N_VDestroy(out);
    require(flag);
  }

 private:
  // Errors in the use of CVODE are bugs of this file.
  static void require(int flag) {
    if (flag < 0)
      throw std::logic_error(fmt::format("CVODE returned {}", CVodeGetReturnFlagName(flag)));
  }

  // Rejected steps since the last initialization.
  long refused_so_far() const {
    long errors = 0, divergences = 0;
    CVodeGetNumErrTestFails(memory_, &errors);
    CVodeGetNumNonlinSolvConvFails(memory_, &divergences);
    return errors + divergences;
  }

  void begin(const Step& step) {
    std::ranges::copy(step.y, numbers(y_).begin());
    require(CVodeReInit(memory_, step.time, y_));
    require(CVodeSetMaxStep(memory_, longest_));
    remembers_ = true;
    counted_ = 0;
  }

  Status failure(int flag) const {
    if (!refused_.ok()) return refused_;
    double h = 0;
    CVodeGetCurrentStep(memory_, &h);
    return Status::failure(
        fmt::format("no step is short enough, down to {:.2g} s ({}): the solution diverges, the "
                    "mechanism comes to a dead point, or an input jumps",
                    h, CVodeGetReturnFlagName(flag)));
  }

  static int rhs(double time, N_Vector y, N_Vector y_dot, void* self) {
    Bdf& bdf = *static_cast<Bdf*>(self);
    const Status status = bdf.ode_->rhs(time, numbers(y), numbers(y_dot));
    if (status.ok()) return is_finite(numbers(y_dot)) ? 0 : 1;
    bdf.refused_ = status;
    return 1;  // recoverable: CVODE retries with a shorter step
  }

  // CVODE uses the weighted RMS norm, this module the maximum norm: these weights bound the latter.
  static int weigh(N_Vector y, N_Vector weight, void* self) {
    const Bdf& bdf = *static_cast<Bdf*>(self);
    const auto value = numbers(y), out = numbers(weight);
    const double root = std::sqrt(double(value.size()));
    for (std::size_t k = 0; k < value.size(); ++k) {
      const double least = 1e-16 * bdf.ode_->unit(int(k));  // for entries that are zero
      const double allowed = bdf.ode_->allowed(int(k), value[k], bdf.tolerance_);
      out[k] = root / std::max(allowed, least);
    }
    return 0;
  }

  // Correction from y to its projection onto the constraint manifold.
  static int project(double time, N_Vector y, N_Vector correction, double, N_Vector, void* self) {
    Bdf& bdf = *static_cast<Bdf*>(self);
    const Status status = bdf.ode_->unpack(time, numbers(y), bdf.projected_);
    if (!status.ok()) {
      bdf.refused_ = status;
      return 1;
    }
    const auto from = numbers(y), out = numbers(correction);
    bdf.ode_->pack(bdf.projected_, out);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] -= from[k];
    return 0;
  }

  Owned<SUNContext, free_context> context_;
  Owned<N_Vector, N_VDestroy> y_;
  Owned<SUNMatrix, SUNMatDestroy> matrix_;
  Owned<SUNLinearSolver, free_solver> solver_;
  Owned<void*, free_memory> memory_;
  OdeSystem* ode_ = nullptr;
  OdeSystem::Tolerance tolerance_{1e-8, 1e-10};
  double longest_ = 0, from_ = 0;
  bool remembers_ = false;
  long counted_ = 0;  // rejected steps already reported
  Taken taken_;
  Status refused_;
  State projected_;
};

}  // namespace

std::string bdf_lacks() { return {}; }

std::unique_ptr<Integrator> make_bdf(int size) { return std::make_unique<Bdf>(size); }

}  // namespace trammel

#else

namespace trammel {

std::string bdf_lacks() {
  return "the method bdf needs SUNDIALS, which this build lacks: install it (libsundials-dev) and "
         "build again, or take radau";
}

std::unique_ptr<Integrator> make_bdf(int /*size*/) { return nullptr; }

}  // namespace trammel

#endif
