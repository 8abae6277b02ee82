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
        legend: {data: parts.map(([name]) => name), textStyle: {color: color("muted")}, top: 0},
        grid: [{left: 150, right: 16, top: 34, height: 170}, {left: 150, right: 16, top: 220, height: 18 * lanes.length}],
        xAxis: [0, 1].map(i => ({...axis, type: "category", gridIndex: i, data: steps.map(step => step[1]),
          name: i ? "step" : "", nameLocation: "middle", nameGap: 24, axisLabel: {...axis.axisLabel, show: !!i}})),
        yAxis: [{...axis, type: "value", name: long ? "\u00b5s" : "ns"},
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
      const list = events[shown], series = rows.map(() => []);
      for (let i = 0; i < list.length; i += 3) series[list[i + 1]].push([list[i], list[i + 2]]);
      const ticks = Math.max(...rows.map(row => row.ticks));
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
          echarts.format.encodeHTML(at.seriesName) + " neuron " + at.data[1] + ", tick " + at.data[0]},
        series: rows.map((row, r) => ({name: row.name, type: "scatter", xAxisIndex: r, yAxisIndex: r, data: series[r],
          large: series[r].length > 20000, progressive: 0, clip: true, symbol: "rect",
          symbolSize: [6, Math.min(6, Math.max(2, 0.8 * heights[r] / row.neurons))], itemStyle: {color: color("s" + r % 6), opacity: 1}}))
      }, true);
    }
    register("raster", bottom + 58, draw);
  }

  Dendrolith.start();
})();
