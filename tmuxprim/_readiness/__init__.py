"""Readiness: strategies that judge one `Look`, and the chain that combines them."""
