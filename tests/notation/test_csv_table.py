"""Writes tables for spreadsheets."""

import csv
import io

import pytest

from connectk.notation.csv_table import write_csv


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\uff1d1+1", "\uff20x"])
def test_no_name_is_taken_for_a_formula(name):
    """A CSV cell that begins like a formula gets a quote before it, even if it has full-width signs or leading
    spaces."""
    [_, row] = csv.reader(io.StringIO(write_csv(["name"], [[name]]).decode("utf-8-sig"), newline=""))
    assert row == [f"'{name}"]


def test_numbers_and_plain_names_are_written_as_they_are():
    data = write_csv(["name", "points"], [["Åsa, 7B", -0.5]])
    assert data == b'\xef\xbb\xbfname,points\r\n"\xc3\x85sa, 7B",-0.5\r\n'


def test_in_languages_with_a_decimal_comma_cells_are_separated_by_semicolons():
    """In a language with a decimal comma, CSV cells are separated by semicolons. Otherwise a Finnish spreadsheet would
    read one column, and 25.1 as a date."""
    data = write_csv(["name", "accuracy", "games"], [["Åsa, 7.B", 25.1, 3]], "fi")
    assert data.decode("utf-8-sig") == "name;accuracy;games\r\nÅsa, 7.B;25,1;3\r\n"
