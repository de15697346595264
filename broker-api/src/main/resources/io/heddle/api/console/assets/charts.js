// The figures and charts of the overview: rates from two readings of the metrics of this node, and figures of all nodes from the REST interface.
const PAUSE_MILLIS = 5000;
const MAXIMUM_SAMPLES = 240;
const STORE = 'heddle-samples';
const NAMES = ['heddle_messages_received', 'heddle_messages_delivered', 'heddle_messages_dropped', 'heddle_sessions_persistent_known', 'heddle_retained_messages'];
// Not relative: browsers refuse to fetch that if the address of the page has a password.
const METRICS = location.origin + '/actuator/prometheus?' + NAMES.map(name => 'includedNames=' + name).join('&');
const MEMBERS = location.origin + '/api/v1/nodes?limit=200';
const MAXIMUM_LINES = 6;

let samples = [];
try {
  samples = JSON.parse(sessionStorage.getItem(STORE)) || [];
} catch {
  samples = [];
}
const charts = {};
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The sums by name, and the messages that were dropped by reason. */
function parse(text) {
  const sums = {};
  const reasons = {};
  for (const [, name, labels, value] of text.matchAll(/^(\w+)(\{.*\})? (\S+)/gm)) {
    sums[name] = (sums[name] || 0) + Number(value);
    const reason = /reason="([^"]*)"/.exec(labels || '');
    if (name === 'heddle_messages_dropped_total' && reason && Number(value) > 0) {
      reasons[reason[1]] = (reasons[reason[1]] || 0) + Number(value);
    }
  }
  return {sums, reasons};
}

async function read() {
  const options = {headers: {'X-Requested-With': 'fetch'}, signal: AbortSignal.timeout(10000)};
  const [metrics, nodes] = await Promise.all([fetch(METRICS, options), fetch(MEMBERS, options)]);
  const {sums, reasons} = metrics.ok ? parse(await metrics.text()) : {sums: {}, reasons: {}};
  const members = nodes.ok ? (await nodes.json()).items : [];
  return {at: Date.now() / 1000, sums, reasons, nodes: members.map(each => [each.nodeId, each.connections, each.cpuUsage])};
}

function rate(index, name) {
  const [before, now] = [samples[index - 1], samples[index]];
  if (!before || !(name in now.sums) || !(name in before.sums)) {
    return null;
  }
  const change = (now.sums[name] - before.sums[name]) / (now.at - before.at);
  // A node that was restarted counts from 0. A long pause has no rate of its own.
  return change < 0 || now.at - before.at > 60 ? null : change;
}

const rates = name => samples.map((_, index) => rate(index, name));
const ofNode = (node, column, factor) => samples.map(sample => {
  const found = sample.nodes.find(each => each[0] === node);
  return found && found[column] !== null ? found[column] * factor : null;
});

function lines(chart) {
  const nodes = (samples.at(-1)?.nodes || []).map(each => each[0]).slice(0, MAXIMUM_LINES);
  switch (chart) {
    case 'messages':
      return [['received', rates('heddle_messages_received_total')], ['delivered', rates('heddle_messages_delivered_total')]];
    case 'dropped':
      return [['dropped', rates('heddle_messages_dropped_total')]];
    case 'connections':
      return nodes.map(node => [node, ofNode(node, 1, 1)]);
    default:
      return nodes.map(node => [node, ofNode(node, 2, 100)]);
  }
}

const short = value => value === null || value === undefined ? '–' : value.toLocaleString('en', {maximumFractionDigits: value < 10 ? 1 : 0});
const axis = () => ({stroke: colour('--muted'), grid: {stroke: colour('--line'), width: 1}, ticks: {show: false}, font: '12px system-ui'});

function draw(place) {
  const shown = lines(place.dataset.chart);
  const key = shown.map(line => line[0]).join('\n');
  const data = [samples.map(sample => sample.at), ...shown.map(line => line[1])];
  const known = charts[place.dataset.chart];
  place.setAttribute('role', 'img');
  place.setAttribute('aria-label', shown.map(([name, values]) => name + ' ' + short(values.at(-1))).join(', '));
  if (known && known.key === key) {
    known.plot.setData(data);
    showLast(known.plot);
    return;
  }
  known?.plot.destroy();
  const plot = new uPlot({
    width: place.clientWidth,
    height: 150,
    cursor: {sync: {key: 'heddle'}, y: false},
    scales: {y: {range: (_, least, most) => [0, Math.max(1, most * 1.15)]}},
    axes: [{...axis(), size: 28, space: 70, values: [[60, '{HH}:{mm}'], [1, '{HH}:{mm}:{ss}']]}, {...axis(), size: 48, values: (_, ticks) => ticks.map(short)}],
    series: [{value: (_, at) => at === null ? '' : new Date(at * 1000).toLocaleTimeString()},
      ...shown.map(([name], index) => ({label: name, stroke: colour('--s' + (index + 1)), width: 1.75, points: {show: false}, spanGaps: false, value: (_, value) => short(value)}))]
  }, data, place);
  charts[place.dataset.chart] = {plot, key};
  plot.over.addEventListener('mouseleave', () => showLast(plot));
  showLast(plot);
}

/** The legend has the values under the pointer, or else the last ones. */
function showLast(plot) {
  if (!plot.over.matches(':hover')) {
    plot.setLegend({idx: plot.data[0].length - 1});
  }
}

function fill() {
  const last = samples.at(-1);
  if (!last) {
    return;
  }
  document.querySelectorAll('[data-metric]').forEach(place => {
    place.textContent = place.dataset.metric in last.sums ? last.sums[place.dataset.metric].toLocaleString('en') : '–';
  });
  document.querySelectorAll('[data-rate]').forEach(place => {
    place.textContent = short(rate(samples.length - 1, place.dataset.rate));
  });
  const drops = document.querySelector('[data-drops]');
  const reasons = Object.entries(last.reasons).sort((a, b) => b[1] - a[1]);
  if (drops && reasons.length) {
    const list = document.createElement('dl');
    list.className = 'facts';
    reasons.forEach(([reason, count]) => {
      const name = list.appendChild(document.createElement('dt')).appendChild(document.createElement('code'));
      name.textContent = reason;
      list.appendChild(document.createElement('dd')).textContent = count.toLocaleString('en');
    });
    drops.replaceChildren(list);
  }
}

function show() {
  fill();
  document.querySelectorAll('[data-chart]').forEach(draw);
}

function redraw() {
  Object.keys(charts).forEach(name => {
    charts[name].plot.destroy();
    delete charts[name];
  });
  show();
}

async function sample() {
  if (document.hidden) {
    return;
  }
  try {
    samples = [...samples, await read()].slice(-MAXIMUM_SAMPLES);
    sessionStorage.setItem(STORE, JSON.stringify(samples));
  } catch {
    // The node does not answer, or the store of the browser is full. The next sample may succeed.
  }
  show();
}

document.addEventListener('heddle:refreshed', fill);
document.addEventListener('heddle:theme', redraw);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
let width;
addEventListener('resize', () => {
  clearTimeout(width);
  width = setTimeout(redraw, 150);
});
show();
await sample();
// A rate needs two readings.
setTimeout(sample, 1000);
setInterval(sample, PAUSE_MILLIS);
