"""An unchanged Kaggle ConnectX agent. It wins if it can; otherwise it plays a random open column.

Kaggle takes the last function of a file, so the agent comes last.
"""

import random


def wins(observation, configuration, column):
    rows, columns = configuration.rows, configuration.columns
    row = max(row for row in range(rows) if observation.board[column + row * columns] == 0)

    def reach(down, right):
        steps, r, c = 0, row + down, column + right
        while 0 <= r < rows and 0 <= c < columns and observation.board[c + r * columns] == observation.mark:
            steps, r, c = steps + 1, r + down, c + right
        return steps

    return any(
        1 + reach(down, right) + reach(-down, -right) >= configuration.inarow
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


def agent(observation, configuration):
    free = [column for column in range(configuration.columns) if observation.board[column] == 0]
    return next((column for column in free if wins(observation, configuration, column)), random.choice(free))
