#include <array>

#include "command.hpp"

namespace trammel::cli {

// in the order of the help
std::span<const CommandEntry> commands() {
  static constexpr std::array table{
      CommandEntry{"check", make_check},
      CommandEntry{"info", make_info},
      CommandEntry{"eval", make_eval},
      CommandEntry{"simulate", make_simulate},
      CommandEntry{"recover", make_recover},
      CommandEntry{"inverse", make_inverse},
      CommandEntry{"linearize", make_linearize},
      CommandEntry{"design", make_design},
      CommandEntry{"view", make_view},
      CommandEntry{"plot", make_plot},
      CommandEntry{"snapshot", make_snapshot},
      CommandEntry{"convert", make_convert},
      CommandEntry{"generate", make_generate},
      CommandEntry{"examples", make_examples},
      CommandEntry{"completion", make_completion},
  };
  return table;
}

}  // namespace trammel::cli
