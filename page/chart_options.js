// The options of each kind of chart, as ECharts reads them. All marks are of its own series types.

// A chart of more rows shows some at a time.
const rowsAtOnce = 40;

function look() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue("--" + name).trim();
  return {
    ink: color("ink"),
    faint: color("faint"),
    line: color("line"),
    paper: color("paper"),
    good: color("good"),
    bad: color("bad"),
    odd: color("odd"),
    series: [1, 2, 3, 4, 5, 6, 7, 8].map((i) => color("series-" + i)),
    narrow: document.documentElement.clientWidth < 600,
  };
}

// ECharts puts a text into the tooltip as markup, but an element as it is.
function tooltip(textOf) {
  return {
    confine: true,
    formatter: (item) => element("div", { style: "white-space: pre-line" }, textOf(item)),
  };
}

function figure(value) {
  return typeof value === "number" ? String(Number(value.toPrecision(4))) : String(value);
}

function categoryAxis(categories, style) {
  return {
    type: "category",
    data: categories,
    inverse: true,
    axisLabel: { color: style.ink, width: style.narrow ? 110 : 300, overflow: "truncate", interval: 0 },
    axisTick: { show: false },
    axisLine: { lineStyle: { color: style.line } },
  };
}

function valueAxis(axis, style) {
  return {
    type: axis.time ? "time" : axis.log ? "log" : "value",
    logBase: axis.base ?? 10,
    name: axis.name,
    nameLocation: "middle",
    nameGap: 28,
    scale: true,
    nameTextStyle: { color: style.faint },
    axisLabel: { color: style.faint, hideOverlap: true },
    axisLine: { lineStyle: { color: style.line } },
    splitLine: { lineStyle: { color: style.line, opacity: 0.6 } },
  };
}

// A list of many rows is shown in part, and a slider moves over the rest.
function rowsOption(count, style) {
  const grid = { left: 8, right: count > rowsAtOnce ? 48 : 20, top: 36, bottom: 44, containLabel: true };
  if (count <= rowsAtOnce) return { grid };
  return { grid, dataZoom: [{ type: "slider", yAxisIndex: 0, startValue: 0, endValue: rowsAtOnce - 1, right: 4, width: 18, showDetail: false, brushSelect: false, borderColor: style.line }] };
}

function legendOption(style) {
  return { type: "scroll", top: 4, textStyle: { color: style.ink }, pageTextStyle: { color: style.ink } };
}

// A ratio and its interval for each category: a box over the interval with a line at the ratio.
function intervalsOption(chart, style) {
  const series = chart.series.map((one, i) => ({
    type: "boxplot",
    name: one.name,
    boxWidth: [3, 9],
    itemStyle: { color: style.series[i % style.series.length] + "55", borderColor: style.series[i % style.series.length], borderWidth: 1.5 },
    data: one.points.map((point) => point === null ? "-" : { value: [point[0], point[0], point[1], point[2], point[2]] }),
  }));
  if (chart.reference !== undefined) {
    series[0].markLine = { silent: true, symbol: "none", label: { show: false }, lineStyle: { color: style.ink, type: "dashed" }, data: [{ xAxis: chart.reference }] };
  }
  return {
    ...rowsOption(chart.categories.length, style),
    legend: legendOption(style),
    tooltip: tooltip((item) => {
      const point = chart.series[item.seriesIndex].points[item.dataIndex];
      return `${item.name}\n${item.seriesName}: ${figure(point[1])} (${figure(point[0])} to ${figure(point[2])})`;
    }),
    xAxis: valueAxis(chart.axis, style),
    yAxis: categoryAxis(chart.categories, style),
    series,
  };
}

// Samples of each row as dots, below a box of their quartiles.
function distributionOption(chart, style) {
  const colorOf = (row) => style.series[row.color % style.series.length];
  const dots = chart.rows.flatMap((row, i) => row.dots.map((dot) => ({ value: [dot, i], itemStyle: { color: colorOf(row) } })));
  return {
    ...rowsOption(chart.rows.length, style),
    tooltip: tooltip((item) => {
      const row = chart.rows[item.seriesType === "boxplot" ? item.dataIndex : item.value[1]];
      const [low, first, middle, third, high] = row.box.map(figure);
      return `${row.name}\nmedian ${middle}, quartiles ${first} to ${third}, all from ${low} to ${high}`;
    }),
    xAxis: valueAxis(chart.axis, style),
    yAxis: { ...categoryAxis(chart.rows.map((row) => row.name), style), jitter: 10, jitterOverlap: true },
    series: [
      { type: "scatter", symbolSize: 3, data: dots, itemStyle: { opacity: 0.5 } },
      { type: "boxplot", boxWidth: [6, 14], data: chart.rows.map((row) => ({ value: row.box, itemStyle: { color: "transparent", borderColor: colorOf(row), borderWidth: 1.5 } })) },
    ],
  };
}

