"""What is fitted to coalitions and their complements, as `auto` and others combine it."""
