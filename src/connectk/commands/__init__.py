"""The commands of `connectk`, one module each; heavy imports happen inside the command."""
