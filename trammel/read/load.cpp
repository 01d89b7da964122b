#include "trammel/read/load.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/read/gallery.hpp"
#include "trammel/read/source.hpp"
#include "trammel/read/table/table.hpp"
#include "trammel/read/toml/model_reader.hpp"
#include "trammel/read/urdf/urdf.hpp"

namespace trammel {

namespace {

bool looks_like_xml(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '<';
}

Description read(const Source& source, const ReadOptions& options, Diagnostics& diagnostics) {
  if (source.name.ends_with(".csv")) return read_vehicle(source, options, diagnostics);
  const bool is_toml = source.name.ends_with(".toml");
  if (source.name.ends_with(".urdf") || (!is_toml && looks_like_xml(source.text)))
    return urdf::read_description(source, options, diagnostics);
  return toml::read_description(source, options, diagnostics);
}

// "@double_pendulum"
Description read_from_gallery(const std::string& path, const ReadOptions& options,
                              Diagnostics& diagnostics) {
  const std::string name = path.substr(1);
  if (const GalleryModel* model = find_in_gallery(name))
    return toml::read_description({path, std::string(model->text)}, options, diagnostics);

  const std::optional<std::string> meant = suggest(name, gallery_names());
  diagnostics.error({}, fmt::format("the gallery has no model '{}'", shortened(name)),
                    meant ? fmt::format("did you mean '@{}'?", *meant)
                          : "'trammel examples' lists them; a file whose name begins with @ is "
                            "given as ./@name");
  return Description{};
}

}  // namespace

Description read_description(const std::string& path, const ReadOptions& options,
                             Diagnostics& diagnostics) {
  if (path.starts_with('@')) return read_from_gallery(path, options, diagnostics);
  const std::optional<Source> source = open_source(path, diagnostics);
  return source ? read(*source, options, diagnostics) : Description{};
}

Description read_description(const std::string& name, std::string text, const ReadOptions& options,
                             Diagnostics& diagnostics) {
  const Source source{name, std::move(text)};
  return check_text(source, diagnostics) ? read(source, options, diagnostics) : Description{};
}

Model load_model(const std::string& path, const ReadOptions& options) {
  Diagnostics diagnostics;
  Description description = read_description(path, options, diagnostics);
  return build_model(std::move(description), std::move(diagnostics), options.build);
}

}  // namespace trammel
