// Columns of a recording as pictures, and as a page of plots.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trammel/simulate/recorder.hpp"

namespace trammel {

// Which columns a pattern means; '*' stands for anything: "q.*". The time is none of them.
std::vector<std::size_t> columns_like(const Recording& recording, std::string_view pattern);

// The columns over time, a picture (SVG) for each unit, in the order in which the units come.
std::vector<std::string> recorded_plots(const Recording& recording,
                                        std::span<const std::size_t> columns,
                                        const std::string& title = {});

// How large the numbers of a column are by nature: the largest of its unit in the recording. 0 of
// gaps, whose rounding is what one wants to see.
double natural_size(const Recording& recording, std::size_t column);

// The columns over time as one page (HTML) that needs no network and no other file: a plot for each
// unit, zoomed and read with the pointer, all at once. A browser without scripts shows the pictures
// above; so does the page of a build without npm, which says what it lacks (report_page_lacks).
std::string plots_page(const Recording& recording, std::span<const std::size_t> columns,
                       const std::string& title = {});

}  // namespace trammel
