// Writes the planes of games into an array with any strides.
#pragma once

#include <vector>

#include "boards.hpp"

namespace connectk::arrays {

// `Element` is an unsigned number as wide as the array's elements.
template <class Element>
class PlanesWriter {
public:
    PlanesWriter(const Shape& shape, const PlanesArray& out)
        : shape_(shape), out_(out), data_(static_cast<Element*>(out.data)), one_(Element(out.one)) {
        if (!is_plain()) buffer_.resize(std::size_t(2 * shape_.width * shape_.height));
    }

    template <class Games>
    void write(const Games& games, std::size_t game) {
        Element* const out = data_ + std::int64_t(game) * out_.strides[0];
        if (is_plain()) return games.planes(game, out, one_);
        games.planes(game, buffer_.data(), one_);
        scatter(out);
    }

private:
    // Whether the planes of one game lie in memory without gaps, in the usual order.
    bool is_plain() const {
        return out_.strides[1] == shape_.height * shape_.width && out_.strides[2] == shape_.width &&
               out_.strides[3] == 1;
    }

    void scatter(Element* out) const {
        const Element* from = buffer_.data();
        for (int plane = 0; plane < 2; ++plane) {
            for (std::int64_t r = 0; r < shape_.height; ++r) {
                Element* const row = out + plane * out_.strides[1] + r * out_.strides[2];
                for (std::int64_t c = 0; c < shape_.width; ++c) row[c * out_.strides[3]] = *from++;
            }
        }
    }

    Shape shape_;
    const PlanesArray& out_;
    Element* data_;
    Element one_;
    std::vector<Element> buffer_;  // one game, if the array is not plain
};

}  // namespace connectk::arrays
