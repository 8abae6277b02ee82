// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pictures of one run that zoom: steps and spikes.
"use strict";
(() => {
  const {data, element, color, register} = Dendrolith;
  const number = value => value.toLocaleString("en", {maximumFractionDigits: 3});

  function sampleChoice(tools, count, choose) {
    if (count < 2) return;
    const select = element("select", {onchange: event => choose(Number(event.target.value))});
    for (let s = 0; s < count; ++s) select.append(element("option", {value: s}, String(s)));
    tools.append(element("label", {}, "Sample ", select));
  }
  const hint = "Drag, pinch, Ctrl + wheel over the picture, the bar below it or these buttons zoom";

  if (data.steps) {
    const parts = [["update", "update"],
      ["waiting for a full receiver", "waiting"], ["network", "noc"], ["receive", "receive"], ["barrier", "barrier"]];
    const bySample = new Map();
    for (const step of data.steps.steps) {
      if (!bySample.has(step[0])) bySample.set(step[0], []);
      bySample.get(step[0]).push(step);
    }
    const samples = [...bySample.keys()];
    let shown = 0;
    const closer = step => data.steps.closers[step[7]];
    const style = name => name === "barrier" ? "barrier" : name.includes(" update") ? "update"
                        : name.includes(" waiting") ? "waiting"
                        : name.includes(" receive") ? "receive" : "noc";
    function draw(chart, tools, first) {
      if (first) {
        sampleChoice(tools, samples.length, s => { shown = s; draw(chart, tools, false); });
        tools.append(hint);
        Dendrolith.zoomButtons(chart, tools);
      }
      const {axis, option, zoom} = Dendrolith.base();
      const steps = bySample.get(samples[shown]);
      const times = new Map();
      for (const step of steps) times.set(closer(step), (times.get(closer(step)) || 0) + 1);
      const long = Math.max(...steps.map(step => step[2] + step[3] + step[4] + step[5] + step[6])) >= 2e6;
      const size = long ? 1e6 : 1e3; // of the unit, in ps
      const lanes = [...times].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 8)
                              .map(([name]) => name).reverse();
      chart.setOption({...option,
        aria: {enabled: true, decal: {show: true}},
        legend: {data: parts.map(([name]) => name), textStyle: {color: color("muted")}, top: 0, type: "scroll"},
        grid: [{left: 150, right: 16, top: 34, height: 170}, {left: 150, right: 16, top: 220, height: 18 * lanes.length}],
        xAxis: [0, 1].map(i => ({...axis, type: "category", gridIndex: i, data: steps.map(step => step[1]),
          name: i ? "step" : "", nameLocation: "middle", nameGap: 24, axisLabel: {...axis.axisLabel, show: !!i}})),
        yAxis: [{...axis, type: "value", name: long ? "\u00b5s" : "ns", nameGap: 7},
                {...axis, type: "category", gridIndex: 1, data: lanes}],
        dataZoom: [{type: "inside", xAxisIndex: [0, 1], zoomOnMouseWheel: "ctrl"},
                   {...zoom, type: "slider", xAxisIndex: [0, 1], bottom: 6, height: 18}],
        tooltip: {...option.tooltip, trigger: "axis", axisPointer: {type: "shadow"},
          formatter: at => {
            const step = steps[at[0].dataIndex];
            return "<b>step " + step[1] + "</b><br>" + parts.map(([name], i) =>
              name + ": " + number(step[2 + i] / 1e3) + " ns").join("<br>") +
              "<br>closed by " + echarts.format.encodeHTML(closer(step));
          }},
        series: [...parts.map(([name, hue], i) => ({name, type: "bar", stack: "step", barCategoryGap: "12%",
            itemStyle: {color: color(hue)}, data: steps.map(step => step[2 + i] / size)})),
          {name: "closed by", type: "scatter", xAxisIndex: 1, yAxisIndex: 1, symbol: "rect", symbolSize: [7, 9],
           data: steps.map((step, i) => [i, closer(step), closer(step)]).filter(row => lanes.includes(row[1])),
           itemStyle: {color: row => color(style(row.data[1])), decal: {symbol: "none"}}}]
      }, true);
      chart.resize({height: 290 + 18 * lanes.length});
    }
    register("steps", 290 + 18 * 8, draw);
  }

  if (data.raster) {
    const {rows, events} = data.raster;
    // A band for each population, higher where there are more neurons.
    const roots = rows.map(row => Math.sqrt(row.neurons)), sum = roots.reduce((a, b) => a + b, 0);
    const heights = roots.map(root => Math.max(36, Math.round(320 * root / sum)));
    const tops = [];
    let bottom = 34;
    for (const height of heights) { tops.push(bottom); bottom += height + 16; }
    const all = rows.map((row, r) => r);
    let shown = 0;
    function draw(chart, tools, first) {
      if (first) {
        sampleChoice(tools, events.length, s => { shown = s; draw(chart, tools, false); });
        tools.append(element("button", {type: "button", onclick: () => {
          const table = [["sample", "tick", "population", "neuron"]];
          events.forEach((list, s) => {
            for (let i = 0; i < list.length; i += 3)
              table.push([s, list[i], rows[list[i + 1]].name, list[i + 2]].map(String));
          });
          Dendrolith.save("spike-events.csv", Dendrolith.csvOf(table));
        }}, "CSV of events"), hint);
        Dendrolith.zoomButtons(chart, tools);
      }
      const {axis, option, zoom} = Dendrolith.base();
      const list = events[shown];
      const ticks = Math.max(...rows.map(row => row.ticks));
      // Marks as long as there are few; else cells, darker where more fall into them.
      function seriesOf(from, to) {
        const inside = rows.map(() => []);
        let all = 0;
        for (let i = 0; i < list.length; i += 3)
          if (list[i] >= from && list[i] <= to) {
            inside[list[i + 1]].push([list[i], list[i + 2]]);
            ++all;
          }
        const dense = all > data.raster.marks, wide = Math.max((to - from) / 200, 1);
        return rows.map((row, r) => {
          const series = {id: row.name, name: row.name, type: "scatter", xAxisIndex: r, yAxisIndex: r, clip: true, symbol: "rect", progressive: 0};
          if (!dense)
            return {...series, data: inside[r], symbolSize: [6, Math.min(6, Math.max(2, 0.8 * heights[r] / row.neurons))],
                    itemStyle: {color: color("s" + r % 6), opacity: 1}};
          const high = Math.max(row.neurons / (heights[r] / 4), 1), cells = new Map();
          for (const [tick, neuron] of inside[r]) {
            const cell = Math.floor((tick - from) / wide) + " " + Math.floor(neuron / high);
            cells.set(cell, (cells.get(cell) || 0) + 1);
          }
          const most = Math.max(1, ...cells.values());
          return {...series, symbolSize: [5, 4], data: [...cells].map(([cell, count]) => {
            const [x, y] = cell.split(" ").map(Number);
            return [from + (x + 0.5) * wide, (y + 0.5) * high, count];
          }), itemStyle: {color: at => color("q" + Math.min(Math.floor(7 * (at.data[2] - 1) / most), 6)), opacity: 1}};
        });
      }
      if (first)
        chart.on("datazoom", () => {
          const {start, end} = chart.getOption().dataZoom[0];
          chart.setOption({series: seriesOf(-0.5 + ticks * start / 100, -0.5 + ticks * end / 100)});
        });
      chart.setOption({...option,
        legend: {textStyle: {color: color("muted")}, top: 0, type: "scroll"},
        grid: rows.map((row, r) => ({left: 60, right: 20, top: tops[r], height: heights[r]})),
        xAxis: rows.map((row, r) => ({...axis, type: "value", gridIndex: r, min: -0.5, max: ticks - 0.5, minInterval: 1,
          axisLabel: {...axis.axisLabel, show: r === rows.length - 1, showMinLabel: false, showMaxLabel: false},
          name: r === rows.length - 1 ? "tick" : "", nameLocation: "middle", nameGap: 24})),
        yAxis: rows.map((row, r) => ({...axis, type: "value", gridIndex: r, inverse: true, min: 0,
          max: Math.max(row.neurons - 1, 1), splitNumber: 2, minInterval: 1})),
        dataZoom: [{type: "inside", xAxisIndex: all, zoomOnMouseWheel: "ctrl", filterMode: "none"},
                   {type: "inside", yAxisIndex: all, zoomOnMouseWheel: "shift", moveOnMouseMove: false, filterMode: "none"},
                   {...zoom, type: "slider", xAxisIndex: all, bottom: 6, height: 18, showDetail: false, filterMode: "none"}],
        tooltip: {...option.tooltip, trigger: "item", formatter: at =>
          echarts.format.encodeHTML(at.seriesName) + (at.data[2] ? ": " + at.data[2] + " from about" : "") + " neuron " +
          Math.floor(at.data[1]) + ", tick " + Math.floor(at.data[0])},
        series: seriesOf(-0.5, ticks - 0.5)
      }, true);
    }
    register("raster", bottom + 58, draw);
  }

  if (data.states) {
    const height = 150, tops = data.states.map((state, s) => 30 + s * (height + 34));
    function draw(chart, tools, first) {
      if (first) {
        tools.append(hint);
        Dendrolith.zoomButtons(chart, tools);
      }
      const {axis, option, zoom} = Dendrolith.base(), all = data.states.map((state, s) => s);
      const ticks = Math.max(...data.states.map(state => state.rows[0].length));
      chart.setOption({...option,
        legend: {textStyle: {color: color("muted")}, top: 0, type: "scroll"},
        grid: tops.map(top => ({left: 70, right: 20, top: top + 14, height})),
        xAxis: all.map(s => ({...axis, type: "value", gridIndex: s, min: 0, max: Math.max(ticks - 1, 1), minInterval: 1,
          axisLabel: {...axis.axisLabel, show: s === all.length - 1}, name: s === all.length - 1 ? "tick" : "",
          nameLocation: "middle", nameGap: 24})),
        yAxis: data.states.map((state, s) => ({...axis, type: "value", gridIndex: s, scale: true, name: state.name, nameGap: 7,
          nameTextStyle: {...axis.nameTextStyle, align: "left"}})),
        dataZoom: [{type: "inside", xAxisIndex: all, zoomOnMouseWheel: "ctrl", filterMode: "none"},
                   {...zoom, type: "slider", xAxisIndex: all, bottom: 6, height: 18, showDetail: false, filterMode: "none"}],
        tooltip: {...option.tooltip, trigger: "axis"},
        series: data.states.flatMap((state, s) => [...state.rows.map((row, n) => ({name: "neuron " + n, type: "line",
            xAxisIndex: s, yAxisIndex: s, showSymbol: false, lineStyle: {width: 1.4, color: color("s" + n)},
            itemStyle: {color: color("s" + n)}, data: row.map((value, t) => [t, value])})),
          ...(state.threshold === null ? [] : [{name: "threshold", type: "line", xAxisIndex: s, yAxisIndex: s, showSymbol: false,
            lineStyle: {type: "dashed", width: 1, color: color("muted")}, itemStyle: {color: color("muted")},
            data: [[0, state.threshold], [ticks - 1, state.threshold]]}])])
      }, true);
    }
    register("states", 30 + data.states.length * (height + 34) + 58, draw);
  }

  // The chip's picture in the colours of another measure.
  const colours = document.querySelector("#chip .colours");
  if (data.chip && colours && document.querySelector("svg.chip")) {
    const cores = new Map([...document.querySelectorAll("svg.chip [data-core]")].map(core => [Number(core.dataset.core), core]));
    const scale = document.querySelector("#chip .ramp li").lastChild, usual = scale.textContent;
    const kept = new Map([...cores].map(([id, core]) => [id, core.innerHTML]));
    function paint(measure) {
      if (!measure) {
        for (const [id, core] of cores) core.innerHTML = kept.get(id);
        scale.textContent = usual;
        return;
      }
      const values = new Map(data.chip.cores.map((id, i) => [id, measure.values[i]]));
      const most = Math.max(...measure.values), words = value => Number(value.toPrecision(4)) + " " + measure.name;
      for (const [id, core] of cores) {
        const value = values.get(id) || 0, share = most > 0 ? value / most : 0;
        const box = core.querySelector(".core"), fill = core.querySelector(".fill");
        const side = Number(box.getAttribute("height"));
        fill.setAttribute("class", "fill q" + Math.min(Math.floor(7 * share), 6));
        fill.setAttribute("height", share * side);
        fill.setAttribute("y", Number(box.getAttribute("y")) + side * (1 - share));
        core.querySelector("title").textContent = "core " + id + ": " + words(value);
      }
      scale.textContent = words(most);
    }
    const select = element("select", {onchange: event => paint(data.chip.measures[Number(event.target.value)])},
      element("option", {value: -1}, usual.replace(/^[\d.e+-]+ /, "")),
      ...data.chip.measures.map((measure, i) => element("option", {value: i}, measure.name)));
    colours.append(element("div", {class: "tools"}, element("label", {}, "Colour by ", select)));
  }

  Dendrolith.start();
})();
