"""The rules: the kernel and one package per game. No I/O, no clock, no randomness, no asyncio."""
