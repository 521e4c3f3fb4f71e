"""The tool with which a language model drives panes; `tmuxprim.tool` shows it."""
