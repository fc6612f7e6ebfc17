"""The commands of `connectk`, one module each. Heavy imports are inside the command functions."""
