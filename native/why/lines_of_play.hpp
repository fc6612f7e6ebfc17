// What happens on a page in every line of play: the rival tries each drop, and the keeper does as the page says.
// Statements about a page are checked against the result.
#pragma once

#include <utility>
#include <vector>

#include "explain.hpp"
#include "tables.hpp"

namespace connectk::why {

// The end of a line of play that the keeper wins: the rival's last disc, and the cells where the keeper may then win.
struct Ending {
    int last = -1;  // -1 if the keeper wins before the rival drops
    Bits wins{0};

    bool operator==(const Ending&) const = default;
};

struct LinesOfPlay {
    Bits keeper{0}, rival{0};     // where each side drops in some line of play, without discs that complete a line
    Bits wins{0};                 // the cells where the keeper may complete a line in some line of play
    std::vector<Ending> endings;  // the different endings, each listed once
    std::vector<Bits> lost;       // the rival's discs of positions in which the keeper completes a line next
    std::vector<std::pair<int, KeeperBoard<Bits>>> continued;  // the next pages; the keeper is to move

    // Adds the lines of play of a page that continues this page.
    void add(const LinesOfPlay& other);

    // Whether some line of play ends with the rival's disc beneath this cell and the keeper's win in the cell, while in
    // no line of play the rival gets the cell or the keeper drops beneath it. Discs that complete a line do not count
    // as such drops.
    bool ends_beneath(int threat) const;

    // Whether some line of play ends with the rival's disc beneath this cell and the keeper's win in the cell.
    bool can_end_beneath(int threat) const;
};

// Plays all lines on this page. The rival is to move, but on a page with a force the keeper is.
LinesOfPlay play_out(const Sizes<Bits>& g, const Page& page, const Answers& answers, const KeeperBoard<Bits>& start);

}  // namespace connectk::why
