"""A call that the tool cannot make sense of."""


class MisuseError(Exception):
    """A call that cannot be carried out; its message teaches a model a valid one."""
