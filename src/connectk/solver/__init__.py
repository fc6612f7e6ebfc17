"""Exact scores."""
