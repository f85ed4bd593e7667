"""What opponents may do between the combat moves and combat: kamikaze strikes, scrambles, interceptions."""
