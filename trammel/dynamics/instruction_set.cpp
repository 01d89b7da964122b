#include <cstdlib>
#include <string_view>

#include "trammel/dynamics/kernel/dispatch/table.hpp"

#define TRAMMEL_JOIN(a, b) a##b
#define TRAMMEL_ENTRY(isa) TRAMMEL_JOIN(trammel_kernels_, isa)
extern "C" const trammel::kernel::Table* TRAMMEL_ENTRY(TRAMMEL_ISA)();
#ifdef TRAMMEL_WIDE_KERNELS
extern "C" const trammel::kernel::Table* trammel_kernels_avx2();
extern "C" const trammel::kernel::Table* trammel_kernels_avx512();
#endif

namespace trammel::kernel {

namespace {

const Table& choose() {
#ifdef TRAMMEL_WIDE_KERNELS
  const char* variable = std::getenv("TRAMMEL_ISA");
  const std::string_view wanted = variable != nullptr ? variable : "";
  const bool may_avx512 = wanted.empty() || wanted == "avx512";
  const bool may_avx2 = may_avx512 || wanted == "avx2";
  // the parts of x86-64-v3 and -v4 that compilers use in such code
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") &&
                          __builtin_cpu_supports("avx512vl") &&
                          __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd");
  if (may_avx512 && has_avx512) return *trammel_kernels_avx512();
  if (may_avx2 && has_avx2) return *trammel_kernels_avx2();
#endif
  return *TRAMMEL_ENTRY(TRAMMEL_ISA)();
}

}  // namespace

const Table& kernels() {
  static const Table& chosen = choose();
  return chosen;
}

}  // namespace trammel::kernel
