"""The use cases and the loops beside them; they reach the world by ports only."""
