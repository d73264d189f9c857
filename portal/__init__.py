"""The owner portal of the City of Benson, Minnesota, under chapter 90 of the city code."""
