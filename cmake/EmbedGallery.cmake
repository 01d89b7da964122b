# Writes the models of the gallery into one source file: cmake -D output=FILE -D root=DIR -P this.
# The title of a model is the first line of its file, without the comment sign. Below it stand, in this order:
#   # Plain name: rolling_disk     descriptive name of a model whose file is named after an example
#   # Other names: a, b            optional
#   # Topics: loops, spatial       topics of `trammel examples --topic`
file(GLOB models ${root}/*/*.toml ${root}/*/*/*.toml)
set(entries "")
foreach(model IN LISTS models)
  cmake_path(GET model STEM name)
  cmake_path(RELATIVE_PATH model BASE_DIRECTORY ${root} OUTPUT_VARIABLE file)
  file(READ ${model} text)
  string(REGEX MATCH "^# *([^\n]*)" line "${text}")
  set(title "${CMAKE_MATCH_1}")
  set(name_rule "[a-z][a-z0-9_]*")
  if(NOT text MATCHES
     "^[^\n]*\n(# Plain name: (${name_rule})\n)?(# Other names: ([a-z0-9_, ]+)\n)?# Topics: ([a-z, ]+)\n")
    message(FATAL_ERROR "${model}: below the title write '# Plain name: small_letters_and_2_digits' (if the file is named "
                        "after an example), '# Other names: a, b' (optional), '# Topics: loops, spatial'")
  endif()
  set(plain_name "${CMAKE_MATCH_2}")
  string(REPLACE "," "" other_names "${CMAKE_MATCH_4}")
  string(REPLACE "," "" topics "${CMAKE_MATCH_5}")
  string(APPEND entries "    {R\"~(${name})~\", R\"~(${file})~\", R\"~(${title})~\",\n     R\"~(${text})~\",\n"
         "     R\"~(${plain_name})~\", R\"~(${other_names})~\", R\"~(${topics})~\"},\n")
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
