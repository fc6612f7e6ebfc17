#include "line_search.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

namespace connectk {

namespace {

constexpr std::size_t word_bits = 64;

// Computes into = from & (other >> shift) on strings of bits, lowest first. `into` may be `from` or `other`. Returns
// whether any bit is left.
bool and_shifted(std::span<std::uint64_t> into, std::span<const std::uint64_t> from,
                 std::span<const std::uint64_t> other, std::size_t shift) {
    assert(into.size() <= from.size());
    const std::size_t skip = std::min(shift / word_bits, other.size());
    const unsigned bits = shift % word_bits;
    const std::span<const std::uint64_t> rest = other.subspan(skip);
    const std::size_t whole = std::min(into.size(), std::max<std::size_t>(rest.size(), 1) - 1);
    std::uint64_t left = 0;
    // The higher word is shifted in two steps because a shift by 64 is undefined.
    for (std::size_t i = 0; i < whole; ++i)
        left |= into[i] = from[i] & (rest[i] >> bits | rest[i + 1] << 1 << (word_bits - 1 - bits));
    for (std::size_t i = whole; i < into.size(); ++i) left |= into[i] = i < rest.size() ? from[i] & rest[i] >> bits : 0;
    return left != 0;
}

}  // namespace

template <class Place>
LineSearch<Place>::LineSearch(const Placement<Place>& placement, std::size_t tallest, std::uint64_t run)
    : placement_(placement), tallest_(tallest), run_(run) {
    assert(run >= 1);
    constexpr std::size_t affordable_bits_a_drop = 64;
    const std::size_t stride = tallest + 1;
    const std::size_t max_bits = affordable_bits_a_drop * (placement.places.size() + word_bits);
    packed_ = stride <= max_bits / std::max<std::size_t>(placement.width, 1);
    packed_ ? lay_out_packed(stride) : lay_out_ragged();
    next_ = start_;
    runs_.resize(discs_[0].size());
}

template <class Place>
void LineSearch<Place>::lay_out_packed(std::size_t stride) {
    start_.resize(placement_.width + 1);
    for (std::size_t column = 0; column < start_.size(); ++column) start_[column] = column * stride;
    for (auto& discs : discs_) discs.resize(start_.back() / word_bits + 1);
}

template <class Place>
void LineSearch<Place>::lay_out_ragged() {
    start_.resize(placement_.width + 1);
    for (const Place place : placement_.places)
        if (place != placement_.irrelevant) ++start_[place - placement_.base];
    std::size_t bits = 0;
    for (std::size_t& entry : start_) {
        const std::size_t height = entry;
        entry = bits;
        bits += (height + word_bits - 1) / word_bits * word_bits;
    }
    for (auto& discs : discs_) discs.resize(bits / word_bits);
}

template <class Place>
std::optional<Win> LineSearch<Place>::first_win() {
    std::size_t without = 0, with = placement_.places.size();  // after so many drops there is no line, a line
    play_until(with);
    if (!line_exists()) return std::nullopt;
    // Testing a few drops one by one takes as long as looking at the whole board once.
    assert(with > 0);
    const std::size_t few_drops = discs_[0].size() / (run_ + 4);
    std::size_t next = with - 1;  // a game usually ends with its win, so look there first
    while (with - without > 1 + few_drops) {
        play_until(next);
        (line_exists() ? with : without) = next;
        next = without + (with - without) / 2;
    }
    play_until(without);
    std::vector<CellBeside> cells;
    while (cells.empty()) {
        assert(played_ < with);
        play_until(played_ + 1);
        cells = lines_through_last_drop();
    }
    return Win{played_ - 1, std::move(cells)};
}

template <class Place>
void LineSearch<Place>::play_until(std::size_t drops) {
    while (played_ < drops) play(played_++);
    while (played_ > drops) take_back(--played_);
}

template <class Place>
void LineSearch<Place>::play(std::size_t drop) {
    const Place place = placement_.places[drop];
    if (place == placement_.irrelevant) return;
    const std::size_t column = place - placement_.base, bit = next_[column]++;
    assert(column < placement_.width && bit < start_[column + 1]);
    discs_[drop % 2][bit / word_bits] |= std::uint64_t{1} << bit % word_bits;
}

template <class Place>
void LineSearch<Place>::take_back(std::size_t drop) {
    const Place place = placement_.places[drop];
    if (place == placement_.irrelevant) return;
    const std::size_t column = place - placement_.base, bit = --next_[column];
    assert(bit >= start_[column] && (discs_[drop % 2][bit / word_bits] >> bit % word_bits & 1));
    discs_[drop % 2][bit / word_bits] &= ~(std::uint64_t{1} << bit % word_bits);
}

template <class Place>
bool LineSearch<Place>::line_exists() {
    for (const Direction direction : directions) {
        if (direction.rows != 0 && run_ > tallest_) continue;
        if (direction.columns != 0 && run_ > placement_.width) continue;
        if (line_exists(0, direction) || line_exists(1, direction)) return true;
    }
    return false;
}

// Runs of 1 are the discs themselves. A run of n and a run of m that starts n cells further make a run of n + m.
template <class Place>
bool LineSearch<Place>::line_exists(int side, Direction direction) {
    const std::vector<std::uint64_t>& discs = discs_[side];
    if (run_ == 1) return std::any_of(discs.begin(), discs.end(), [](std::uint64_t word) { return word != 0; });
    bool any = true;
    for (std::size_t length = 1; any && length < run_;) {
        const std::size_t more = std::min<std::size_t>(length, run_ - length);
        const std::vector<std::uint64_t>& shorter = length == 1 ? discs : runs_;
        any = packed_ ? join_runs(shorter, direction, more) : join_ragged_runs(shorter, direction, more);
        length += more;
    }
    return any;
}

template <class Place>
bool LineSearch<Place>::join_runs(const std::vector<std::uint64_t>& shorter, Direction direction,
                                  std::size_t distance) {
    const std::size_t step = direction.columns * (tallest_ + 1) + direction.rows;
    return and_shifted(runs_, shorter, shorter, distance * step);
}

// Works column by column, away from the columns that are still to be read, because `shorter` may be runs_ itself.
template <class Place>
bool LineSearch<Place>::join_ragged_runs(const std::vector<std::uint64_t>& shorter, Direction direction,
                                         std::size_t distance) {
    const bool falling = direction.rows < 0;  // a falling line is followed from its lower end, up and to the left
    const std::size_t right = direction.columns * distance;
    const std::size_t up = direction.rows == 0 ? 0 : distance;
    const std::span<const std::uint64_t> all(shorter);
    const auto words_of = [&](std::size_t column, auto words) {
        return words.subspan(start_[column] / word_bits, (start_[column + 1] - start_[column]) / word_bits);
    };
    bool any = false;
    for (std::size_t i = 0; i < placement_.width; ++i) {
        const std::size_t column = falling ? placement_.width - 1 - i : i;
        const bool inside = falling ? column >= right : column + right < placement_.width;
        const std::size_t beside = falling ? column - right : column + right;
        const auto into = words_of(column, std::span(runs_));
        const auto other = inside ? words_of(beside, all) : std::span<const std::uint64_t>();
        any |= and_shifted(into, words_of(column, all), other, up);
    }
    return any;
}

template <class Place>
std::vector<CellBeside> LineSearch<Place>::lines_through_last_drop() const {
    assert(played_ > 0);
    const Place place = placement_.places[played_ - 1];
    if (place == placement_.irrelevant) return {};
    const auto column = static_cast<std::ptrdiff_t>(place - placement_.base);
    const auto row = static_cast<std::ptrdiff_t>(next_[column] - start_[column]) - 1;
    std::set<CellBeside> cells;
    for (const Direction direction : directions) {
        const std::ptrdiff_t ahead = reach(column, row, direction);
        const std::ptrdiff_t behind = reach(column, row, {-direction.columns, -direction.rows});
        if (static_cast<std::uint64_t>(behind + 1 + ahead) < run_) continue;
        for (std::ptrdiff_t step = -behind; step <= ahead; ++step)
            cells.insert({step * direction.columns, row + step * direction.rows});
    }
    return {cells.begin(), cells.end()};
}

template <class Place>
std::ptrdiff_t LineSearch<Place>::reach(std::ptrdiff_t column, std::ptrdiff_t row, Direction direction) const {
    std::ptrdiff_t steps = 0;
    while (is_last_players(column + (steps + 1) * direction.columns, row + (steps + 1) * direction.rows)) ++steps;
    return steps;
}

template <class Place>
bool LineSearch<Place>::is_last_players(std::ptrdiff_t column, std::ptrdiff_t row) const {
    if (column < 0 || column >= static_cast<std::ptrdiff_t>(placement_.width) || row < 0) return false;
    const std::size_t bit = start_[column] + static_cast<std::size_t>(row);
    return bit < next_[column] && (discs_[(played_ - 1) % 2][bit / word_bits] >> bit % word_bits & 1) != 0;
}

template class LineSearch<std::uint32_t>;
template class LineSearch<std::uint64_t>;

}  // namespace connectk
