#include "trammel/write/report/report.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"
#include "trammel/spatial/rotation.hpp"
#include "trammel/write/report/page_data.hpp"

namespace trammel::report_test {
namespace {

using Json = nlohmann::json;

// Base64 (RFC 4648), and its bytes as numbers of this machine.
std::string bytes_of(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned held = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    held = held << 6 | unsigned(letters.find(c));
    bits += 6;
    if (bits >= 8) out += char(held >> (bits -= 8) & 0xffu);
  }
  return out;
}
template <class Number> std::vector<Number> column(const Json& text) {
  const std::string bytes = bytes_of(text.get<std::string>());
  std::vector<Number> out(bytes.size() / sizeof(Number));
  std::memcpy(out.data(), bytes.data(), out.size() * sizeof(Number));
  return out;
}

// A rod with a shape, and one without that hangs from it.
Model two_rods(const std::string& name = "two rods") {
  Description description(name);
  description.body("upper", thin_rod(1.0, 0.8, {0.4, 0.0, 0.0}));
  Shape shape;
  shape.size = {0.8, 0.1, 0.2};
  shape.at.xyz = {0.4, 0, 0};
  shape.color = {1.0, 0.5, 0.25, 1.0};
  description.bodies.back().shapes = {shape};
  description.body("lower", {3.0, {0.3, 0.0, 0.1}, {0.06, 0.0, 0.0, 0.09, 0.0, 0.12}});
  description.joint("shoulder", JointKind::revolute, "ground", "upper", {.axis = {0, 1, 0}});
  description.joint("elbow", JointKind::prismatic, "upper", "lower",
                    {.at = {{0.8, 0, 0}}, .axis = {2, 0, 0}});
  description.frame("tip", "lower", {{0.6, 0, 0}});
  return build_model(description);
}

MotionReport run_of(const Model& model, int samples) {
  MotionReport report;
  report.title = "a run";
  report.series = {{"q.shoulder", "rad", "positions", {}}};
  report.arrows = {{"shoulder", BodyId{1}, {}, {}}};
  for (int k = 0; k < samples; ++k) {
    const double t = 0.1 * k;
    report.times.push_back(t);
    std::vector<Pose<double>> poses(model.named_bodies().size(), Pose<double>::identity());
    poses[1] = {rotation_rpy(sin_cos(0.1), sin_cos(0.2 + t), sin_cos(0.3)), {t, -2 * t, 0.5}};
    poses[2] = {poses[1].R, {0.25, 1.5, -3 * t}};
    report.poses.push_back(poses);
    report.series[0].values.push_back(1.0 / 3 + t);
    report.arrows[0].at.push_back({t, 0, 1});
    report.arrows[0].force.push_back({0, -10 * t, 5});
  }
  return report;
}

std::string refusal(const Model& model, const MotionReport& report) {
  std::string description;
  try {
    (void)report_page(model, report);
  } catch (const std::invalid_argument& error) { description = error.what(); }
  try {
    (void)plain_report_page(model, report);
    EXPECT_EQ(description, "");
  } catch (const std::invalid_argument& error) { EXPECT_EQ(description, error.what()); }
  return description;
}

TEST(Report, DataComesBackAsItWasGiven) {
  const Model model = two_rods();
  const MotionReport report = run_of(model, 4);
  const Json data = Json::parse(page_data(model, report));
  EXPECT_EQ(data["title"], "a run");
  EXPECT_EQ(data["model"], "two rods");
  EXPECT_EQ(column<double>(data["times"]), report.times);
  EXPECT_EQ(data["series"][0]["name"], "q.shoulder");
  EXPECT_EQ(data["series"][0]["unit"], "rad");
  EXPECT_EQ(data["series"][0]["group"], "positions");
  EXPECT_EQ(column<double>(data["series"][0]["values"]), report.series[0].values);
  ASSERT_EQ(data["bodies"].size(), 3u);
  for (std::size_t i = 1; i < 3; ++i) {
    const std::vector<float> poses = column<float>(data["bodies"][i]["poses"]);
    ASSERT_EQ(poses.size(), 28u);
    for (std::size_t k = 0; k < 4; ++k) {
      const float* const at = poses.data() + 7 * k;
      const Mat3<double> R = rotation(Quaternion<double>{at[6], at[3], at[4], at[5]});
      const Pose<double>& X = report.poses[k][i];
      const double close = 1e-6;  // single precision, of numbers near 1
      EXPECT_LT(norm(Vec3<double>{at[0], at[1], at[2]} - X.p), close);
      EXPECT_LT(norm(R.x - X.R.x) + norm(R.y - X.R.y) + norm(R.z - X.R.z), 10 * close);
    }
  }
  EXPECT_EQ(column<float>(data["bodies"][0]["poses"]), (std::vector<float>{0, 0, 0, 0, 0, 0, 1}))
      << "what never moves is told once";
  EXPECT_EQ(data["arrows"][0]["body"], 1);
  EXPECT_EQ(column<float>(data["arrows"][0]["force"]),
            (std::vector<float>{0, -0.f, 5, 0, -1, 5, 0, -2, 5, 0, float(-10 * 0.1 * 3), 5}));
}

TEST(Report, DrawsShapesOrElseSticksAndTheEllipsoidOfInertia) {
  const Model model = two_rods();
  const Json data = Json::parse(page_data(model, run_of(model, 1)));
  const Json &upper = data["bodies"][1], &lower = data["bodies"][2];
  ASSERT_EQ(upper["shapes"].size(), 1u);
  EXPECT_EQ(upper["shapes"][0]["kind"], "box");
  EXPECT_EQ(upper["shapes"][0]["size"], Json({0.8, 0.1, 0.2}));
  EXPECT_EQ(upper["shapes"][0]["at"], Json({0.4, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0}));
  EXPECT_EQ(upper["shapes"][0]["color"], Json({1.0, 0.5, 0.25, 1.0}));
  EXPECT_EQ(upper["places"], Json::parse("[[0,0,0],[0.8,0,0]]"));
  EXPECT_EQ(lower["shapes"].size(), 0u);
  EXPECT_EQ(lower["places"], Json::parse("[[0,0,0],[0.6,0,0]]")) << "the joint, then the frame";
  EXPECT_EQ(lower["com"], Json({0.3, 0.0, 0.1}));

  // a solid ellipsoid has the moments m (b^2 + c^2) / 5, m (a^2 + c^2) / 5, m (a^2 + b^2) / 5
  const Json& half = lower["ellipsoid"]["half"];
  const Json& turn = lower["ellipsoid"]["at"];
  const Mat3<double> R = rotation(Quaternion<double>{turn[6], turn[3], turn[4], turn[5]});
  const double a = half[0], b = half[1], c = half[2], m = 3;
  const SymMat3<double> principal{m / 5 * (b * b + c * c), 0, 0,
                                  m / 5 * (a * a + c * c), 0, m / 5 * (a * a + b * b)};
  const SymMat3<double> I = rotate(R, principal);
  EXPECT_NEAR(I.xx, 0.06, 1e-12);
  EXPECT_NEAR(I.yy, 0.09, 1e-12);
  EXPECT_NEAR(I.zz, 0.12, 1e-12);
  EXPECT_NEAR(I.xy, 0, 1e-12);

  ASSERT_EQ(data["axes"].size(), 2u);
  EXPECT_EQ(data["axes"][0]["axis"], Json({0.0, 1.0, 0.0}));
  EXPECT_EQ(data["axes"][0]["slides"], false);
  EXPECT_EQ(data["axes"][1]["axis"], Json({1.0, 0.0, 0.0}));
  EXPECT_EQ(data["axes"][1]["slides"], true);
}

TEST(Report, SpringsAndRodsAreDrawnBetweenTheirBodies) {
  Description description("held");
  description.body("rod", thin_rod(1.0, 1.0, {0.5, 0.0, 0.0}));
  description.body("hook", point_mass(1.0));
  description.joint("pivot", JointKind::revolute, "ground", "rod", {.axis = {0, 1, 0}});
  description.joint("weld", JointKind::fixed, "rod", "hook", {.at = {{1, 0, 0}}});
  description.frame("post", "ground", {{0, 0, 2}});
  description.frame("ring", "hook",
                    {{0, 0, 0.25}});  // merged with the rod, and still in its own frame
  SpringDescription spring;
  spring.name = "strut", spring.frame = "post", spring.other_frame = "ring";
  spring.stiffness = 1.0, spring.length = 1.0;
  description.springs = {spring};
  const Model model = build_model(description);
  const Json data = Json::parse(page_data(model, {}));
  ASSERT_EQ(data["links"].size(), 1u);
  EXPECT_EQ(data["links"][0]["kind"], "spring");
  Json ends = data["links"][0]["ends"];
  if (ends[0]["body"] != 0) std::swap(ends[0], ends[1]);
  EXPECT_EQ(ends[0]["at"], Json({0.0, 0.0, 2.0}));
  EXPECT_EQ(ends[1]["body"], 2);
  EXPECT_EQ(ends[1]["at"], Json({0.0, 0.0, 0.25}));
}

TEST(Report, NamesCannotBreakOutOfThePage) {
  const std::string evil = "</script><!--\"\\\n\x01 Größe Ω";
  const Model model = two_rods(evil);
  MotionReport report = run_of(model, 2);
  report.title = evil;
  report.series[0] = {evil, evil, evil, {1, 2}};
  report.arrows[0].name = evil;
  report.audit = {{evil, evil, false}};
  report.moments = {{0.1, evil}};
  report.statistics = {{evil, evil}};
  const std::string text = page_data(model, report);
  EXPECT_EQ(text.find('<'), std::string::npos);
  const Json data = Json::parse(text);
  EXPECT_EQ(data["title"], evil);
  EXPECT_EQ(data["model"], evil);
  EXPECT_EQ(data["series"][0]["group"], evil);
  EXPECT_EQ(data["arrows"][0]["name"], evil);
  EXPECT_EQ(data["audit"][0]["value"], evil);
  EXPECT_EQ(data["moments"][0]["text"], evil);
  EXPECT_EQ(data["facts"][0][1], evil);
  EXPECT_EQ(plain_report_page(model, report).find("<!--"), std::string::npos);
  EXPECT_EQ(plain_report_page(model, report).find("</script"), std::string::npos);
}

TEST(Report, NumbersThatAreNotFiniteAreGapsInSeriesAndRefusedElsewhere) {
  const Model model = two_rods();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  MotionReport report = run_of(model, 3);
  report.series[0].values[1] = nan;
  EXPECT_EQ(refusal(model, report), "");
  const Json data = Json::parse(page_data(model, report));
  EXPECT_TRUE(std::isnan(column<double>(data["series"][0]["values"])[1]));
  report.poses[2][1].p.x = nan;
  EXPECT_EQ(refusal(model, report),
            "report: poses[2] of body 'upper' is not finite: end the samples before it");
  report = run_of(model, 3);
  report.times[2] = nan;
  EXPECT_EQ(refusal(model, report), "report: times[2] is not finite");
  report = run_of(model, 3);
  report.arrows[0].force[1].z = nan;
  EXPECT_EQ(refusal(model, report), "report: arrow 'shoulder' is not finite at sample 1");
  report = run_of(model, 3);
  report.moments = {{nan, "impact"}};
  EXPECT_EQ(refusal(model, report), "report: the time of 'impact' is not finite");
}

TEST(Report, ListsOfOtherLengthsAreRefusedByName) {
  const Model model = two_rods();
  const auto with = [&](auto change) {
    MotionReport report = run_of(model, 3);
    change(report);
    return refusal(model, report);
  };
  EXPECT_EQ(with([](MotionReport& r) { r.series[0].values.pop_back(); }),
            "report: series 'q.shoulder' has 2 entries for 3 times: give one a sample");
  EXPECT_EQ(with([](MotionReport& r) { r.poses.pop_back(); }),
            "report: poses has 2 entries for 3 times: give one a sample");
  EXPECT_EQ(with([](MotionReport& r) { r.poses[1].pop_back(); }),
            "report: poses[1] has 2 entries, but model 'two rods' has 3 bodies, ground among them");
  EXPECT_EQ(with([](MotionReport& r) { r.arrows[0].at.pop_back(); }),
            "report: arrow 'shoulder' (at) has 2 entries for 3 times: give one a sample");
  EXPECT_EQ(with([](MotionReport& r) { r.arrows[0].body = BodyId{7}; }),
            "report: arrow 'shoulder' is on body 7, but there are 3");
  EXPECT_EQ(with([](MotionReport& r) { r.times[2] = 0.05; }),
            "report: times[2] = 0.05 s lies before times[1] = 0.1 s: sort the samples");
  EXPECT_EQ(with([](MotionReport& r) { r.times[2] = r.times[1]; }), "")
      << "before and after an impact";
}

TEST(Report, ThePageHasTheDataOrSaysWhatItLacks) {
  const Model model = two_rods();
  const MotionReport report = run_of(model, 3);
  const std::string page = report_page(model, report), plain = plain_report_page(model, report);
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_EQ(page.find("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'") !=
                std::string::npos,
            true)
      << "nothing is loaded from anywhere";
  if (report_page_lacks().empty())
    EXPECT_NE(page.find(page_data(model, report)), std::string::npos);
  else
    EXPECT_NE(page.find("because " + report_page_lacks()), std::string::npos);
  EXPECT_NE(plain.find(">q.shoulder<"), std::string::npos);
  EXPECT_EQ(plain.find("<script"), std::string::npos);
}

TEST(Report, EmptyReportsArePagesToo) {
  const Model model = two_rods();
  EXPECT_EQ(refusal(model, {}), "");
  EXPECT_EQ(refusal(model, run_of(model, 1)), "");
}

TEST(Report, TenThousandSamplesOfTwentyBodiesStaySmall) {
  Description description("chain");
  std::string parent = "ground";
  for (int k = 1; k < 20; ++k) {
    const std::string name = "b" + std::to_string(k);
    description.body(name, thin_rod(1.0, 1.0));
    description.joint("j" + std::to_string(k), JointKind::revolute, parent, name);
    parent = name;
  }
  const Model model = build_model(description);
  MotionReport report;
  for (int k = 0; k < 10000; ++k) {
    report.times.push_back(1e-3 * k);
    report.poses.emplace_back(20, Pose<double>{Mat3<double>::identity(), {0.1 * k, 0, 0}});
  }
  report.series.assign(40, {"q", "rad", "positions", std::vector<double>(10000, 0.1)});
  EXPECT_LT(report_page(model, report).size(), 15'000'000u);
}

}  // namespace
}  // namespace trammel::report_test
