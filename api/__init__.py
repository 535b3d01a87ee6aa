"""The HTTP face, the command line, and the one place that wires it all."""
