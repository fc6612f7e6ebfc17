"""The commands of `connectk`, one module for each. Heavy modules are imported only inside the functions that need
them."""
