"""How battles are fought: a battle is data (a list of named steps), each file here one chapter of it."""
