#include "motion_page.hpp"

#include "trammel/read/mesh/mesh.hpp"

namespace trammel::cli {

std::string motion_page(const Model& model, MotionReport report, const ModelOptions& options,
                        const Terminal& terminal) {
  if (const std::string lacks = report_page_lacks(); !lacks.empty()) {
    terminal.note("the page is a plain one: " + lacks);
    return report_page(model, report);
  }
  Diagnostics warnings;
  report.meshes = load_meshes(model, options.read_options().packages, warnings);
  for (const Diagnostic& warning : warnings.list()) terminal.report(warning);
  return report_page(model, report);
}

}  // namespace trammel::cli
