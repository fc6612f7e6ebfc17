// An opening book in memory: the file's bytes as they are, and small tables that say how to read them.
#pragma once

#include <cassert>
#include <memory>
#include <optional>
#include <utility>

#include "chain.hpp"
#include "format.hpp"
#include "predictor.hpp"
#include "prefix_code.hpp"
#include "probe.hpp"
#include "ribbon.hpp"

namespace connectk::book {

class Book {
public:
    explicit Book(std::vector<std::uint8_t> file) : file_(std::move(file)) {
        ByteReader in(file_);
        header_ = read_header(file_, in);
        if (!fits(variant())) throw_or_abort<BookError>("the opening book is of a board that cannot be");
        shape_ = Shape(variant());
        fours_ = FourWindows(shape_);
        read_contexts(in);
        read_codes(in);
        read_shards(in);
    }

    Book(const Book&) = delete;  // the tables point into the bytes
    Book& operator=(const Book&) = delete;

    Variant variant() const { return {header_.width, header_.height, header_.run}; }
    const Shape& shape() const { return shape_; }
    const Header& header() const { return header_; }

    // The exact score for the side to move. Nothing if the book does not have the position: too many discs, a finished
    // game, or a board that no order of drops leads to.
    std::optional<int> score(const Discs& position) const {
        if (position.count() > header_.discs || !shape_.can_show(position.mover, position.all())) return std::nullopt;
        if (has_line(shape_, position.mover) || has_line(shape_, position.other)) return std::nullopt;
        if (!reachable_by_play(position)) return std::nullopt;
        const auto stored = [this](const Discs& quiet) { return lookup(quiet); };
        return Probe(shape_, header_.discs, stored).score(position);
    }

    // The stored score of a quiet position at the end of a chain from a stored layer; a meaningless number for any
    // other position.
    int lookup(const Discs& quiet) const {
        const std::uint64_t hash = mix(canonical_key(shape_, quiet) + key_salt);
        const Shard& shard = shards_[scale(hash, shards_.size())];
        assert(shard.length >= ribbon_width && shard.at + (shard.length + 7) / 8 + padding_bytes < file_.size());
        const std::uint8_t* bits = file_.data() + shard.at;
        const PrefixCode& code = codes_[static_cast<std::size_t>(contexts_.of(fours_, quiet))];
        const int symbol =
            code.decode([&](int i) { return ribbon_bit(bits, equation_of(hash, i, shard.seed, shard.length)); });
        const int for_first = header_.lowest + symbol;
        return quiet.count() % 2 ? -for_first : for_first;
    }

private:
    static constexpr std::uint32_t max_cuts = 255;  // the most cuts of each kind, as contexts are counted in 16 bits

    struct Shard {
        std::size_t at;
        std::uint32_t length;
        std::uint32_t seed;
    };

    void read_contexts(ByteReader& in) {
        if (header_.weights != 0 && header_.weights != fours_.weight_count()) throw_damaged();
        if (header_.score_cuts > max_cuts || header_.spread_cuts > max_cuts) throw_damaged();
        const std::uint32_t cuts[2] = {header_.score_cuts, header_.spread_cuts};
        Predictor* predictors[2] = {&contexts_.score, &contexts_.spread};
        for (int g = 0; g < 2; ++g) {
            predictors[g]->bias = static_cast<std::int32_t>(in.signed_number(4));
            for (std::uint32_t i = 0; i < cuts[g]; ++i)
                predictors[g]->cuts.push_back(static_cast<std::int32_t>(in.signed_number(4)));
            const auto raw = in.take(header_.weights);
            predictors[g]->weights = {reinterpret_cast<const std::int8_t*>(raw.data()), raw.size()};
        }
        if (header_.weights == 0 && contexts_.count() != 1) throw_damaged();
    }

    void read_codes(ByteReader& in) {
        const std::size_t symbols = static_cast<std::size_t>(header_.symbols);
        const std::size_t tables = static_cast<std::size_t>(contexts_.count());
        const auto packed = in.take((tables * symbols + 1) / 2);
        std::vector<std::uint8_t> lengths(symbols);
        for (std::size_t t = 0; t < tables; ++t) {
            for (std::size_t s = 0; s < symbols; ++s) {
                const std::size_t at = t * symbols + s;
                lengths[s] = (packed[at / 2] >> (at % 2 * 4)) & 15;
            }
            codes_.emplace_back(lengths.data(), header_.symbols);
        }
    }

    void read_shards(ByteReader& in) {
        if (header_.shards == 0) throw_damaged();
        for (std::uint32_t i = 0; i < header_.shards; ++i) {
            const auto length = static_cast<std::uint32_t>(in.number(4));
            shards_.push_back({0, length & 0xffffffu, length >> 24});
        }
        for (Shard& shard : shards_) {
            if (shard.length < ribbon_width) throw_damaged();
            shard.at = in.at();
            in.take((shard.length + 7) / 8);
        }
        in.take(padding_bytes + sizeof(std::uint64_t));
    }

    [[noreturn]] static void throw_damaged() {
        throw_or_abort<BookError>("the opening book is damaged: its tables do not fit");
    }

    std::vector<std::uint8_t> file_;
    Header header_;
    Shape shape_;
    FourWindows fours_{Shape(1, 1, 1)};
    Contexts contexts_;
    std::vector<PrefixCode> codes_;
    std::vector<Shard> shards_;
};

}  // namespace connectk::book
