"""Installs again what a new image lacks; a person starts it in Agent Zero's list of plugins."""

from hooks import install

install()
