// The figures and charts of the overview, from the history of all nodes.
const PAUSE_MILLIS = 10000;
const KNOWN = 'heddle-nodes';
const FIGURES = ['messagesReceived', 'messagesSent', 'messagesDropped', 'dropped', 'connections', 'connects', 'connectsRefused', 'cpuPercent',
  'latencyP50Millis', 'latencyP99Millis', 'persistentSessions', 'retainedMessages'];
// Not relative: browsers refuse to fetch that if the address of the page has a password.
const HISTORY = location.origin + '/api/v1/history?figures=' + FIGURES.join(',') + '&range=';
const MAXIMUM_LINES = 6;
const LEAST_VALUES = 30;

let range = 'hour';
let history = null;
// The sentence that is shown without dropped messages.
let empty;
const charts = {};
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const short = value => value === null || value === undefined ? '–' : value.toLocaleString('en', {maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0});

/** The last value: that of the step before, if not all nodes have recorded theirs yet. */
const last = values => values ? values.at(-1) ?? values.at(-2) ?? values.at(-3) ?? null : null;
const reasons = () => Object.keys(history.cluster).filter(name => name.startsWith('dropped.'));

function lines(chart) {
  const cluster = history.cluster;
  const byNode = figure => history.nodes.slice(0, MAXIMUM_LINES).map(({node, figures}) => [node, figures[figure]]);
  switch (chart) {
    case 'messages':
      return [['received', cluster.messagesReceived], ['sent', cluster.messagesSent]];
    case 'dropped': {
      const sum = name => cluster[name].reduce((all, value) => all + (value || 0), 0);
      const most = reasons().sort((a, b) => sum(b) - sum(a)).slice(0, MAXIMUM_LINES - 1);
      return [['all', cluster.messagesDropped], ...most.map(name => [name.slice(8), cluster[name]])];
    }
    case 'latency':
      return [['p50', cluster.latencyP50Millis], ['p99', cluster.latencyP99Millis]];
    case 'connects':
      return [['accepted', cluster.connects], ['refused', cluster.connectsRefused]];
    case 'connections':
      return byNode('connections');
    default:
      return byNode('cpuPercent');
  }
}

/** The values without those before the nodes have started to record. */
function data(shown) {
  const length = Math.max(0, ...shown.map(line => line[1]?.length || 0));
  const first = Math.min(length, ...shown.map(line => (line[1] || []).findIndex(value => value !== null)).filter(index => index >= 0));
  const begin = Math.max(0, Math.min(first, length - LEAST_VALUES));
  const end = Date.parse(history.end) / 1000;
  const times = Array.from({length: length - begin}, (_, index) => end - (length - begin - 1 - index) * history.stepSeconds);
  return [times, ...shown.map(line => (line[1] || new Array(length).fill(null)).slice(begin))];
}

const axis = () => ({stroke: colour('--muted'), grid: {stroke: colour('--line'), width: 1}, ticks: {show: false}, font: '12px system-ui'});

function draw(place) {
  const shown = lines(place.dataset.chart);
  const key = shown.map(line => line[0]).join('\n');
  const values = data(shown);
  const known = charts[place.dataset.chart];
  place.setAttribute('role', 'img');
  place.setAttribute('aria-label', shown.map(([name, of]) => name + ' ' + short(last(of))).join(', '));
  if (known && known.key === key && known.plot.root.isConnected) {
    known.plot.setData(values);
    showLast(known.plot);
    return;
  }
  known?.plot.destroy();
  const plot = new uPlot({
    width: place.clientWidth,
    height: 150,
    cursor: {sync: {key: 'heddle'}, y: false},
    hooks: {ready: [showLast]},
    scales: {y: {range: (_, least, most) => [0, Math.max(1, (most || 0) * 1.15)]}},
    axes: [{...axis(), size: 28, space: 70, values: [[60, '{HH}:{mm}'], [1, '{HH}:{mm}:{ss}']]}, {...axis(), size: 48, values: (_, ticks) => ticks.map(short)}],
    series: [{value: (_, at) => at === null ? '' : new Date(at * 1000).toLocaleTimeString('en-GB')},
      ...shown.map(([name], index) => ({label: name, stroke: colour('--s' + (index + 1)), width: 1.75, points: {show: false}, spanGaps: false, value: (_, value) => short(value)}))]
  }, values, place);
  charts[place.dataset.chart] = {plot, key};
  plot.over.addEventListener('mouseleave', () => showLast(plot));
}

