"""The MCP server; `tmuxprim.mcp` shows it."""