function barsOption(chart, style) {
  return {
    ...rowsOption(chart.categories.length, style),
    legend: chart.stacked ? legendOption(style) : undefined,
    tooltip: tooltip((item) => `${item.name}\n${item.seriesName}: ${figure(item.value)}`),
    xAxis: { ...valueAxis(chart.axis, style), scale: false },
    yAxis: categoryAxis(chart.categories, style),
    series: chart.series.map((one, i) => ({
      type: "bar", name: one.name, stack: chart.stacked ? "all" : undefined, data: one.values, barMaxWidth: 18,
      itemStyle: { color: one.verdict && classOfVerdict(one.verdict) === "good" ? style.good : colorOf(i, chart, style) },
    })),
  };
}

// Where one series is green, no other one is.
function colorOf(i, chart, style) {
  const hasVerdicts = chart.series.some((one) => one.verdict);
  const colors = hasVerdicts ? style.series.filter((color) => color !== style.good) : style.series;
  return colors[i % colors.length];
}

// Lines over time or cost. `points` are [x, y, low, high, name]; an interval is a box about its point.
function linesOption(chart, style) {
  const series = [];
  chart.series.forEach((one, i) => {
    const color = style.series[i % style.series.length];
    const marks = (one.marks ?? []).map((at) => ({ coord: [one.points[at][0], one.points[at][1]] }));
    series.push({
      type: "line", name: one.name, step: chart.step ? "end" : false, symbolSize: 7, color, data: one.points.map((point) => point.slice(0, 2)),
      markPoint: marks.length ? { symbol: "pin", symbolSize: 26, data: marks, itemStyle: { color }, label: { show: false } } : undefined,
    });
    for (const side of [2, 3]) {
      if (one.points.every((point) => point.length <= side || point[side] === null)) continue;
      series.push({
        type: "line", name: one.name, color, symbol: "none", silent: true, data: one.points.map((point) => [point[0], point[side]]),
        lineStyle: { type: "dotted", width: 1 }, tooltip: { show: false },
      });
    }
  });
  return {
    grid: { left: 12, right: 24, top: 36, bottom: 44, containLabel: true },
    legend: legendOption(style),
    tooltip: tooltip((item) => {
      const point = chart.series.find((one) => one.name === item.seriesName).points[item.dataIndex];
      const interval = point[2] === null ? "" : ` (${figure(point[2])} to ${figure(point[3])})`;
      return `${item.seriesName}\n${point[4]}\n${figure(point[1])}${interval}`;
    }),
    xAxis: chart.x.categories ? { ...valueAxis(chart.x, style), type: "category", data: chart.x.categories } : valueAxis(chart.x, style),
    yAxis: valueAxis({ ...chart.y, name: undefined }, style), // the legend says it
    series,
  };
}

function treeNode(node, style) {
  const color = style[classOfVerdict(node.verdict)];
  return {
    name: node.name, value: node.more, target: node.to, itemStyle: { color, borderColor: color }, label: { color: style.ink },
    children: node.children.map((child) => treeNode(child, style)),
  };
}

function treeOption(chart, style) {
  return {
    tooltip: tooltip((item) => item.data.value ? `${item.name}\n${item.data.value}` : item.name),
    series: [{
      type: "tree", data: [treeNode(chart.root, style)], top: 10, bottom: 10, left: style.narrow ? 30 : 60, right: style.narrow ? 90 : 140,
      orient: "LR", initialTreeDepth: -1, roam: false, expandAndCollapse: false, symbolSize: 9, edgeShape: "polyline",
      lineStyle: { color: style.line }, label: { position: "top", fontSize: 11, color: style.ink },
      leaves: { label: { position: "right" } }, animation: false,
    }],
  };
}
