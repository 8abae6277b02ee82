// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page of a study: its points by any two values, as parallel coordinates, and
// those that a reader picks side by side.
"use strict";
(() => {
  const {data, element, color, register} = Dendrolith;
  const kMostChosen = 4;
  const standings = ["certain", "possible", "dominated", "unmet"];
  const points = data.points.map((point, at) => ({...point, at})).filter(point => point.standing);
  const number = value => Number.isInteger(value) ? String(value) : Number(value.toPrecision(4)).toString();
  const band = ([low, high]) => low === high ? number(low) : number(low) + " to " + number(high);
  const unitOf = name => ((data.values.find(value => value.name === name) || {}).unit || "").replace(/^u/, "\u00b5").replace("mm2", "mm\u00b2");
  const headed = name => unitOf(name) ? name + " (" + unitOf(name) + ")" : name;
  const safe = text => echarts.format.encodeHTML(text);

  // ---- What may stand on an axis: values, and settings that are numbers.
  const numeric = data.columns.map((column, c) => data.settings[c].every(text => text !== "" && !isNaN(text)));
  const choices = [...data.values.map(value => value.name),
                   ...data.columns.filter((column, c) => numeric[c])];
  function valueOf(point, name) {
    if (point.values[name]) return point.values[name];
    const c = data.columns.indexOf(name);
    return c < 0 || !numeric[c] ? null : [Number(point.settings[c]), Number(point.settings[c])];
  }
  // A goal may be one end of a value.
  function goalValue(point, name) {
    const [, base, end] = /^(.*?)(?:\.(low|high))?$/.exec(name);
    const found = point.values[name] || point.values[base];
    return !found ? null : !point.values[name] && end ? [found[end === "low" ? 0 : 1], found[end === "low" ? 0 : 1]] : found;
  }
  const isLogarithmic = bands => {
    const low = Math.min(...bands.map(b => b[0])), high = Math.max(...bands.map(b => b[1]));
    return low > 0 && high > 10 * low;
  };
  // An axis whose values are powers of ten, with round numbers at its marks.
  function decades(bands, axis) {
    const low = Math.log10(Math.min(...bands.map(b => b[0]))), high = Math.log10(Math.max(...bands.map(b => b[1])));
    const from = low - 0.04 * (high - low), to = high + 0.04 * (high - low), marks = [];
    for (let power = Math.floor(from); power <= Math.ceil(to); ++power)
      for (const factor of to - from < 2.5 ? [1, 2, 5] : [1]) {
        const mark = Math.log10(factor * 10 ** power);
        if (mark >= from && mark <= to) marks.push(mark);
      }
    return {min: from, max: to, axisTick: {...axis.axisTick, customValues: marks},
            axisLabel: {...axis.axisLabel, customValues: marks, formatter: value => number(10 ** value)}};
  }
  const describe = point => "<b>" + safe(point.id) + "</b> " + safe(point.standing) + "<br>" +
    data.columns.map((column, c) => safe(column) + " = " + safe(point.settings[c])).join("<br>") + "<br>" +
    Object.entries(point.values).map(([name, value]) => safe(headed(name)) + ": " + band(value)).join("<br>") +
    (point.alike ? "<br>" + point.alike + " more of these values" : "");

  // Which way is better, where a value is an objective.
  const goalOf = name => data.goals.find(goal => goal.name === name);
  const better = name => goalOf(name) ? goalOf(name).max ? ", more is better" : ", less is better" : "";
  // The front of two objectives, [x, y] by [x, y]: from the worst value up to the worst one across.
  function stairs(dots, i, edges) {
    const sign = [across, up].map(name => goalOf(name).max ? -1 : 1);
    const sorted = dots.map(dot => [dot.a[i], dot.b[i]]).sort((p, q) => sign[0] * (p[0] - q[0]) || sign[1] * (p[1] - q[1]));
    const line = [];
    for (const [x, y] of sorted) {
      const last = line.length ? line[line.length - 1][1] : edges.up;
      if (line.length && sign[1] * (y - last) >= 0) continue;
      line.push([x, last], [x, y]);
    }
    return line.length ? [...line, [edges.across, line[line.length - 1][1]]] : line;
  }

  // ---- Points that the reader picked, side by side.
  let chosen = [...data.chosen];
  const watchers = [];
  function pick(at) {
    if (data.points[at].state !== "done") return;
    chosen = chosen.includes(at) ? chosen.filter(other => other !== at) : [...chosen, at].slice(-kMostChosen);
    showChosen();
    watchers.forEach(watch => watch());
  }

  // The bars of all chosen points beside each other, name by name.
  function bill(kind, title) {
    const shown = chosen.map(at => data.points[at]).filter(point => (point[kind] || []).length);
    const most = new Map();
    for (const point of shown)
      for (const [name, , high] of point[kind]) most.set(name, Math.max(most.get(name) || 0, high));
    const full = Math.max(0, ...most.values());
    if (!(full > 0)) return "";
    const list = element("ul", {class: "bars grouped"});
    for (const [name] of [...most].sort((a, b) => b[1] - a[1]).slice(0, 12))
      shown.forEach((point, i) => {
        const [, low, high] = point[kind].find(row => row[0] === name) || [name, 0, 0];
        list.append(element("li", {}, element("span", {class: "name"}, i ? "" : name, element("small", {}, " " + point.id)),
          element("span", {class: "track"},
            element("i", {class: "b" + i, style: "width:" + 100 * low / full + "%"}),
            element("i", {class: "b" + i + " band", style: "width:" + 100 * (high - low) / full + "%"})),
          element("span", {class: "value"}, band([low, high]) + " \u00b5J")));
      });
    return element("figure", {}, element("figcaption", {}, title), list);
  }

  function list(title, kind, text) {
    const shown = chosen.map(at => data.points[at]).filter(point => (point[kind] || []).length);
    if (!shown.length) return "";
    const figure = element("figure", {}, element("figcaption", {}, title));
    for (const point of shown)
      figure.append(element("h3", {}, point.id),
                    element("p", {}, point[kind].slice(0, 6).map(text).join("; ")));
    return figure;
  }

  function showChosen() {
    const place = document.getElementById("picked");
    if (!place) return;
    const head = element("tr", {}, element("th", {scope: "col"}, ""));
    const body = element("tbody");
    const table = element("table", {}, element("caption", {},
      "Settings and values side by side. A click on a point of a picture or a row of the table adds or removes it; at most " +
      kMostChosen + " are shown."), element("thead", {}, head), body);
    for (const at of chosen)
      head.append(element("th", {scope: "col"}, data.points[at].id + (at === data.baseline ? ", baseline " : " "),
        element("button", {type: "button", "aria-label": "Remove " + data.points[at].id, onclick: () => pick(at)}, "\u00d7")));
    const row = (title, textOf) => body.append(element("tr", {}, element("th", {scope: "row"}, title),
      ...chosen.map(at => element("td", {}, textOf(data.points[at])))));
    data.columns.forEach((column, c) => row(column, point => point.settings[c]));
    data.values.forEach(({name}) => row(headed(name), point => point.values[name] ? band(point.values[name]) : ""));
    place.replaceChildren(
      element("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Chosen points"}, table),
      element("div", {class: "beside"},
        bill("events", "Energy of a sample by event"), bill("layers", "Energy of a sample by layer"),
        list("Who closed most steps", "closed", ([who, steps]) => who + " " + steps),
        list("The fullest core", "fit", ([resource, used, limit]) => resource + " " + number(used) + (limit ? " of " + number(limit) : ""))));
    if (chosen.some(at => !data.points[at].events))
      place.append(element("p", {class: "note"}, "Bills of points far from the front are not in this page."));
  }

  // ---- Any two values against each other.
  const shapes = {certain: "circle", possible: "diamond", dominated: "circle", unmet: "triangle"};
  const sizes = {certain: 11, possible: 12, dominated: 6, unmet: 7};
  const hues = () => ({certain: color("one"), possible: color("other"), dominated: color("muted"), unmet: color("s3")});
  let across = (data.goals[0] || {}).name, up = (data.goals[1] || {}).name, task = 0;
  const select = (label, names, now, change) => {
    const box = element("select", {onchange: event => change(event.target.value)});
    names.forEach((name, i) => {
      const option = element("option", {value: Array.isArray(names[0]) ? name[0] : name}, Array.isArray(name) ? name[1] : headed(name));
      if (option.value === String(now)) option.selected = true;
      box.append(option);
    });
    return element("label", {}, label + " ", box);
  };

  function drawFront(chart, tools, first) {
    const redraw = () => drawFront(chart, tools, false);
    if (first) {
      const names = [...new Set([across, up, ...choices])];
      if (data.tasks.length > 1)
        tools.append(select("Question", data.tasks.map((name, i) => [String(i), name]), "0", value => { task = Number(value); redraw(); }));
      tools.append(select("Across", names, across, value => { across = value; redraw(); }),
                   select("Up", names, up, value => { up = value; redraw(); }),
                   "Click on a point to see its configuration below");
      Dendrolith.zoomButtons(chart, tools);
      chart.on("click", at => { if (at.data && at.data.at !== undefined) pick(at.data.at); });
      watchers.push(redraw);
    }
    const {axis, option, zoom} = Dendrolith.base();
    const of = (point, name) => goalValue(point, name) || valueOf(point, name);
    const shown = points.filter(point => !point.twin && point.task === task && of(point, across) && of(point, up));
    const isLog = {};
    for (const name of [across, up]) isLog[name] = isLogarithmic(shown.map(point => of(point, name)));
    // One value alone stands in the middle of its axis, which says so.
    const alone = name => {
      const [low, high] = [Math.min(...shown.map(point => of(point, name)[0])), Math.max(...shown.map(point => of(point, name)[1]))];
      return low < high ? {} : {min: low - (Math.abs(low) / 50 || 1), max: low + (Math.abs(low) / 50 || 1), splitNumber: 2};
    };
    const axisOf = (name, extra) => ({...axis, type: "value", scale: true, nameLocation: "middle", ...alone(name),
      name: headed(name) + better(name) + (isLog[name] ? ", logarithmic" : "") + ("min" in alone(name) ? ", the same for all" : ""), ...(isLog[name] ? decades(shown.map(point => of(point, name)), axis) : {}), ...extra});
    const xAxis = axisOf(across, {nameGap: 28}), yAxis = axisOf(up, {nameGap: 56});
    const tints = hues();
    const dots = shown.map(point => {
      const bands = [across, up].map(name => of(point, name));
      const [a, b] = [across, up].map((name, i) => bands[i].map(value => isLog[name] ? Math.log10(value) : value));
      return {at: point.at, standing: point.standing, bands, a, b, value: [(a[0] + a[1]) / 2, (b[0] + b[1]) / 2]};
    });
    // At the low ends of bands, at the high ones, and what lies between.
    const front = dots.filter(dot => dot.standing === "certain" || dot.standing === "possible");
    const worst = (name, key) => (goalOf(name).max ? Math.min : Math.max)(...dots.flatMap(dot => dot[key]));
    const edges = goalOf(across) && goalOf(up) && across !== up && front.length ? {across: worst(across, "a"), up: worst(up, "b")} : null;
    const ends = edges ? [0, 1].map(i => stairs(front, i, edges)) : [];
    const between = {type: "custom", silent: true, clip: true, z: 1, data: edges ? [ends[0][0]] : [],
      renderItem: (params, api) => ({type: "polygon", shape: {points: [...ends[0], ...[...ends[1]].reverse()].map(place => api.coord(place))},
                                     style: {fill: color("one"), opacity: 0.08}})};
    const lines = ends.map(data => ({type: "line", silent: true, symbol: "none", z: 2, data, lineStyle: {color: color("one"), width: 1, type: "dashed"}}));
    // Where points are many, bands are faint and marks are small.
    const crowd = Math.min(1, 300 / dots.length);
    const faint = standing => Math.max(0.05, crowd * (standing === "dominated" || standing === "unmet" ? 0.3 : 0.7));
    chart.setOption({...option,
      legend: {data: standings.map(name => ({name, icon: shapes[name]})), textStyle: {color: color("muted")}, top: 0, itemWidth: 12, itemHeight: 12},
      grid: {left: 76, right: 40, top: 36, bottom: 84},
      xAxis, yAxis,
      dataZoom: [{type: "inside", xAxisIndex: 0, zoomOnMouseWheel: "ctrl", filterMode: "none"},
                 {type: "inside", yAxisIndex: 0, zoomOnMouseWheel: "ctrl", filterMode: "none"},
                 {...zoom, type: "slider", xAxisIndex: 0, bottom: 8, height: 18, showDetail: false, filterMode: "none"}],
      tooltip: {...option.tooltip, trigger: "item", formatter: at => at.data.at === undefined ? "" : describe(data.points[at.data.at])},
      series: [between, ...lines, ...standings.flatMap(standing => {
        const own = dots.filter(dot => dot.standing === standing);
        return [{name: standing, type: "custom", silent: true, itemStyle: {color: tints[standing]}, clip: true, data: own.map(dot => [...dot.a, ...dot.b, ...dot.value]),
          encode: {x: [0, 1], y: [2, 3]},
          renderItem: (params, api) => {
            const v = i => api.value(i), style = {stroke: tints[standing], lineWidth: 1, opacity: faint(standing)};
            const [l, y] = api.coord([v(0), v(5)]), [r] = api.coord([v(1), v(5)]);
            const [x, t] = api.coord([v(4), v(3)]), [, d] = api.coord([v(4), v(2)]);
            return {type: "group", children: [{type: "line", shape: {x1: l, y1: y, x2: r, y2: y}, style},
                                              {type: "line", shape: {x1: x, y1: t, x2: x, y2: d}, style}]};
          }},
          {name: standing, type: "scatter", symbol: shapes[standing], symbolSize: sizes[standing] * (crowd < 1 ? 0.6 : 1), z: 3 + standings.length - standings.indexOf(standing),
           data: own.map(dot => ({...dot, itemStyle: chosen.includes(dot.at) ? {borderColor: color("ink"), borderWidth: 3} : undefined})),
           itemStyle: {color: standing === "possible" ? color("panel") : tints[standing], borderColor: tints[standing],
                       borderWidth: standing === "possible" ? 2 : 0, opacity: 1}}];
      })]
    }, true);
  }

  // ---- All settings and objectives side by side.
  function drawParallel(chart, tools, first) {
    if (first) tools.append("Drag along an axis to keep only lines that pass there; click the axis to clear");
    const {axis, option} = Dendrolith.base();
    const narrow = chart.getWidth() < 600;
    const looks = {nameTextStyle: {color: color("muted"), fontSize: 11, width: narrow ? 60 : 120, overflow: "truncate"}, axisLine: axis.axisLine,
                   axisTick: axis.axisTick,
                   axisLabel: {color: color("ink"), fontSize: 10, backgroundColor: color("panel"), padding: [1, 3], borderRadius: 2}};
    const goalBands = data.goals.map(goal => points.map(point => goalValue(point, goal.name)));
    const tints = hues();
    chart.setOption({...option,
      legend: {data: standings, textStyle: {color: color("muted")}, bottom: 0},
      parallel: {left: narrow ? 20 : 60, right: narrow ? 140 : 70, top: 40, bottom: narrow ? 84 : 50, layout: narrow ? "vertical" : "horizontal"},
      parallelAxis: [
        ...data.columns.map((name, dim) => ({dim, name, type: "category", data: data.settings[dim], ...looks})),
        ...data.goals.map((goal, i) => ({dim: data.columns.length + i, name: headed(goal.name), scale: true,
          type: isLogarithmic(goalBands[i]) ? "log" : "value", ...looks}))],
      tooltip: {...option.tooltip, trigger: "item", formatter: at => describe(points[at.data.index])},
      series: [...standings].reverse().map(standing => ({
        name: standing, type: "parallel", smooth: false, inactiveOpacity: 0.02,
        lineStyle: {color: tints[standing], width: standing === "certain" ? 2 : standing === "possible" ? 1.4 : 0.7,
                    opacity: standing === "certain" || standing === "possible" ? 0.9 : 0.3,
                    type: standing === "possible" ? "dashed" : standing === "unmet" ? "dotted" : "solid"},
        data: points.map((point, index) => ({index, standing: point.standing,
          value: [...point.settings, ...goalBands.map(bands => bands[index] && (bands[index][0] > 0 ? Math.sqrt(bands[index][0] * bands[index][1]) : (bands[index][0] + bands[index][1]) / 2))]}))
          .filter(line => line.standing === standing)}))
    }, true);
  }

  if (data.goals.length > 1) register("front", 520, drawFront);
  if (points.length) register("parallel", 400, drawParallel);

  // Rows pick points as well, for those who use no mouse.
  const table = document.querySelector("#all-points table");
  if (table) {
    const byId = new Map(data.points.map((point, at) => [point.id, at]));
    const rows = [...table.tBodies[0].rows];
    const mark = () => rows.forEach(row => {
      const is = chosen.includes(byId.get(row.cells[0].textContent));
      row.classList.toggle("chosen", is);
      row.setAttribute("aria-selected", is);
    });
    rows.forEach(row => {
      const at = byId.get(row.cells[0].textContent); // of many points, not all are here
      if (at === undefined || data.points[at].state !== "done") return;
      row.tabIndex = 0;
      row.addEventListener("click", () => pick(at));
      row.addEventListener("keydown", event => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pick(at); } });
    });
    watchers.push(mark);
    mark();
    document.getElementById("all-points").prepend(element("div", {class: "tools"}, element("button",
      {type: "button", onclick: () => Dendrolith.save("study.csv", data.csv)}, data.points.length === data.all ? "CSV of all points" : "CSV of the points shown"),
      "Enter or a click on a row shows the point above"));
  }
  showChosen();
  Dendrolith.start();
})();
