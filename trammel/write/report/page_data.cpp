#include "trammel/write/report/page_data.hpp"

#include <fmt/format.h>

#include <set>

#include "trammel/model/build/parameters.hpp"
#include "trammel/write/held.hpp"
#include "trammel/write/report/ground.hpp"
#include "trammel/write/report/json_text.hpp"
#include "trammel/write/report/packed_mesh.hpp"
#include "trammel/write/report/plain_page.hpp"
#include "trammel/write/report/scene.hpp"
#include "trammel/write/upright.hpp"

namespace trammel {

namespace {

// Seven numbers per sample; only one sample if the body never moves.
std::string pose_column(const MotionReport& report, std::size_t body) {
  std::vector<float> column;
  column.reserve(7 * report.poses.size());
  for (const std::vector<Pose<double>>& sample : report.poses) {
    const Pose<double>& X = sample[body];
    const Quaternion<double> q = quaternion(X.R);
    for (const double x : {X.p.x, X.p.y, X.p.z, q.x, q.y, q.z, q.w}) column.push_back(float(x));
  }
  bool is_still = !column.empty();
  for (std::size_t k = 7; k < column.size() && is_still; ++k) is_still = column[k] == column[k - 7];
  if (is_still) column.resize(7);
  return json::floats(column);
}

std::string vector_column(const std::vector<Vec3<double>>& vectors) {
  std::vector<float> column;
  column.reserve(3 * vectors.size());
  for (const Vec3<double>& a : vectors)
    for (const double x : {a.x, a.y, a.z}) column.push_back(float(x));
  return json::floats(column);
}

// Names of the joints that are driven: a drive, a motor, an input or a controller acts on them.
std::vector<std::string> driven_joints(const Model& model) {
  const Description& description = model.description();
  std::set<std::string> acted_on;
  const auto add = [&](const auto& items) {
    for (const auto& item : items) acted_on.insert(item.joint);
  };
  add(description.motors), add(description.inputs), add(description.controllers);
  std::vector<std::string> out;
  for (const NamedJoint& joint : model.joints())
    if (joint.drive == Drive::torque || joint.drive == Drive::motion ||
        acted_on.contains(joint.name))
      out.push_back(joint.name);
  return out;
}

std::string fact_list(const std::vector<std::pair<std::string, std::string>>& statistics) {
  return json::list(statistics, [](const auto& fact) {
    return fmt::format("[{},{}]", json::text(fact.first), json::text(fact.second));
  });
}

std::string body_json(const Scene3d::Figure& figure, const std::string& poses) {
  const std::string parts = json::list(figure.parts, [](const Scene3d::Part& part) {
    const std::string color =
        part.color ? json::list(*part.color, [](double x) { return json::number(x); }) : "null";
    return fmt::format(R"({{"kind":{},"size":{},"at":{},"color":{},"mesh":{}}})",
                       json::text(part.kind), json::vector(part.size), json::placement(part.at),
                       color, part.mesh);
  });
  const std::string ellipsoid =
      figure.ellipsoid
          ? fmt::format(R"({{"at":{},"half":{}}})", json::placement(figure.ellipsoid->at),
                        json::vector(figure.ellipsoid->half))
          : "null";
  return fmt::format(
      R"({{"name":{},"facts":{},"shapes":{},"places":{},"com":{},"ellipsoid":{},"poses":{}}})",
      json::text(figure.name), fact_list(figure.statistics), parts,
      json::list(figure.places, [](const Vec3<double>& at) { return json::vector(at); }),
      figure.com ? json::vector(*figure.com) : "null", ellipsoid, poses);
}

std::string mesh_json(const NamedMesh& mesh) {
  const PackedMesh packed = pack_mesh(mesh.mesh);
  return fmt::format(R"({{"file":{},"low":{},"step":{},"points":{},"triangles":{},"leftOut":{}}})",
                     json::text(mesh.file), json::vector(packed.low), json::vector(packed.step),
                     json::column<std::uint16_t>(std::span<const std::uint16_t>(packed.points)),
                     json::column<std::uint32_t>(std::span<const std::uint32_t>(packed.triangles)),
                     packed.left_out);
}

}  // namespace

std::string series_json(const MotionReport::Series& series, double natural) {
  return fmt::format(R"({{"name":{},"unit":{},"group":{},"natural":{},"values":{}}})",
                     json::text(series.name), json::text(series.unit), json::text(series.group),
                     json::number(natural), json::doubles(series.values));
}

std::string page_data(const Model& model, const MotionReport& report) {
  std::vector<std::string> meshes;
  for (const NamedMesh& mesh : report.meshes) meshes.push_back(mesh.file);
  const Scene3d scene = make_scene(model, meshes);
  std::string bodies;
  for (std::size_t k = 0; k < scene.figures.size(); ++k)
    bodies += (k > 0 ? "," : "") + body_json(scene.figures[k], pose_column(report, k));
  const std::string axes = json::list(scene.axes, [](const Scene3d::Axis& axis) {
    return fmt::format(R"({{"joint":{},"body":{},"at":{},"axis":{},"slides":{}}})",
                       json::text(axis.joint), index(axis.body), json::vector(axis.at),
                       json::vector(axis.along), axis.slides);
  });
  const std::string links = json::list(scene.links, [](const Scene3d::Link& link) {
    const std::string ends = json::list(link.ends, [](const Scene3d::End& end) {
      return fmt::format(R"({{"body":{},"at":{}}})", index(end.body), json::vector(end.at));
    });
    return fmt::format(R"({{"name":{},"kind":{},"ends":{}}})", json::text(link.name),
                       json::text(link.kind), ends);
  });
  const std::string frames = json::list(model.frames(), [&](const NamedFrame& frame) {
    const std::size_t k = std::size_t(&frame - model.frames().data());
    return fmt::format(R"({{"name":{},"body":{},"at":{}}})", json::text(frame.name),
                       index(frame.body), json::placement(model.numbers().X_UF[k]));
  });
  const std::string series = json::list(report.series, [&](const MotionReport::Series& one) {
    return series_json(one, natural_size(report, one));
  });
  const std::string arrows = json::list(report.arrows, [](const MotionReport::Arrow& arrow) {
    return fmt::format(R"({{"name":{},"body":{},"at":{},"force":{}}})", json::text(arrow.name),
                       index(arrow.body), vector_column(arrow.at), vector_column(arrow.force));
  });
  const std::string paths = json::list(report.paths, [](const MotionReport::Path& path) {
    return fmt::format(R"({{"name":{},"points":{}}})", json::text(path.name),
                       vector_column(path.points));
  });
  const std::string audit = json::list(report.audit, [](const MotionReport::AuditLine& line) {
    return fmt::format(R"({{"name":{},"value":{},"good":{}}})", json::text(line.name),
                       json::text(line.value), line.good);
  });
  const std::string moments = json::list(report.moments, [](const MotionReport::TimedText& moment) {
    return fmt::format(R"({{"time":{},"text":{}}})", json::number(moment.time),
                       json::text(moment.text));
  });
  return fmt::format(
      R"({{"title":{},"model":{},"length":{},"travels":{},"driven":{},"up":{},"floor":{},"bodies":[{}],"axes":{},"frames":{},"links":{},)"
      R"("terrains":{},"meshes":{},"times":{},"series":{},"arrows":{},"paths":{},"audit":{},"moments":{},"facts":{}}})",
      json::text(report.title), json::text(model.name()),
      json::number(model.characteristic_length()), travels(model),
      json::list(driven_joints(model), [](const std::string& name) { return json::text(name); }),
      json::vector(up_direction(model)), scene.floor ? json::number(*scene.floor) : "null", bodies,
      axes, frames, links, terrain_list(model, report), json::list(report.meshes, mesh_json),
      json::doubles(report.times), series, arrows, paths, audit, moments,
      fact_list(report.statistics));
}

}  // namespace trammel
