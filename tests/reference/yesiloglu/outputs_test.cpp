// The output of E-05 in [Yesiloglu 2007, appendix A], as files: plots of every quantity over time,
// stick figures every five seconds, history of the condition number. Files are read back.
#include <Eigen/Dense>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <unistd.h>

#include "tests/reference/posed.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/motion_of.hpp"
#include "tests/support/svg_lines.hpp"
#include "trammel/simulate/recorder.hpp"
#include "trammel/write/plot/plot.hpp"
#include "trammel/write/plot/stick_figure.hpp"
#include "trammel/write/run/csv.hpp"
#include "trammel/write/run/load_run.hpp"

namespace trammel::outputs_test {
namespace {

namespace fs = std::filesystem;

struct Folder {
  Folder() : path(fs::temp_directory_path() / ("trammel-outputs-" + std::to_string(getpid()))) {
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
  }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path / name).rdbuf();
    EXPECT_FALSE(text.str().empty()) << name;
    return text.str();
  }
  fs::path path;
};

// cond(J) of [Yesiloglu 2007]: rotation, x, y of both tips by the rates of the platform and the
// arms, without the load.
class SeedCondition {
 public:
  explicit SeedCondition(const Description& description) : tree_(without_load(description), {}) {
    tree_.state = neutral_state(tree_.model);
  }
  double operator()(std::span<const double> q) {
    tree_.state.q.assign(q.begin(), q.end());
    Eigen::MatrixXd J(6, 9);
    for (int arm = 0; arm < 2; ++arm) {
      FrameRef tip = frame_ref(tree_.model, arm == 0 ? "left3" : "right3");
      tip.X_UA.p = {0.5, 0, 0};
      J.middleRows(3 * arm, 3) = tree_.J(tip, Axes::world).middleRows(2, 3);
    }
    const Eigen::VectorXd values = J.jacobiSvd().singularValues();
    return values[0] / values[5];
  }

 private:
  static Description without_load(Description description) {
    std::erase_if(description.bodies, [](const auto& body) { return body.name == "load"; });
    std::erase_if(description.joints,
                  [](const auto& joint) { return joint.name.ends_with("_grip"); });
    description.inputs.clear();
    return description;
  }
  Posed tree_;
};

// Values of the lines of a plot at its right end, by the marks of the plot.
std::vector<double> last_values(const std::string& svg) {
  const auto after = [&](std::size_t from, const std::string& what) {
    const std::size_t at = svg.find(what, from);
    return at == std::string::npos ? at : at + what.size();
  };
  struct Mark {
    double pixel, value;
  };
  std::vector<Mark> marks;  // lines from the left edge to the right
  for (std::size_t at = after(0, "p-grid\" d=\"M74 "); at != std::string::npos;
       at = after(at, "p-grid\" d=\"M74 ")) {
    const std::size_t text = after(after(at, "<text"), ">");
    const std::string path = svg.substr(at, svg.find('"', at) - at);
    if (path.find('H') == std::string::npos) continue;
    marks.push_back({std::stod(path), std::stod(svg.substr(text, 20))});
  }
  std::vector<double> out;
  EXPECT_GE(marks.size(), 2u);
  if (marks.size() < 2) return out;
  const Mark low = marks.front(), high = marks.back();
  for (std::size_t at = after(0, "p-line\" stroke="); at != std::string::npos;
       at = after(at, "p-line\" stroke=")) {
    const std::size_t begin = after(at, "d=\"");
    const std::string path = svg.substr(begin, svg.find('"', begin) - begin);
    if (path.find('h') != std::string::npos) continue;  // next to a name
    const double pixel = std::stod(path.substr(path.rfind(' ')));
    out.push_back(low.value +
                  (high.value - low.value) * (pixel - low.pixel) / (high.pixel - low.pixel));
  }
  return out;
}

