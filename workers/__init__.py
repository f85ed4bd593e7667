"""The processes that do the service's work in the background; jobs carry ids only, the log is the truth."""
