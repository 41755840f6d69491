// Apache ECharts draws text and paths of SVG, so labels can be selected and found. A page without the
// library has the tables alone.
const hasCharts = typeof echarts !== "undefined";

const liveCharts = new Map();

const optionOf = { intervals: intervalsOption, distribution: distributionOption, bars: barsOption, lines: linesOption, tree: treeOption };

function leavesOf(node) {
  return node.children.length === 0 ? 1 : node.children.reduce((sum, child) => sum + leavesOf(child), 0);
}

function heightOf(chart) {
  if (chart.type === "lines") return 320;
  if (chart.type === "tree") return Math.max(160, 40 + 18 * leavesOf(chart.root));
  const rows = Math.min(rowsAtOnce, (chart.categories ?? chart.rows).length);
  const perRow = chart.type === "intervals" ? 10 + 12 * chart.series.length : 24;
  return 96 + rows * perRow;
}

function drawChart(place, chart) {
  liveCharts.get(place)?.drawn.dispose();
  const drawn = echarts.init(place, null, { renderer: "svg", height: heightOf(chart) });
  drawn.setOption({ animation: false, textStyle: { fontFamily: "system-ui, sans-serif" }, aria: { enabled: true }, ...optionOf[chart.type](chart, look()) });
  drawn.on("click", (item) => { if (item.data?.target) openTarget(item.data.target); });
  liveCharts.set(place, { chart, drawn });
}

function eachLiveChart(act) {
  for (const [place, live] of liveCharts) {
    if (place.isConnected) {
      act(place, live);
    } else {
      live.drawn.dispose();
      liveCharts.delete(place);
    }
  }
}

// A chart needs the width of its place, so it is drawn once that is in the document.
function chartBlock(block) {
  const table = element("details", { class: "data" }, element("summary", {}, "The same as a table"), tableBlock(block.table));
  if (!hasCharts) {
    table.open = true;
    return table;
  }
  const place = element("div", { class: "chart", "data-chart": block.chart.type, role: "img", "aria-label": block.chart.axis?.name ?? block.chart.y?.name ?? block.chart.type });
  queueMicrotask(() => drawChart(place, block.chart));
  return element("div", {}, place, table);
}

if (hasCharts) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => eachLiveChart((place, live) => drawChart(place, live.chart)));
  addEventListener("resize", () => eachLiveChart((_, live) => live.drawn.resize()));
}

// Paper is narrower than most screens, and has nothing to click on.
const paperWidth = 680;
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details.data")) folded.open = true;
  eachLiveChart((_, live) => live.drawn.resize({ width: paperWidth }));
});
addEventListener("afterprint", () => eachLiveChart((_, live) => live.drawn.resize({ width: "auto" })));
