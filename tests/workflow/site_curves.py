"""What the curves on the first page of the site are drawn from."""

import json


def lines_of(page):
    """Estimators of each task that are not exact up to rounding at every budget."""
    return {
        task["name"]: sum(
            any(error > 1e-9 for _, error, *_ in one["points"]) for one in task["estimators"]
        )
        for task in tasks_of(page)
    }


def tasks_of(page):
    """Tasks of the curves."""
    text = page.read_text(encoding="utf-8").partition('id="curves-data">')[2]
    return json.loads(text.partition("</script>")[0])["tasks"]


def with_times(page):
    """Names of the tasks of which some times are on record, and of the others."""
    parts = ([], [])
    for task in tasks_of(page):
        points = [point for one in task["estimators"] for point in one["points"]]
        parts[all(point[4] is None for point in points)].append(task["name"])
    return parts


def seconds_at_ends(page, name, each, coloured):
    """Seconds of an explanation with the most evaluations, by some of the curves of a task."""
    (task,) = (one for one in tasks_of(page) if one["name"] == name)
    points = [
        [point for point in one["points"] if point[1] > 1e-9 and point[4] is not None]
        for one in task["estimators"]
        if one["name"] in coloured
    ]
    return [own[-1][0] * each + own[-1][4] for own in points if own]
