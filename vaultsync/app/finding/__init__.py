"""Reading it all back: search, show, climb, and how things stand."""
