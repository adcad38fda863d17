"""Shared by `test_languages` and other tests: language."""


def language(name: str) -> str:
    return f"; try {{ localStorage.setItem('herald.language', '{name}') }} catch {{}}"
