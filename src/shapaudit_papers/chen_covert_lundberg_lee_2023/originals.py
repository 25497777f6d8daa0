"""The figures and tables of the benchmark in the paper, beside ours."""

from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.originals import Original, Rows, interval

from .findings import Protocol, load


def cells(findings: Findings) -> Rows:
    """Published mean squared errors, bias and variance together, beside ours: diabetes."""
    return _beside(findings.once(load).protocol)


def further_cells(findings: Findings) -> Rows:
    """The same for the other data whose errors are printed, as far as this study has them."""
    own = findings.once(load)
    return [
        {"data": protocol.label, **row}
        for protocol in own.protocols.values()
        if protocol.players != own.protocol.players
        for row in _beside(protocol)
    ]


def _beside(protocol: Protocol) -> Rows:
    return [
        {
            "method": row.method,
            "samples": int(row.samples),
            "published": float(row.published),
            "here": float(row.ours),
            "here over published": float(row.ratio),
            "joint limits": interval(row.low, row.high),
            "agree": "yes" if row.agrees else "no",
        }
        for row in protocol.comparison.itertuples()
    ]


ORIGINALS = (
    Original(
        item="Figures 5 and 6, Tables 2 and 5: diabetes",
        shows="Errors of fifteen stochastic estimators against the number of samples, 500 to "
        "100,000 on logarithmic axes, for one explicand and one baseline of the diabetes data; the "
        "tables print squared bias and variance over 100 trials, a row per method and a column per "
        "number of samples.",
        read="KernelSHAP with paired sampling has the smallest errors. Our figure multiplies "
        "errors by the number of samples, so that a curve is level if the error is inversely "
        "proportional to it; published values are open markers.",
        figures=("chen_covert_lundberg_lee_2023/published_protocol",),
        compare=cells,
    ),
    Original(
        item="Bias and variance in Tables 2 and 5",
        shows="The same cells, squared bias against variance.",
        read="The paper attributes the bias of unbiased methods to the number of trials. A method "
        "without bias shows one hundredth of its variance, which is the line in our figure.",
        figures=("chen_covert_lundberg_lee_2023/published_bias",),
    ),
    Original(
        item="Figures 5 and 7 to 11, Tables 3, 4, 6 and 7: NHANES, blog, added zero features",
        shows="The same for one explicand of NHANES (79 features), of blog feedback (280 features) "
        "and of the diabetes data with 100 constant features.",
        read="Paired KernelSHAP is best on NHANES and adaptive sampling on blog, which the paper "
        "attributes to the number of features. Only the full study runs the blog data. The "
        "available file of NHANES has 18 of the features, so that its errors cannot be compared "
        "with the published ones. Our figure shows typical errors over many explicands; the "
        "default study has synthetic substitutes of the same sizes.",
        figures=("chen_covert_lundberg_lee_2023/many_explicands",),
        compare=further_cells,
    ),
    Original(
        item="Sections 4 and 5.1, Figure 3: removing features",
        shows="A sketch of ways to replace absent features: baseline, marginal, uniform, and "
        "conditional ones, the latter by matching rows, fitted distributions, or trained models. "
        "No errors are printed.",
        read="The paper calls the error of conditional removals difficult to quantify. Here the "
        "distribution of the data is known, so that the error can be measured.",
        figures=(
            "chen_covert_lundberg_lee_2023/removal_learning",
            "chen_covert_lundberg_lee_2023/removal_rows",
            "chen_covert_lundberg_lee_2023/removal_data",
        ),
    ),
    Original(
        item="Table 1: explainers of one kind of model",
        shows="For each method, whether it is bias-free and variance-free. No errors are printed.",
        read="Explainers of deep models are marked as biased. Here their errors are measured by "
        "depth and by cost, and compared with those of estimators.",
        figures=(
            "chen_covert_lundberg_lee_2023/error_by_depth",
            "chen_covert_lundberg_lee_2023/error_by_passes",
            "chen_covert_lundberg_lee_2023/attribution_maps",
        ),
    ),
)
