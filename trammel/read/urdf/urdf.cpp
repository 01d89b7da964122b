#include "trammel/read/urdf.hpp"

namespace trammel {

Description read_urdf(const Source& source, const ReadOptions&, Diagnostics& diagnostics) {
  diagnostics.error({source.name, 0, 0}, "this format is not read yet");
  return Description{};
}

}  // namespace trammel
