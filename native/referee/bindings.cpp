// The referee for Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "../python.hpp"
#include "referee.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace connectk {

namespace {

nb::object offence_as_tuple(const std::optional<Offence>& offence) {
    if (!offence) return nb::none();
    return nb::make_tuple(static_cast<int>(offence->code), offence->line);
}

nb::object win_as_tuple(const std::optional<WinningDrop>& win) {
    if (!win) return nb::none();
    nb::list cells;
    for (const CellBeside& cell : win->cells) cells.append(nb::make_tuple(cell.columns_right, cell.row));
    return nb::make_tuple(win->side, win->line, win->column, cells);
}

nb::tuple as_tuple(const Verdict& verdict) {
    return nb::make_tuple(static_cast<int>(verdict.code), verdict.moves, offence_as_tuple(verdict.offence),
                          offence_as_tuple(verdict.first_offence), win_as_tuple(verdict.win));
}

}  // namespace

void bind_referee(nb::module_& m) {
    m.def(
        "judge",
        [](const nb::bytes& data) {
            Verdict verdict;
            {
                nb::gil_scoped_release release;
                verdict = judge({data.c_str(), data.size()});
            }
            return as_tuple(verdict);
        },
        "data"_a);
    m.def(
        "judge_files",
        [](const std::vector<nb::bytes>& paths) {
            std::vector<std::string> names;
            for (const nb::bytes& path : paths) names.emplace_back(path.c_str(), path.size());
            std::vector<Verdict> verdicts;
            {
                nb::gil_scoped_release release;
                for (const std::string& name : names) verdicts.push_back(judge_file(name));
            }
            nb::list tuples;
            for (const Verdict& verdict : verdicts) tuples.append(as_tuple(verdict));
            return tuples;
        },
        "paths"_a);
}

}  // namespace connectk
