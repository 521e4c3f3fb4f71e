"""The contract that every terminal keeps, as tests for any backend."""
