"""Help for tests of campaigns, ours and other people's: positions, people and clocks. Nothing here serves players."""
