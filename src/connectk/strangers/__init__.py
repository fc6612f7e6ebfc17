"""Lets people who do not know each other play: profiles, seeks, pairing, ratings, series, reports."""
