"""Measuring the server: `make bench`. One run measures all sides in turns."""
