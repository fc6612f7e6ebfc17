"""Thinking for the server in processes of its own: jobs, the processes that do them, and a fair queue before these."""
