"""What was said and done, for ever: events, their hash tree, their storage, the inbox and the outbox."""
