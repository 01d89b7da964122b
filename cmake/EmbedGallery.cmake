# Writes the models of the gallery into one source file: cmake -D output=FILE -D root=DIR -P this.
# The title of a model is the first line of its file, without the comment sign.
file(GLOB models ${root}/*/*.toml ${root}/*/*/*.toml)
set(entries "")
foreach(model IN LISTS models)
  cmake_path(GET model STEM name)
  cmake_path(RELATIVE_PATH model BASE_DIRECTORY ${root} OUTPUT_VARIABLE file)
  file(READ ${model} text)
  string(REGEX MATCH "^# *([^\n]*)" line "${text}")
  set(title "${CMAKE_MATCH_1}")
  string(APPEND entries "    {R\"~(${name})~\", R\"~(${file})~\", R\"~(${title})~\",\n     R\"~(${text})~\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [[
// Made from the folder models/ by cmake/EmbedGallery.cmake.
#include "trammel/read/gallery.hpp"

#include <array>

namespace trammel {

namespace {
constexpr GalleryModel models[] = {
@entries@};
}

std::span<const GalleryModel> gallery() { return models; }

}  // namespace trammel
]])
