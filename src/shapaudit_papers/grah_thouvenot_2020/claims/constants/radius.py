"""Claims 4e and 4f: the constants C and D, and which D admits the Shapley values.

C bounds |v(S) - v(empty)| and D the norm of the iterates. The norm of phi* is convex in v: over all
games bounded by C it is largest where every value is C or -C. For a ceiling at every d, let u be
the direction of phi* less its mean, and S_l a random coalition of l players:

    ||phi*||^2 = v(M)^2/d + (sum_l E[u(S_l) v(S_l)] d/(l (d - l)))^2,

with E|u(S_l)| at most the root of E u(S_l)^2 = l (d - l)/(d (d - 1)). The terms
1/sqrt(l (d - l)) sum to less than pi, the integral over (0, 1) of 1/sqrt(x (1 - x)), which is
convex.
"""

import numpy as np

from shapaudit.statistics.limits import median_with_limits
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.constants.radius import SHARES, gather_container
from ..common import claim, required

SHOWN = (2, 3, 4, 8, 16, 32, 64)  # players, of the table
TOLERANCE = 1e-9  # relative; the descent is in double precision


def check_solution(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when K has a point exactly from |v(M)|/sqrt(d) on, and its minimiser is at distance
    max(0, 1 - share) of phi*; refuted by any game where it is not.
    """
    cases, norms = evidence["cases"], evidence["norms"]
    rows = tuple(
        {"radius_in_k1": share, "games": len(distances)}
        | {"smallest_distance": min(distances), "largest_distance": max(distances)}
        for share in SHARES
        if (distances := [case["distance"] for case in cases if case["share"] == share])
    )
    off = [case for case in cases if abs(case["distance"] - max(0, 1 - case["share"])) > TOLERANCE]
    off += [norm for norm in norms if abs(norm["found"] - norm["expected"]) > TOLERANCE]
    return tell(
        "refuted" if off else "proved",
        {
            "refuted": lambda: (
                f"This fails in {len(off)} of {len(cases) + len(norms)} cases, the first being "
                f"{off[0]['case']}."
            ),
            "proved": f"Descent finds it on {len(norms)} random games. On $K_1$ the minimiser "
            r"over $K$ is, by GT 3, the point of $K$ closest to $\phi^*$. $K$ is empty for $D$ "
            r"below $|v(\mathcal M)|/\sqrt d$. Between there and the norm of $\phi^*$ the "
            "minimiser is another point, biased towards the equal split; from the norm of "
            r"$\phi^*$ onwards it is $\phi^*$.",
        },
        shown_by={"proved": "prop:radius"},
        numbers={"minimisers": len(cases), "norms": len(norms), "mismatches": len(off)},
        rows=rows,
    )


def check_container(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by a game with ||phi*||^2 above d C^2; else exact, by ceilings below it."""
    studied = required(evidence["studied"])
    largest = {d: norm[0] for d, norm in evidence["enumerated"].items()}
    broken = [d for d, square in largest.items() if square > d]
    tops = {d: float(largest.get(d, ceiling)) for d, ceiling in evidence["ceilings"].items()}
    last = max(tops)
    unknown = [d for d in tops if d not in largest and tops[d] > d]
    unknown += [last + 1] if evidence["beyond"] > last else []
    ratios = np.concatenate([game_norms["ratios"] for game_norms in studied])
    details = {
        "numbers": {
            "dimensions_broken": len(broken),
            "smallest_ratio_of_the_study": ratios.min(),
            "largest_ratio_of_the_study": ratios.max(),
            "largest_dimension": last,
            "ceiling_over_c_there": tops[last] ** 0.5,
        },
        "limits": [
            median_with_limits(
                f"norm of phi* over C sqrt(d): {game_norms['game']}", game_norms["ratios"], alpha
            )
            for game_norms in studied
        ],
        "sample": {"explicands": len(ratios)},
        "rows": _container_rows(evidence, tops),
    }
    inside = (
        f"On the games of the study the norm is {show(ratios.min())} to {show(ratios.max())} $D$"
    )
    return tell(
        "inconclusive" if unknown else "refuted" if broken else "exact",
        {
            "inconclusive": lambda: f"No proof at d = {unknown[0]}. {inside}.",
            "exact": f"Holds at every d. {inside}.",
            "refuted": lambda: _told_broken(evidence, broken, tops, inside),
        },
        reach=f"d up to {last}",
        **details,
    )


def _told_broken(evidence, broken, tops, inside):
    d, last, proper = broken[0], max(tops), evidence["proper"]
    square, values = evidence["enumerated"][d]
    return (
        f"At $d={d}$ the game with the values {', '.join(map(str, values))} (times $C$) has the "
        rf"squared norm $\|\phi^*\|^2={square}\,C^2$, above ${d}\,C^2$. From "
        f"$d={max(broken) + 1}$ onwards $D$ is more than large enough: the norm is at most "
        f"{show(tops[last] ** 0.5)} $C$ at $d={last}$, and {show(evidence['beyond'] ** 0.5)} $C$ "
        rf"at any larger $d$. {inside}. However, $C$ must bound $v(\mathcal M)$ too. The paper's "
        "$C$ bounds the proper coalitions only, and then no multiple of $C$ is sufficient: with "
        rf"$v(\mathcal M)=1$ and {proper['bound']} elsewhere the squared norm is "
        f"{proper['square']}."
    )


def _container_rows(evidence, tops):
    """Norms over C sqrt(d): all bounded games at `SHOWN`, then the games of the study."""
    shown = [d for d in SHOWN if d in tops]
    squares = {d: evidence["enumerated"].get(d, [evidence["one"][d]])[0] for d in shown}
    every = [("all bounded by C", d, 0.0, (float(squares[d]) / d) ** 0.5) for d in shown]
    studied = [
        (
            game_norms["game"],
            game_norms["players"],
            game_norms["ratios"].min(),
            game_norms["ratios"].max(),
        )
        for game_norms in evidence["studied"]
    ]
    return tuple(
        {"games": games, "players": d, "smallest": low, "largest": high}
        | {"ceiling": (tops.get(d, evidence["beyond"]) / d) ** 0.5}
        for games, d, low, high in [*every, *studied]
    )


CLAIMS = (
    claim(
        id="gt20-04f",
        title="The radius of the public code",
        heading="Gradients and constants",
        topic="identities",
        where="the authors' public code; Section 4.1 of the paper has D large enough",
        statement=r"$\|\phi^*\|\le D=C\sqrt d$ for every game with "
        r"$|v(S)-v(\emptyset)|\le C$ for all $S$.",
        matters="From three players onwards, the radius of the public code is safe, provided that "
        "$C$ also bounds the value of the grand coalition.",
        gather=gather_container,
        check=check_container,
        stands="loosely",
        falls="hypothesis",
        source="this project",
    ),
)
