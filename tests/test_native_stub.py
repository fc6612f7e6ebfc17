"""Tests that the type stub describes the compiled module completely and exactly."""

import ast
import inspect
import re
from pathlib import Path

import connectk
from connectk import _native

STUB = ast.parse((Path(connectk.__file__).parent / "_native.pyi").read_text(encoding="utf-8"))


def test_stub_and_module_have_the_same_names():
    """The stub has exactly the functions and classes of the module."""
    assert _names_in(STUB) == _names_of(_native)


def test_stub_and_classes_have_the_same_members():
    """Each class in the stub has exactly the methods and properties of the compiled class."""
    classes = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
    assert classes
    for name, node in classes.items():
        assert _names_in(node) == _names_of(getattr(_native, name)), name


def test_stub_names_the_same_parameters():
    """The stub's parameters equal those of the module."""
    for node in ast.walk(STUB):
        if isinstance(node, ast.FunctionDef) and node in STUB.body:
            assert _parameters(node) == _signature_of(getattr(_native, node.name)), node.name


def test_stub_names_the_same_types():
    """The stub's types equal those that C++ reports. Where C++ has `str`, the stub may list the possible values."""
    checked = 0
    for node in STUB.body:
        for child in node.body if isinstance(node, ast.ClassDef) else ():
            attribute = getattr(getattr(_native, node.name), child.name) if isinstance(child, ast.FunctionDef) else None
            if isinstance(attribute, property) and child.returns:
                doc = inspect.getdoc(attribute.fget) or ""
                assert doc.removeprefix("(self) -> ").replace("connectk._native.", "") == _type_of(child.returns), (
                    f"{node.name}.{child.name}"
                )
                checked += 1
    assert checked > 30


def _type_of(annotation: ast.expr) -> str:
    return re.sub(r"Literal\[[^]]*\]", "str", ast.unparse(annotation))


def _names_in(node: ast.Module | ast.ClassDef) -> set[str]:
    named = (ast.FunctionDef, ast.ClassDef)
    names = {child.name for child in node.body if isinstance(child, named)}
    names |= {child.target.id for child in node.body if isinstance(child, ast.AnnAssign)}
    return {name for name in names if not name.startswith("_")}


def _names_of(thing: object) -> set[str]:
    return {name for name in dir(thing) if not name.startswith("_")}


def _parameters(node: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in [*node.args.args, *node.args.kwonlyargs]]


def _signature_of(function: object) -> list[str]:
    text = (inspect.getdoc(function) or "").splitlines()[0]
    header = ast.parse(f"def {text}: ...").body[0]
    assert isinstance(header, ast.FunctionDef)
    return _parameters(header)
