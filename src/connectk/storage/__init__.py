"""Matches in SQL: one store, two kinds of database."""
