// Plots of the columns of a recording, as pictures and as a page.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trammel/simulate/recorder.hpp"

namespace trammel {

// Columns that match a pattern, in which '*' matches any text: "q.*". The time is not included.
std::vector<std::size_t> columns_like(const Recording& recording, std::string_view pattern);

// Plots of columns over time, one picture (SVG) per unit, in the order of the first column of each
// unit.
std::vector<std::string> recorded_plots(const Recording& recording,
                                        std::span<const std::size_t> columns,
                                        const std::string& title = {});

// Natural magnitude of a column: the largest value of its unit in the recording. 0 for constraint
// violations, whose rounding errors should be visible.
double natural_size(const Recording& recording, std::size_t column);

// Plots of columns over time as one page (HTML) that needs no network and no other file: one plot
// per unit, with linked zoom and cursor. A browser without scripts shows the pictures above; so
// does the page of a build without npm, which states what is missing (report_page_lacks).
std::string plots_page(const Recording& recording, std::span<const std::size_t> columns,
                       const std::string& title = {});

}  // namespace trammel
