"""The only room that calls a model: text goes out and comes in over HTTP; it knows neither vault nor store."""