// One plot per unit of the columns whose names begin with `prefix`, as files that are read back.
void expect_plots(const Recording& run, const std::string& prefix, const Folder& folder) {
  std::map<std::string, std::vector<std::string>> by_unit;
  for (const Column& column : run.columns)
    if (column.name.starts_with(prefix)) by_unit[column.unit].push_back(column.name);
  ASSERT_FALSE(by_unit.empty()) << prefix;
  const std::vector<double> time = run.column("time");
  int number = 0;
  for (const auto& [unit, names] : by_unit) {
    std::vector<std::vector<double>> values;
    for (const std::string& name : names) values.push_back(run.column(name));
    std::vector<PlotLine> lines;
    double low = 0, high = 0;
    for (std::size_t k = 0; k < names.size(); ++k) {
      lines.push_back({names[k], values[k]});
      low = std::min(low, std::ranges::min(values[k]));
      high = std::max(high, std::ranges::max(values[k]));
    }
    const std::string file = prefix + std::to_string(++number) + ".svg";
    folder.write(file, plot(time, lines, {.title = prefix, .y_label = "[" + unit + "]"}));
    const std::string svg = folder.read(file);
    const std::vector<double> ends = last_values(svg);
    ASSERT_EQ(ends.size(), names.size()) << prefix;
    for (std::size_t k = 0; k < names.size(); ++k) {
      EXPECT_NE(svg.find(">" + names[k] + "<"), std::string::npos) << names[k];
      // a pixel is less than a hundredth of the axis
      EXPECT_NEAR(ends[k], values[k].back(), 0.01 * (high > low ? high - low : 1)) << names[k];
    }
  }
}

struct Stick {
  Eigen::Vector2d from, to;
};
// Platform, links of 0.5 m and load from the joint angles; angles of the links as drawn in E-05. q
// in the order of [Yesiloglu 2007].
std::vector<Stick> arms_of(const std::vector<double>& q) {
  const double degree = std::acos(-1) / 180;
  const double drawn[2][3] = {{120, 60, 90}, {60, 120, 90}};
  const Eigen::Vector2d platform(q[1], q[2]);
  const auto along = [](double length, double angle) {
    return Eigen::Vector2d(length * std::cos(angle), length * std::sin(angle));
  };
  std::vector<Stick> out;
  Eigen::Vector2d tips[2];
  for (std::size_t arm = 0; arm < 2; ++arm) {
    Eigen::Vector2d end = platform + along(arm == 0 ? -0.3 : 0.3, q[0]);
    out.push_back({platform, end});
    double turned = q[0];
    for (std::size_t k = 0; k < 3; ++k) {
      turned += q[3 + 3 * arm + k];
      const Eigen::Vector2d next = end + along(0.5, turned + drawn[arm][k] * degree);
      out.push_back({end, next});
      end = next;
    }
    tips[arm] = end;
  }
  out.push_back({tips[0], tips[1]});
  return out;
}
// For any order of drawing: scale and shift from all sticks together, then each must be found.
void expect_drawn(const std::string& picture, const std::vector<Stick>& sticks) {
  std::vector<Stick> found;
  for (const SvgLine& line : svg_lines(picture, "body"))
    if (std::hypot(line.x2 - line.x1, line.y2 - line.y1) > 0.5)
      found.push_back({{line.x1, -line.y1}, {line.x2, -line.y2}});  // up the paper
  ASSERT_EQ(found.size(), sticks.size());
  const auto center = [](const std::vector<Stick>& of) {
    Eigen::Vector2d sum(0, 0);
    for (const Stick& stick : of) sum += stick.from + stick.to;
    return Eigen::Vector2d(sum / (2 * double(of.size())));
  };
  const auto size = [&](const std::vector<Stick>& of) {
    double sum = 0;
    for (const Stick& stick : of)
      sum += (stick.from - center(of)).squaredNorm() + (stick.to - center(of)).squaredNorm();
    return std::sqrt(sum);
  };
  const double scale = size(found) / size(sticks);
  EXPECT_GT(scale, 30);
  const auto on_paper = [&](const Eigen::Vector2d& p) {
    return Eigen::Vector2d(center(found) + scale * (p - center(sticks)));
  };
  for (const Stick& stick : sticks) {
    double nearest = 1e9;
    for (const Stick& line : found)
      nearest = std::min(nearest, (line.from - on_paper(stick.from)).norm() +
                                      (line.to - on_paper(stick.to)).norm());
    EXPECT_LT(nearest, 0.3);  // two ends, each written to a tenth of a pixel
  }
}

