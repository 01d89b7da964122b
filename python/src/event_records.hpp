// The events of a run as named tuples.
#pragma once

#include <vector>

#include "records.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel::python {

inline py::list to_python(const std::vector<EventRecord>& events) {
  py::list list;
  for (const EventRecord& event : events)
    list.append(record("EventRecord", event.time, event.what, event.lost));
  return list;
}

}  // namespace trammel::python
