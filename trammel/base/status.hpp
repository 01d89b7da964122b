// Result of a public call that can fail for numerical reasons: a singular inertia, a state that is
// not finite, a constraint that cannot be satisfied.
#pragma once

#include <string>
#include <utility>

namespace trammel {

class [[nodiscard]] Status {
 public:
  Status() = default;  // success; costs nothing
  static Status failure(std::string message) {
    Status status;
    status.message_ = std::move(message);
    return status;
  }

  bool ok() const { return message_.empty(); }
  explicit operator bool() const { return ok(); }
  const std::string& message() const { return message_; }  // the object, the fact, the next step

 private:
  std::string message_;
};

}  // namespace trammel
