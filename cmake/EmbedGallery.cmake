# Writes the models of the gallery into one source file: cmake -D output=FILE -D root=DIR -P this.
# The title of a model is the first line of its file, without the comment sign. A line "# Plain name: rolling_disk"
# below it gives a model of a coded name (the number of an example) a second, descriptive one.
file(GLOB models ${root}/*/*.toml ${root}/*/*/*.toml)
set(entries "")
foreach(model IN LISTS models)
  cmake_path(GET model STEM name)
  cmake_path(RELATIVE_PATH model BASE_DIRECTORY ${root} OUTPUT_VARIABLE file)
  file(READ ${model} text)
  string(REGEX MATCH "^# *([^\n]*)" line "${text}")
  set(title "${CMAKE_MATCH_1}")
  set(plain_name "")
  if(text MATCHES "\n# Plain name:")
    if(NOT text MATCHES "^[^\n]*\n# Plain name: ([a-z][a-z0-9_]*)\n")
      message(FATAL_ERROR "${model}:2: write '# Plain name: small_letters_and_2_digits' in the second line")
    endif()
    set(plain_name "${CMAKE_MATCH_1}")
  endif()
  string(APPEND entries "    {R\"~(${name})~\", R\"~(${file})~\", R\"~(${title})~\",\n     R\"~(${text})~\",\n"
         "     R\"~(${plain_name})~\"},\n")
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
