"""Readiness: strategies that judge one `Snapshot`, and the chain that combines them."""
