"""A call that the tool cannot make sense of."""


class MisuseError(Exception):
    """A call that nobody can carry out; its message tells a model what is valid."""
