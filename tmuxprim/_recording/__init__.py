"""What a real session did, written down, played back to unit tests, and shown in a browser."""
