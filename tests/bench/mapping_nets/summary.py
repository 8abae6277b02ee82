# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the lines of the table say together, each figure in a line of its own."""
import math
import statistics

GOALS = ("balanced", "time", "energy", "edp", "cores")


def goal(row):
    """What a line of Dendrolith's own mapper minimises, or None."""
    name = row["solver"].split("@")[0].split("/")[0]
    return name if name in GOALS else None


def by_network(rows):
    """Lines that ended in a mapping, by (network, order)."""
    found = {}
    for row in rows:
        if "us" in row:
            found.setdefault((row["network"], row["order"]), []).append(row)
    return found


def total_nj(row):
    return row["events_nj"] + row["static_nj"]


def geometric(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios)))


def against_metis(rows, groups):
    """METIS and annealing beside `balanced`: what is refused, since they know no
    limit of a core but its slots, and what time and energy are lost."""
    tried = [r for r in rows if r["solver"].split("@")[0] == "metis"
             and "skipped" not in r]
    if not tried:
        return
    refused = sum("refused" in r for r in tried)
    times, both = [], []
    for same in groups.values():
        ours = [r for r in same if r["solver"] == "balanced"]
        for row in same:
            if ours and row["solver"].split("@")[0] == "metis":
                times.append(ours[0]["us"] / row["us"])
                both.append(times[-1] * total_nj(ours[0]) / total_nj(row))
    yield (f"METIS and annealing, {len(tried)} lines: refused on {refused}" + (
           f"; balanced takes a geometric mean of {geometric(times):.3f} of their "
           f"step time (at most {max(times):.3f}) and {geometric(both):.3f} of "
           f"their energy x time" if times else ""))


def against_split(groups):
    """Step times of `balanced` and `time` beside the iterative split."""
    for name in ("balanced", "time"):
        ratios = {}
        for key, rows in groups.items():
            us = {r["solver"]: r["us"] for r in rows}
            if name in us and "iterative-split" in us:
                ratios[key] = us[name] / us["iterative-split"]
        if ratios:
            (network, order), worst = max(ratios.items(), key=lambda r: r[1])
            yield (f"step time, {name} against iterative-split, {len(ratios)} "
                   f"lines: geometric mean {geometric(ratios.values()):.3f} "
                   f"({100 * (geometric(ratios.values()) - 1):+.0f} %), worst "
                   f"{worst:.3f} ({network} {order})")


def predicted(rows):
    """The mapper's step time beside that of the cycle engine."""
    ours = [r for r in rows if "us" in r and r.get("predicted_us") and goal(r)]
    if len(ours) < 3:
        return
    error = [r["predicted_us"] / r["us"] - 1 for r in ours]
    worst = max(range(len(ours)), key=lambda i: abs(error[i]))
    logs = [[math.log(r[key]) for r in ours] for key in ("predicted_us", "us")]
    within = sum(abs(e) <= .1 for e in error)
    yield (f"predicted against simulated step, {len(ours)} lines: mean "
           f"{100 * statistics.fmean(error):+.1f} %, mean size "
           f"{100 * statistics.fmean(map(abs, error)):.1f} %, worst "
           f"{100 * error[worst]:+.1f} % ({ours[worst]['network']} "
           f"{ours[worst]['order']} {ours[worst]['solver']}), within 10 %: "
           f"{within}, correlation of logarithms {correlation(*logs):.4f}")


def correlation(a, b):
    mean_a, mean_b = statistics.fmean(a), statistics.fmean(b)
    both = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    return both / math.sqrt(sum((x - mean_a) ** 2 for x in a)
                            * sum((y - mean_b) ** 2 for y in b))


def growth(rows):
    """Time and memory of `balanced` by the number of neurons."""
    sizes = {}
    for row in rows:
        if "us" in row and row["solver"] == "balanced" and row["neurons"]:
            sizes.setdefault(row["neurons"], []).append(row)
    for neurons, same in sorted(sizes.items()):
        yield (f"growth, {neurons:,} neurons: " + "; ".join(
            f"{r['network']} {r['order']} {r['map_cpu_s']:.1f} CPU s, "
            f"{r['peak_mb']:,.0f} MB" for r in same))


WITHOUT = {"apart": "co-activity", "in-order": "regrouping and refinement"}


def ablations(groups):
    """What `balanced` loses without a part of it, energy x time."""
    for (network, order), rows in groups.items():
        whole = [r for r in rows if r["solver"] == "balanced"]
        for row in rows:
            part = row["solver"].split("@")[0]
            if not whole or part not in WITHOUT:
                continue
            us = row["us"] / whole[0]["us"] - 1
            nj = total_nj(row) / total_nj(whole[0]) - 1
            both = (1 + us) * (1 + nj) - 1
            yield (f"without {WITHOUT[part]}, {network} {order}, "
                   f"{row['cores']} cores beside {whole[0]['cores']}: time "
                   f"{100 * us:+.1f} %, energy {100 * nj:+.1f} %, energy x "
                   f"time {100 * both:+.1f} %")


def agreement(rows, groups):
    """Engines and mappings put out the same bits."""
    ran = [r for r in rows if "us" in r]
    alike = [len({r["answers"] for r in same}) == 1 for same in groups.values()]
    yield (f"agreement: both engines on {sum(r['engines'] == 'agree' for r in ran)}"
           f" of {len(ran)} mappings; all mappings of a network on "
           f"{sum(alike)} of {len(alike)} networks; spikes of the numpy loop on "
           f"{sum(r.get('raster', False) for r in ran)} of "
           f"{sum('raster' in r for r in ran)}; messages, hops and busiest link "
           f"counted apart on "
           f"{sum(r.get('evaluator') == 'agrees' for r in ran)} of "
           f"{sum('evaluator' in r for r in ran)}")


def lines(rows):
    groups = by_network(rows)
    return [*against_metis(rows, groups), *against_split(groups), *predicted(rows),
            *growth(rows), *ablations(groups), *agreement(rows, groups)]
