// The search with a network for Python: it hands out leaves and takes their evaluations.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>

#include "../python.hpp"
#include "tree_search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace connectk {

namespace {

using network::TreeSearch;
using Rows = nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Planes = nb::ndarray<float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
using Masks = nb::ndarray<bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Logits = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Columns = nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Visits = nb::ndarray<std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Policies = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

class PyTreeSearch {
public:
    PyTreeSearch(const Variant& variant, const Rows& bits, const network::SearchSettings& settings)
        : variant_(variant),
          boards_(bits.shape(0)),
          search_(network::make_tree_search(variant, bits.data(), boards_, settings)) {}

    std::size_t collect(Planes planes, Masks masks) {
        require(leaves_ == 0, "the leaves before have no values yet");
        const std::size_t room = planes.shape(0);
        require(room > 0 && masks.shape(0) == room && fits(planes.shape(1), 2) &&
                    fits(planes.shape(2), variant_.height) && fits(planes.shape(3), variant_.width) &&
                    fits(masks.shape(1), variant_.width),
                "the arrays for leaves have the wrong shape");
        float* const to = planes.data();
        bool* const open = masks.data();
        nb::gil_scoped_release without_python;
        return leaves_ = search_->collect(room, to, open);
    }

    bool is_done() const { return search_->is_done(); }

    void apply(const Values& values, const Logits& logits) {
        require(values.shape(0) == leaves_ && logits.shape(0) == leaves_ && fits(logits.shape(1), variant_.width),
                "an evaluator returns one value for each leaf, and one number for each of its columns");
        for (std::size_t i = 0; i < leaves_; ++i)
            require(std::abs(values.data()[i]) <= 1, "an evaluator's values lie from -1 to 1");
        for (std::size_t i = 0; i < leaves_ * std::size_t(variant_.width); ++i)
            require(std::isfinite(logits.data()[i]), "an evaluator's policies are finite numbers: logits");
        const float *value = values.data(), *logit = logits.data();
        nb::gil_scoped_release without_python;
        search_->apply(value, logit);
        leaves_ = 0;
    }

    void result(Columns columns, Visits visits, Policies policies, Numbers values) const {
        require(columns.shape(0) == boards_ && visits.shape(0) == boards_ && policies.shape(0) == boards_ &&
                    values.shape(0) == boards_ && fits(visits.shape(1), variant_.width) &&
                    fits(policies.shape(1), variant_.width),
                "the arrays for results have the wrong shape");
        search_->result({columns.data(), visits.data(), policies.data(), values.data()});
    }

    std::size_t simulations() const { return search_->simulations(); }

private:
    static void require(bool holds, const char* sentence) {
        if (!holds) throw nb::value_error(sentence);
    }
    static bool fits(std::size_t size, int wanted) { return size == std::size_t(wanted); }

    Variant variant_;
    std::size_t boards_, leaves_ = 0;
    std::unique_ptr<TreeSearch> search_;
};

}  // namespace

void bind_network(nb::module_& m) {
    nb::class_<PyTreeSearch>(m, "TreeSearch")
        .def(
            "__init__",
            [](PyTreeSearch* self, int width, int height, int run, const Rows& bits, int simulations,
               double exploration, int considered, std::uint64_t seed) {
                const Variant variant{width, height, run};
                const std::size_t words = width * (height + 1) <= 64 ? 1 : 2;
                if (!supported(variant) || bits.shape(1) != 2 * words)
                    throw nb::value_error("the bits have the wrong shape");
                new (self) PyTreeSearch(variant, bits, {simulations, exploration, considered, seed});
            },
            "width"_a, "height"_a, "run"_a, "bits"_a, nb::kw_only(), "simulations"_a, "exploration"_a, "considered"_a,
            "seed"_a)
        .def("collect", &PyTreeSearch::collect, "planes"_a.noconvert(), "masks"_a.noconvert())
        .def("apply", &PyTreeSearch::apply, "values"_a, "policies"_a)
        .def("result", &PyTreeSearch::result, "columns"_a.noconvert(), "visits"_a.noconvert(), "policies"_a.noconvert(),
             "values"_a.noconvert())
        .def_prop_ro("is_done", &PyTreeSearch::is_done)
        .def_prop_ro("simulations", &PyTreeSearch::simulations);
}

}  // namespace connectk
