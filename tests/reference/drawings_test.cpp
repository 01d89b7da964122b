// Drawings of the source documents: the free robot from above [Gutenkunst 2012, figure 5.9], the
// closed chain as sticks [van der Merwe 1995, sections 7.1 and 9.1]. Pictures are read back and
// compared with plain trigonometry of published joint angles.
#include <cmath>
#include <numbers>

#include "tests/support/capability.hpp"
#include "tests/support/motion_of.hpp"
#include "tests/support/svg_lines.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/simulate/checks/audit.hpp"
#include "trammel/simulate/recorder.hpp"
#include "trammel/write/plot/stick_figure.hpp"
#include "trammel/write/report/report.hpp"
#include "trammel/write/report/run_report.hpp"

namespace trammel::drawings_test {
namespace {

// written to a tenth of a pixel: 0.05, and its effect on the scale
constexpr double a_tenth = 0.11;

struct Point {
  double right, up;
};
// Sticks end to end, without those of zero length.
void expect_sticks(const std::string& picture, const std::vector<Point>& ends, Drawn& drawn) {
  std::vector<SvgLine> sticks = svg_lines(picture, "body");
  std::erase_if(sticks, [](const SvgLine& line) {
    return std::hypot(line.x2 - line.x1, line.y2 - line.y1) < 0.5;
  });
  ASSERT_EQ(sticks.size() + 1, ends.size());
  for (std::size_t k = 0; k < sticks.size(); ++k) {
    drawn.add(ends[k].right, ends[k].up, sticks[k].x1, sticks[k].y1);
    drawn.add(ends[k + 1].right, ends[k + 1].up, sticks[k].x2, sticks[k].y2);
  }
}
Snapshot snapshot(MotionOf& motion) {
  Snapshot picture{Kinematics(motion.model), "t = " + std::to_string(motion.state.time)};
  EXPECT_TRUE(
      kinematics(motion.model, motion.state, {}, motion.workspace, picture.kinematics).ok());
  return picture;
}

// G-EX5: slides along y and z, then three rods of 1 m that turn about x.
std::vector<Point> rods(const std::vector<double>& q) {
  std::vector<Point> ends = {{q[0], q[1]}};
  double angle = 0;
  for (std::size_t k = 2; k < 5; ++k) {
    angle += q[k];
    ends.push_back({ends.back().right + std::cos(angle), ends.back().up + std::sin(angle)});
  }
  return ends;
}

TEST(reference_drawings, the_free_robot_from_above) {
  shows({"G-52", "stick_figures", "report_page"});
  // its plane is that of y and z: the view along x is the view from above
  const StickFigureOptions above{
      .width = 400, .height = 400, .azimuth = 0, .elevation = 0, .shapes = false};
  const double times[] = {0, 1, 5, 10};
  const std::vector<double> published[] = {
      {0, 0, 0, 0.3, -0.5},
      {0.164504187, 0.124228698, -0.364275963, 1.089067051, -1.094863820},
      {2.198821535, -0.293031468, -3.125487103, 5.156795689, -2.211114284},
      {1.080869102, -0.263612331, -5.325638097, 9.744837867, -3.280410239}};
  MotionOf motion("g_ex5");
  RunReport report(motion.model, motion.run_inputs);
  Recorder recorder(motion.model, motion.run_inputs, {"positions"});
  Audit audit(motion.model, motion.run_inputs);
  std::vector<Snapshot> pictures;
  for (const double time : times) {
    motion.at(time);
    pictures.push_back(snapshot(motion));
    ASSERT_TRUE(report.observe(motion.state, motion.workspace).ok());
    ASSERT_TRUE(recorder.observe(motion.state, motion.workspace).ok());
    ASSERT_TRUE(audit.observe(motion.state, motion.workspace).ok());
  }

  const std::vector<std::string> drawn_pictures =
      svg_groups(stick_figures(motion.model, pictures, 2, above));
  ASSERT_EQ(drawn_pictures.size(), 4u);
  Drawn drawn;
  for (std::size_t k = 0; k < 4; ++k) expect_sticks(drawn_pictures[k], rods(published[k]), drawn);
  EXPECT_LT(drawn.worst(), a_tenth);
  EXPECT_GT(drawn.scale, 30);

  // and as a moving report page: modules at their computed positions
  const MotionReport page =
      report.finish(recorder.recording(), audit, MotionOf::precise(), motion.statistics);
  ASSERT_EQ(page.times, std::vector<double>(std::begin(times), std::end(times)));
  for (std::size_t k = 0; k < 4; ++k) {
    const std::vector<Point> ends = rods(published[k]);
    for (std::size_t i = 0; i < 3; ++i) {
      const BodyId body = *motion.model.find_body("module" + std::to_string(i + 2));
      const Pose<double>& X = page.poses[k][std::size_t(index(body))];
      EXPECT_NEAR(X.p.y, ends[i].right, 1e-7);
      EXPECT_NEAR(X.p.z, ends[i].up, 1e-7);
      const Vec3<double> far = X * Vec3<double>{0, 1, 0};
      EXPECT_NEAR(far.y, ends[i + 1].right, 1e-7);
      EXPECT_NEAR(far.z, ends[i + 1].up, 1e-7);
    }
  }
  EXPECT_NE(report_page(motion.model, page).find("free robot in a plane"), std::string::npos);
}

// ME-3: links of 2, 1, 1, 1 m, turning about y: along z, x, z, x when all angles are zero.
std::vector<Point> links(const std::vector<double>& q) {
  const double length[] = {2, 1, 1, 1};
  std::vector<Point> ends = {{0, 0}};
  double angle = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    angle += q[k];
    const double c = length[k] * std::cos(angle), s = length[k] * std::sin(angle);
    const Point along = k % 2 == 0 ? Point{s, c} : Point{c, -s};
    ends.push_back({ends.back().right + along.right, ends.back().up + along.up});
  }
  return ends;
}

TEST(reference_drawings, the_closed_chain_as_sticks) {
  shows({"M-68", "stick_figure", "stick_figures"});
  const double quarter = std::numbers::pi / 2;
  const StickFigureOptions front{.azimuth = -quarter, .elevation = 0, .shapes = false};
  // where links begin and end: drawn at rest, and hanging in the end
  const std::vector<Point> start = {{0, 0}, {0, 2}, {1, 2}, {1, 3}, {2, 3}},
                           end = {{0, 0}, {2, 0}, {2, 1}, {2, 2}, {2, 3}};
  MotionOf motion("me_3");
  for (const auto& [q, ends] : {std::pair{std::vector<double>{0, 0, 0, 0}, start},
                                {{quarter, -2 * quarter, quarter, -quarter}, end}}) {
    motion.state.q = q;
    const std::string sketch = stick_figure(motion.model, snapshot(motion).kinematics, front);
    Drawn drawn;
    expect_sticks(sketch, ends, drawn);
    // and the joint symbols, also of the loop joint
    const std::string sign = "<circle class=\"joint\" ";
    std::size_t k = 0;
    for (std::size_t at = sketch.find(sign); at != std::string::npos;
         at = sketch.find(sign, at + 1), ++k) {
      double x = 0, y = 0;
      ASSERT_EQ(std::sscanf(sketch.c_str() + at + sign.size(), "cx=\"%lf\" cy=\"%lf\"", &x, &y), 2);
      ASSERT_LT(k, 5u);
      drawn.add(ends[k].right, ends[k].up, x, y);
    }
    EXPECT_EQ(k, 5u);
    EXPECT_LT(drawn.worst(), a_tenth);
    EXPECT_GT(drawn.scale, 50);
    for (const char* name : {"joint1", "joint2", "joint3", "joint4"})
      EXPECT_NE(sketch.find(name), std::string::npos);
  }

  // in motion, with friction: six decimals of the angles are published
  MotionOf moving("me_3b");
  std::vector<Snapshot> pictures;
  for (const double time : {0.5, 1.0, 1.5, 2.0}) {
    moving.at(time);
    pictures.push_back(snapshot(moving));
  }
  const std::vector<double> published[] = {{0.111977, 0.551825, 0.190768, -2.188592},
                                           {0.812893, -0.614709, -0.072957, -2.287856},
                                           {1.275384, -3.747147, 2.865125, -1.455200},
                                           {1.037403, -3.782140, 3.337500, -1.467169}};
  const std::vector<std::string> series =
      svg_groups(stick_figures(moving.model, pictures, 4, front));
  ASSERT_EQ(series.size(), 4u);
  Drawn drawn;
  for (std::size_t k = 0; k < 4; ++k) {
    const std::vector<Point> ends = links(published[k]);
    EXPECT_NEAR(ends[4].right, 2, 1e-5);  // the tip is fixed
    EXPECT_NEAR(ends[4].up, 3, 1e-5);
    expect_sticks(series[k], ends, drawn);
  }
  EXPECT_LT(drawn.worst(), a_tenth);
}

}  // namespace
}  // namespace trammel::drawings_test
