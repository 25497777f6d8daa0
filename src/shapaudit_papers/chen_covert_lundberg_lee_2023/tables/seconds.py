"""Seconds of a fit and of an explanation, by method of Table 1.

Written by benchmarks/methods.py; do not edit by hand.
"""

SECONDS = {
    "ApproSemivalue": (0.000217, 0.000122),
    "L-Shapley": (0.00015, 0.000136),
    "C-Shapley": (0.000154, 0.000122),
    "ApproShapley": (0.000202, 0.000148),
    "IME": (0.000267, 0.00129),
    "CES": (0.000308, 0.000365),
    "Shapley cohort refinement": (0.00045, 0.000214),
    "Generative model": (0.0593, 0.000775),
    "Surrogate model": (0.015, 0.000306),
    "Multilinear extension sampling": (0.000295, 0.00052),
    "SGD-Shapley": (0.000195, 0.000134),
    "KernelSHAP": (0.000285, 0.000711),
    "Parametric KernelSHAP": (0.000409, 0.000657),
    "Nonparametric KernelSHAP": (0.000539, 0.000637),
    "FastSHAP": (0.0386, 0.000186),
    "LinearSHAP": (0.00012, 1.5e-05),
    "Correlated LinearSHAP": (0.000352, 1.18e-05),
    "Interventional TreeSHAP": (0.000148, 0.000178),
    "Path-dependent TreeSHAP": (0.000657, 1.54e-05),
    "DeepLIFT": (0.000164, 6.39e-05),
    "DeepSHAP": (0.000175, 0.000112),
    "DASP": (0.000314, 0.000155),
    "Shallow ShapNet": (0.000183, 0.000295),
    "Deep ShapNet": (0.000173, 0.00024),
}
