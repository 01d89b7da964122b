// Generates the mechanism of a table from its rows.
#pragma once

#include "trammel/read/table/rows.hpp"

namespace trammel {

void add_dh_rows(TableNotation notation, const Table& table, Description& description,
                 Diagnostics& diagnostics);
void add_sdof_rows(const Table& table, Description& description, Diagnostics& diagnostics);
void add_chain_rows(const Table& table, Description& description, Diagnostics& diagnostics);
void add_platform_rows(const Table& table, Description& description, Diagnostics& diagnostics);

}  // namespace trammel
