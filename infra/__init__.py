"""Adapters to the world outside: databases, embedded servers, settings, clocks."""
