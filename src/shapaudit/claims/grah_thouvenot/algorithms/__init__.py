"""Algorithms and their cost: claims 14 to 17."""

from . import counts, dykstra, dykstra_accuracy, online_variance

MODULES = (dykstra, dykstra_accuracy, online_variance, counts)