/** The legend has the values under the pointer, or else those of the latest step that most nodes have recorded. */
function showLast(plot) {
  if (!plot.over.matches(':hover')) {
    const end = plot.data[0].length - 1;
    const known = index => plot.data.filter(values => (values[index] ?? null) !== null).length;
    plot.setLegend({idx: [end, end - 1, end - 2].reduce((best, index) => known(index) > known(best) ? index : best)});
  }
}

/** A button for nodes that were removed on purpose. */
function forgetGone(gone) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = gone.length === 1 ? 'It was removed on purpose' : 'They were removed on purpose';
  button.addEventListener('click', () => {
    const known = JSON.parse(sessionStorage.getItem(KNOWN)) || {};
    gone.forEach(node => delete known[node]);
    sessionStorage.setItem(KNOWN, JSON.stringify(known));
    showGone();
  });
  return button;
}

/** Names the members that have left since this browser watches: the broker does not know how many nodes there should be. */
function showGone() {
  let known = {};
  try {
    known = JSON.parse(sessionStorage.getItem(KNOWN)) || {};
  } catch {
    known = {};
  }
  const present = [...history.nodes.map(each => each.node), ...history.missingNodes];
  present.forEach(node => known[node] = Date.now());
  sessionStorage.setItem(KNOWN, JSON.stringify(known));
  const gone = Object.keys(known).filter(node => !present.includes(node));
  const place = document.querySelector('[data-gone]');
  place.hidden = !gone.length;
  document.querySelector('[data-well]')?.toggleAttribute('hidden', gone.length > 0);
  place.firstElementChild.replaceChildren(...gone.map(node => `${node} has left the cluster at ${new Date(known[node]).toLocaleTimeString('en-GB')}. `),
    ...(gone.length ? ['Start it again. ', forgetGone(gone)] : []));
}

function showDrops() {
  const place = document.querySelector('[data-drops]');
  const counts = reasons()
    .map(name => [name.slice(8), history.cluster[name].reduce((sum, value) => sum + (value || 0) * history.stepSeconds, 0)])
    .filter(each => Math.round(each[1]) > 0)
    .sort((a, b) => b[1] - a[1]);
  if (!place) {
    return;
  }
  empty ??= place.firstElementChild;
  if (!counts.length) {
    place.replaceChildren(empty);
    return;
  }
  const list = document.createElement('dl');
  list.className = 'facts';
  counts.forEach(([reason, count]) => {
    const name = list.appendChild(document.createElement('dt')).appendChild(document.createElement('code'));
    name.textContent = reason;
    list.appendChild(document.createElement('dd')).textContent = Math.round(count).toLocaleString('en');
  });
  place.replaceChildren(list);
}

function fill() {
  if (history) {
    document.querySelectorAll('[data-figure]').forEach(place => {
      place.textContent = short(last(history.cluster[place.dataset.figure]));
    });
    showGone();
  }
}

function show() {
  fill();
  if (history?.end) {
    showDrops();
    document.querySelectorAll('[data-chart]').forEach(draw);
  }
}

function redraw() {
  Object.keys(charts).forEach(name => {
    charts[name].plot.destroy();
    delete charts[name];
  });
  show();
}

async function read() {
  try {
    const answer = await fetch(HISTORY + range, {headers: {'X-Requested-With': 'fetch'}, signal: AbortSignal.timeout(10000)});
    if (answer.ok) {
      history = await answer.json();
      show();
    }
  } catch {
    // The node does not answer. The next reading may succeed; the refresh of the page says that it does not answer.
  }
}

document.querySelectorAll('[data-range]').forEach(button => button.addEventListener('click', () => {
  range = button.dataset.range;
  document.querySelectorAll('[data-range]').forEach(each => each.setAttribute('aria-pressed', String(each === button)));
  read();
}));
document.addEventListener('heddle:refreshed', fill);
document.addEventListener('heddle:theme', redraw);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
let width;
addEventListener('resize', () => {
  clearTimeout(width);
  width = setTimeout(redraw, 150);
});
await read();
setInterval(() => document.hidden || read(), PAUSE_MILLIS);
