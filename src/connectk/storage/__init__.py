"""Stores matches and rooms in an SQL database: SQLite or PostgreSQL."""
