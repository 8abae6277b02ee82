// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every page does once it may run scripts: tables sort and save themselves,
// and pictures that are registered are drawn anew so that they zoom. Without this
// file, or without ECharts, the page says the same.
"use strict";
const Dendrolith = (() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const charts = new Map(); // name -> what draws it

  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {}))
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  const color = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

  // A cell as it is saved: to the last digit, where it is a number.
  const saved = cell => cell.dataset.v !== undefined ? cell.dataset.v : cell.textContent.trim();

  function csvOf(rows) {
    // A cell that a spreadsheet would take for a formula is text.
    const quote = text => {
      const formula = /^[=+\-@\t\r]/.test(text) && (text.length < 2 || isNaN(text));
      const safe = formula ? "'" + text : text;
      return /[",\n\r]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
    };
    return rows.map(row => row.map(quote).join(",")).join("\n") + "\n";
  }

  function saveBlob(name, blob) {
    const link = element("a", {download: name, href: URL.createObjectURL(blob)});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  const save = (name, text) => saveBlob(name, new Blob([text], {type: "text/csv"}));

  // ---- Pictures save themselves, in the colours of the page.
  const svgNames = "http://www.w3.org/2000/svg";
  function drawn(tag, attributes, text) {
    const made = document.createElementNS(svgNames, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // Bars and shares stand in the page as text; saved, they are a picture.
  function pictureOfBars(list) {
    const rows = [...list.children], line = 24;
    const made = drawn("svg", {viewBox: "0 0 760 " + (line * rows.length + 8)});
    rows.forEach((row, r) => {
      const part = name => row.querySelector("." + name), y = line * r + 17;
      made.append(drawn("text", {x: 230, y, class: "end"}, part("name").textContent),
                  drawn("text", {x: 545, y}, part("value").textContent));
      let x = 240;
      for (const bar of part("track").children) {
        const width = 295 * parseFloat(bar.style.width) / 100;
        made.append(drawn("rect", {x, y: y - 12, width, height: 15, fill: getComputedStyle(bar).backgroundColor,
                                   opacity: bar.classList.contains("band") ? 0.45 : 1}));
        x += width;
      }
    });
    return made;
  }

  function fileOf(svg) {
    const copy = svg.cloneNode(true), [, , width, height] = svg.getAttribute("viewBox").split(" ");
    for (const [name, value] of Object.entries({width, height})) copy.setAttribute(name, value);
    copy.prepend(drawn("style", {}, document.querySelector("style").textContent));
    return new XMLSerializer().serializeToString(copy);
  }

  function savePng(name, svg) {
    const image = new Image();
    image.onload = () => {
      const canvas = element("canvas", {width: 2 * image.width, height: 2 * image.height});
      const context = canvas.getContext("2d");
      context.fillStyle = color("panel");
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(blob => saveBlob(name, blob));
    };
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(fileOf(svg));
  }

  function offerSaves() {
    const counts = new Map();
    document.querySelectorAll("main .picture > svg, main ul.bars").forEach(shown => {
      const section = shown.closest("section").id, count = (counts.get(section) || 0) + 1;
      counts.set(section, count);
      const name = section + (count > 1 ? "-" + count : "");
      const svg = () => shown.tagName === "UL" ? pictureOfBars(shown) : shown;
      const button = (kind, work) => element("button", {type: "button", onclick: work, "aria-label": "Save picture " + name + " as " + kind}, kind);
      const live = shown.closest("[data-live]");
      const png = () => {
        const canvas = live && live.querySelector(".canvas"), chart = canvas && echarts.getInstanceByDom(canvas);
        if (!chart) return savePng(name + ".png", svg());
        fetchless(chart.getDataURL({pixelRatio: 2, backgroundColor: color("panel")}), blob => saveBlob(name + ".png", blob));
      };
      const save = button(count > 1 && live ? "SVG " + count : "SVG",
                          () => saveBlob(name + ".svg", new Blob([fileOf(svg())], {type: "image/svg+xml"})));
      const place = live || shown.closest(".picture") || shown;
      // What is drawn alive is one picture, and stands still in one or more.
      if (live && place.nextElementSibling && place.nextElementSibling.matches(".saves")) place.nextElementSibling.lastChild.before(save);
      else place.after(element("div", {class: "saves"}, save, button("PNG", png)));
    });
  }
  // The policy forbids requests, also for a data: address.
  function fetchless(address, done) {
    const bytes = atob(address.split(",")[1]);
    done(new Blob([Uint8Array.from(bytes, sign => sign.charCodeAt(0))], {type: "image/png"}));
  }

  function csvOfTable(table) {
    const head = [...table.tHead.rows[0].cells].map(cell => cell.dataset.key);
    return csvOf([head, ...[...table.tBodies[0].rows].map(row => [...row.cells].map(saved))]);
  }

  function sortBy(table, column, heading) {
    const up = heading.getAttribute("aria-sort") !== "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", up ? "ascending" : "descending");
    const key = row => {
      const text = saved(row.cells[column]);
      return text === "" ? null : isNaN(text) ? text : Number(text);
    };
    const rows = [...table.tBodies[0].rows].map(row => [key(row), row]);
    rows.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null); // unknown ones last
      const order = typeof a === "number" && typeof b === "number" ? a - b
                  : String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
      return up ? order : -order;
    });
    table.tBodies[0].append(...rows.map(([, row]) => row));
  }

  function equip(table) {
    table.caption.append(element("button", {
      type: "button", onclick: () => save(table.dataset.csv + ".csv", csvOfTable(table)),
      "aria-label": "Save as CSV: " + table.caption.textContent}, "CSV"));
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const button = element("button", {type: "button", title: "Sort",
        onclick: () => sortBy(table, column, heading)});
      button.append(...heading.childNodes);
      heading.append(button);
    });
  }

  // The look of axes and text that all charts share.
  function base() {
    const axis = {
      axisLine: {lineStyle: {color: color("line")}}, axisTick: {lineStyle: {color: color("line")}},
      axisLabel: {color: color("muted"), hideOverlap: true},
      nameTextStyle: {color: color("muted")}, splitLine: {lineStyle: {color: color("line")}}};
    return {
      axis,
      option: {
        animation: false, backgroundColor: "transparent", color: [0, 1, 2, 3, 4, 5].map(i => color("s" + i)),
        textStyle: {color: color("ink"), fontFamily: getComputedStyle(document.body).fontFamily},
        tooltip: {confine: true, backgroundColor: color("panel"), borderColor: color("line"),
                  textStyle: {color: color("ink"), fontSize: 12}}},
      zoom: {borderColor: color("line"), textStyle: {color: color("muted")}, fillerColor: color("soft"),
             brushSelect: false, moveHandleSize: 0, showDataShadow: false, handleSize: "110%",
             handleStyle: {color: color("panel"), borderColor: color("muted")},
             emphasis: {handleStyle: {color: color("soft"), borderColor: color("one")}}}};
  }

  // Buttons that zoom and move along the first axis, for those who use no mouse.
  function zoomButtons(chart, tools) {
    const change = turn => () => {
      const {start, end} = chart.getOption().dataZoom[0];
      const [from, to] = turn(start, end);
      chart.dispatchAction({type: "dataZoom", dataZoomIndex: 0, start: Math.max(0, from), end: Math.min(100, to)});
    };
    const button = (sign, label, turn) => tools.append(element("button",
      {type: "button", "aria-label": label, title: label, onclick: change(turn)}, sign));
    const by = share => (start, end) => { const step = Math.min(Math.max(share * (end - start), -start), 100 - end); return [start + step, end + step]; };
    button("+", "Zoom in", (start, end) => [start + (end - start) / 4, end - (end - start) / 4]);
    button("\u2212", "Zoom out", (start, end) => [start - (end - start) / 2, end + (end - start) / 2]);
    button("\u2190", "To the left", by(-0.5));
    button("\u2192", "To the right", by(0.5));
  }

  // Registers draw(chart, tools): it sets options of an ECharts chart, and may put
  // controls into `tools` the first time (chart.first).
  const register = (name, height, draw) => charts.set(name, {height, draw});

  function start() {
    document.querySelectorAll("table[data-csv]").forEach(equip);
    const live = [];
    if (typeof echarts !== "undefined")
      document.querySelectorAll("[data-live]").forEach(place => {
        const made = charts.get(place.dataset.live);
        if (!made) return;
        const tools = element("div", {class: "tools"});
        const canvas = element("div", {class: "canvas", style: "height:" + made.height + "px"});
        place.prepend(tools, canvas);
        place.querySelector(".picture").style.display = "none";
        const chart = echarts.init(canvas, null, {renderer: "canvas"});
        made.draw(chart, tools, true);
        live.push([chart, made, tools]);
        new ResizeObserver(() => chart.resize()).observe(canvas);
      });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      for (const [chart, made, tools] of live) made.draw(chart, tools, false);
    });
    offerSaves();
    document.documentElement.dataset.drawn = live.length;
  }

  return {data, element, color, csvOf, csvOfTable, save, base, zoomButtons, register, start};
})();
