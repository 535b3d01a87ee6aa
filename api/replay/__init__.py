"""Recorded games in the terminal, scene by scene."""
