// Writes the bytes of a book from positions and their scores.
#pragma once

#include <cassert>
#include <cstdlib>
#include <span>

#include "book.hpp"
#include "enumerate.hpp"
#include "train.hpp"

namespace connectk::book {

// The canonical keys of the quiet positions at the ends of the chains of all open positions with `discs` discs,
// ascending. A book of this depth stores the scores of these positions.
inline std::vector<Bits> frontier(const Shape& shape, int discs) {
    std::vector<Bits> keys;
    for (Bits key : open_positions(shape, discs)) {
        const ChainEnd end = follow_chain(shape, from_key(shape, key));
        if (!end.decided) keys.push_back(canonical_key(shape, end.quiet));
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
}

inline int find_score(const Shape& shape, const std::vector<Entry>& entries, const Discs& quiet) {
    const Bits key = canonical_key(shape, quiet);
    const auto at =
        std::lower_bound(entries.begin(), entries.end(), key, [](const Entry& e, Bits k) { return e.key < k; });
    if (at == entries.end() || at->key != key) throw_or_abort<std::logic_error>("a position of the book has no score");
    return at->score;
}

// Adds the layers above the deepest layer, which follow from it with a search of at most four plies.
inline std::vector<Entry> add_upper_layers(const Shape& shape, int discs, std::vector<Entry> entries) {
    for (int layer = discs - layer_step; layer >= 0; layer -= layer_step) {
        const auto known = [&](const Discs& quiet) { return find_score(shape, entries, quiet); };
        Probe probe(shape, discs, known);
        std::vector<Entry> more;
        for (Bits key : open_positions(shape, layer)) {
            const ChainEnd end = follow_chain(shape, from_key(shape, key));
            if (end.decided) continue;
            const int score = probe.score_from_next_layer(from_key(shape, key));
            more.push_back(
                {canonical_key(shape, end.quiet), static_cast<std::int8_t>(end.replies % 2 ? -score : score)});
        }
        entries.insert(entries.end(), more.begin(), more.end());
        std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
        const auto same = [](const Entry& a, const Entry& b) { return a.key == b.key; };
        entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
    }
    return entries;
}

// One stored position before it is packed: the place of its equations and their values.
struct EncodedEntry {
    std::uint64_t hash;
    PrefixCode::Word word;
};

constexpr std::size_t shard_bits = 8192;
constexpr int seeds = 256;

struct PackedShard {
    std::uint32_t length, seed;
    std::vector<std::uint8_t> bits;
};

// Tries seeds until the equations can be solved; rarely, when no seed works, tries a longer string.
inline PackedShard pack_shard(std::span<const EncodedEntry> coded) {
    std::size_t equations = 0;
    for (const EncodedEntry& c : coded) equations += static_cast<std::size_t>(c.word.bits);
    const std::size_t tight = std::max<std::size_t>(equations + equations / 128, ribbon_width);
    for (std::size_t length = tight;; length += 64)
        for (std::uint32_t seed = 0; seed < seeds; ++seed) {
            RibbonSolver solver(static_cast<std::uint32_t>(length));
            bool solved = true;
            for (const EncodedEntry& c : coded)
                for (int i = 0; i < c.word.bits && solved; ++i)
                    solved =
                        solver.add(equation_of(c.hash, i, seed, static_cast<std::uint32_t>(length)), c.word.bit(i));
            assert(length >> 24 == 0);  // the seed is written to the bits above the length
            if (solved) return {static_cast<std::uint32_t>(length), seed, solver.solution()};
        }
}

inline std::vector<PackedShard> pack_shards(std::vector<EncodedEntry>& coded) {
    std::size_t bits = 0;
    for (const EncodedEntry& c : coded) bits += static_cast<std::size_t>(c.word.bits);
    const std::size_t shards = bits / shard_bits + 1;
    std::sort(coded.begin(), coded.end(), [](const EncodedEntry& a, const EncodedEntry& b) { return a.hash < b.hash; });
    std::vector<PackedShard> packed;
    std::size_t from = 0;
    for (std::size_t s = 0; s < shards; ++s) {
        std::size_t to = from;
        while (to < coded.size() && scale(coded[to].hash, shards) == s) ++to;
        packed.push_back(pack_shard(std::span(coded).subspan(from, to - from)));
        from = to;
    }
    assert(from == coded.size());
    return packed;
}

// The tables that are needed to read the bits.
struct Plan {
    FittedContexts fitted;
    Header header;
    std::vector<std::uint8_t> lengths;  // code lengths, contexts x symbols
    std::vector<std::uint16_t> context_of;
};

inline void make_plan(const Shape& shape, int discs, const std::vector<Entry>& entries, Plan& plan) {
    const FourWindows fours(shape);
    fit_contexts(shape, fours, entries, plan.fitted);
    const Contexts& contexts = plan.fitted.contexts;
    const int most = win_score(shape, 1);
    plan.header = {shape.width,
                   shape.height,
                   shape.run,
                   discs,
                   2 * most + 1,
                   -most,
                   static_cast<std::uint32_t>(contexts.score.cuts.size()),
                   static_cast<std::uint32_t>(contexts.spread.cuts.size()),
                   static_cast<std::uint32_t>(plan.fitted.score_weights.size()),
                   0,
                   entries.size(),
                   0};
    const std::size_t symbols = static_cast<std::size_t>(plan.header.symbols);
    std::vector<std::vector<std::uint64_t>> counts(static_cast<std::size_t>(contexts.count()),
                                                   std::vector<std::uint64_t>(symbols));
    for (const Entry& entry : entries) {
        const Discs position = from_key(shape, entry.key);
        const int for_first = position.count() % 2 ? -entry.score : entry.score;
        if (std::abs(for_first) > most) throw_or_abort<std::invalid_argument>("a score that no game on this board has");
        plan.context_of.push_back(static_cast<std::uint16_t>(contexts.of(fours, position)));
        ++counts[plan.context_of.back()][static_cast<std::size_t>(for_first + most)];
    }
    for (auto& table : counts) {
        const auto lengths = code_lengths(std::move(table));
        plan.lengths.insert(plan.lengths.end(), lengths.begin(), lengths.end());
    }
}

inline std::vector<EncodedEntry> encode(const Shape& shape, const std::vector<Entry>& entries, const Plan& plan) {
    std::vector<PrefixCode> codes;
    for (std::size_t at = 0; at < plan.lengths.size(); at += static_cast<std::size_t>(plan.header.symbols))
        codes.emplace_back(plan.lengths.data() + at, plan.header.symbols);
    std::vector<EncodedEntry> coded;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const int discs = from_key(shape, entries[i].key).count();
        const int symbol = (discs % 2 ? -entries[i].score : entries[i].score) - plan.header.lowest;
        coded.push_back({mix(entries[i].key + key_salt), codes[plan.context_of[i]].encode(symbol)});
    }
    return coded;
}

inline void write_tables(ByteWriter& out, const Plan& plan) {
    const Predictor* predictors[2] = {&plan.fitted.contexts.score, &plan.fitted.contexts.spread};
    for (const Predictor* guess : predictors) {
        out.signed_number(guess->bias, 4);
        for (std::int32_t cut : guess->cuts) out.signed_number(cut, 4);
        for (std::int8_t weight : guess->weights) out.signed_number(weight, 1);
    }
    for (std::size_t i = 0; i < plan.lengths.size(); i += 2) {
        const unsigned next = i + 1 < plan.lengths.size() ? plan.lengths[i + 1] : 0u;
        out.number(plan.lengths[i] | next << 4, 1);
    }
}

// Looks up every entry in the finished book and compares the scores.
inline void check_book(const Book& book, const std::vector<Entry>& entries) {
    for (const Entry& entry : entries)
        if (book.lookup(from_key(book.shape(), entry.key)) != entry.score)
            throw_or_abort<std::logic_error>("the book does not give back what it was made from");
}

// The bytes of a book of depth `discs`; `deepest` holds the scores of the frontier, ascending by key.
inline std::vector<std::uint8_t> write_book(const Shape& shape, int discs, std::vector<Entry> deepest) {
    const std::vector<Entry> entries = add_upper_layers(shape, discs, std::move(deepest));
    Plan plan;
    make_plan(shape, discs, entries, plan);
    std::vector<EncodedEntry> coded = encode(shape, entries, plan);
    const std::vector<PackedShard> shards = pack_shards(coded);
    plan.header.shards = static_cast<std::uint32_t>(shards.size());
    ByteWriter out;
    write_header(out, plan.header);
    write_tables(out, plan);
    for (const PackedShard& shard : shards) out.number(shard.length | shard.seed << 24, 4);
    for (const PackedShard& shard : shards) out.append(shard.bits);
    out.number(0, static_cast<int>(padding_bytes));
    out.overwrite(Header::file_size_at, out.size() + 8, 8);
    out.number(checksum(out.bytes()), 8);
    check_book(Book(out.bytes()), entries);
    return std::move(out.bytes());
}

}  // namespace connectk::book
