"""The rules of the table: pure, deterministic, without clock, chance or I/O."""