TEST(yesiloglu_outputs, plots_stick_figures_and_the_condition_number) {
  shows({"Y-64", "Recorder::observe", "plot", "stick_figures"});
  const Folder folder;
  MotionOf motion("e_05");
  Recorder recorder(motion.model, motion.run_inputs,
                    {"positions", "velocities", "accelerations", "efforts", "reactions", "poses",
                     "energy", "condition"});
  RunOptions options;
  options.relative = 1e-10;
  options.absolute = 1e-12;
  options.sample = 0.1;
  options.duration = 200;
  std::vector<Snapshot> pictures;
  const Status status = simulate(
      motion.model, motion.state, motion.run_inputs, options, motion.workspace,
      [&](const State& seen) {
        if (std::abs(std::remainder(seen.time, 5)) < 1e-9) {
          pictures.push_back({Kinematics(motion.model), "t = " + std::to_string(seen.time)});
          if (Status told =
                  kinematics(motion.model, seen, {}, motion.workspace, pictures.back().kinematics);
              !told)
            return told;
        }
        return recorder.observe(seen, motion.workspace);
      },
      motion.statistics);
  ASSERT_TRUE(status.ok()) << status.message();
  // the condition number of [Yesiloglu 2007] next to that of Trammel
  const Recording& all = recorder.recording();
  SeedCondition seed_condition(motion.model.description());
  Recording with = {all.columns, {}};
  with.columns.push_back({"condition.J", "1", "condition"});
  for (std::size_t k = 0; k < all.samples(); ++k) {
    const auto row = all.values.begin() + std::ptrdiff_t(k * all.columns.size());
    with.values.insert(with.values.end(), row, row + std::ptrdiff_t(all.columns.size()));
    with.values.push_back(seed_condition({&*row + 1, 9}));
  }
  folder.write("run.csv", write_csv(with));

  // the table
  const Recording run = load_run((folder.path / "run.csv").string()).recording;
  ASSERT_EQ(run.samples(), 2001u);
  const auto row_at = [](double time) { return std::size_t(std::lround(10 * time)); };
  const auto value = [&](const std::string& name, double time) {
    return run.column(name)[row_at(time)];
  };
  const std::vector<std::string> angles = {"float.turn", "float.x", "float.y", "left1", "left2",
                                           "left3",      "right1",  "right2",  "right3"};
  const std::vector<double> after_20_s = {-0.20178434, 0.03296637,  0.00019608,
                                          -0.0000026,  0.96612744,  -1.25309163,
                                          0.59953645,  -0.00007753, -0.88642571};
  struct RunSnapshot {
    double time;
    std::vector<double> q;
  };
  for (const auto& [time, q] :
       {RunSnapshot{2,
                    {0.0010924, -0.00005122, -0.00062539, -0.00842244, 0.01656709, -0.01212011,
                     0.00333006, -0.00692776, -0.00037777}},
        RunSnapshot{5,
                    {-0.010476124, 0.002493118, -0.003670583, -0.02298973, 0.131717836,
                     -0.152989604, 0.05398538, -0.018269765, -0.079977113}},
        RunSnapshot{20, after_20_s}})
    for (std::size_t k = 0; k < q.size(); ++k)
      EXPECT_NEAR(value("q." + angles[k], time), q[k], 2e-8) << angles[k] << " at " << time;
  // torques rise for five seconds, then end
  for (const char* joint : {"tau.left2", "tau.right3"}) {
    EXPECT_NEAR(value(joint, 4.9), 0.098, 1e-12);
    EXPECT_EQ(value(joint, 5), 0);
  }
  // five to six digits of the energy are published, the load to 1e-3
  EXPECT_NEAR(value("energy.total", 10), 0.00069010433, 1e-9);
  EXPECT_NEAR(value("energy.total", 30), 6.8955e-4, 1e-8);
  EXPECT_NEAR(value("energy.total", 50), 5.3803e-4, 1e-8);
  EXPECT_NEAR(value("energy.total", 100), 5.3734e-4, 1e-8);
  EXPECT_NEAR(value("energy.total", 200), 4.6278e-4, 1e-7);
  EXPECT_NEAR(value("pose.load.x", 100), -0.16800929, 1e-3);
  EXPECT_NEAR(value("pose.load.y", 100), 0.86743065, 1e-3);
  EXPECT_NEAR(value("pose.load.x", 200), 0.0224654, 1e-3);
  EXPECT_NEAR(value("pose.load.y", 200), 1.22726722, 1e-3);
  // rates are derivatives: differences of order four, 0.1 s apart, after the fast motion has
  // decayed
  for (const std::string& joint : angles) {
    const auto slope = [&](const std::string& of) {
      return (8 * (value(of, 20.1) - value(of, 19.9)) - (value(of, 20.2) - value(of, 19.8))) / 1.2;
    };
    EXPECT_NEAR(value("v." + joint, 20), slope("q." + joint), 1e-6) << joint;
    EXPECT_NEAR(value("a." + joint, 20), slope("v." + joint), 1e-6) << joint;
  }
  // wrenches of the hands on the load, just after the end of the torques, in the axes of ground
  const double turned =
      value("q.float.turn", 5) + value("q.left1", 5) + value("q.left2", 5) + value("q.left3", 5);
  const double c = std::cos(turned), s = std::sin(turned);
  const double published[][3] = {{-0.00496115, -0.00706115, -0.08165086},
                                 {0.00370699, 0.00848786, -0.12091799}};
  for (int arm = 0; arm < 2; ++arm) {
    const std::string hand = arm == 0 ? "reaction.left_grip." : "reaction.right_grip.";
    const double x = value(hand + "force.x", 5), y = value(hand + "force.y", 5);
    EXPECT_NEAR(value(hand + "moment.z", 5), published[arm][0], 2e-7);
    EXPECT_NEAR(c * x - s * y, published[arm][1], 2e-7);
    EXPECT_NEAR(s * x + c * y, published[arm][2], 2e-7);
  }
  // condition number: 8.0978611 at first, later between about 8 and 15
  EXPECT_NEAR(value("condition.J", 0), 8.0978611, 5.1e-8);
  const std::vector<double> history = run.column("condition.J"),
                            rows = run.column("condition.rows");
  for (std::size_t k = 0; k < run.samples(); ++k) {
    EXPECT_GT(history[k], 7.5) << 0.1 * double(k);
    EXPECT_LT(history[k], 15.5) << 0.1 * double(k);
    EXPECT_TRUE(rows[k] >= 1 && rows[k] < 100) << rows[k];
  }

  // one plot per quantity: every line, with the value of the table at its right end
  for (const char* prefix : {"q.", "v.", "a.", "tau.", "reaction.left_grip.",
                             "reaction.right_grip.", "energy.", "condition."})
    expect_plots(run, prefix, folder);

  // stick figures every 5 s
  ASSERT_EQ(pictures.size(), 41u);
  const double quarter = std::acos(-1) / 2;
  const StickFigureOptions top{.width = 300,
                               .height = 300,
                               .azimuth = -quarter,
                               .elevation = quarter,
                               .names = false,
                               .shapes = false};
  folder.write("arms.svg", stick_figures(motion.model, pictures, 6, top));
  const std::vector<std::string> drawn = svg_groups(folder.read("arms.svg"));
  ASSERT_EQ(drawn.size(), 41u);
  expect_drawn(drawn[0], arms_of(std::vector<double>(9)));
  expect_drawn(drawn[4], arms_of(after_20_s));
}

}  // namespace
}  // namespace trammel::outputs_test
