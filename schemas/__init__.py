"""The shapes of what comes in and goes out as JSON; they know the order model, and neither rules nor transport."""
