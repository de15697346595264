// Draws the flows of each account as bands between what has come in and what has gone out.
const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 720;
const HEIGHT = 150;
const LEAST_BAND = 2;
const GAP = 12;
const TEXT = 150;
const BAR = 8;

function element(name, attributes, text) {
  const created = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => created.setAttribute(key, value));
  if (text) {
    created.textContent = text;
  }
  return created;
}

/** Bands of one side, from its end of the diagram to the bar in the middle. */
function bands(flows, total, isLeft) {
  const room = HEIGHT - GAP * Math.max(0, flows.length - 1) - LEAST_BAND * flows.length;
  const outer = isLeft ? TEXT : WIDTH - TEXT;
  const inner = isLeft ? WIDTH / 2 - BAR : WIDTH / 2 + BAR;
  const middle = (outer + inner) / 2;
  let outerY = 0;
  let innerY = 0;
  return flows.flatMap(({name, copies}) => {
    const height = LEAST_BAND + room * copies / total;
    const thickness = HEIGHT * copies / total;
    const path = `M${outer} ${outerY} C${middle} ${outerY} ${middle} ${innerY} ${inner} ${innerY} v${thickness} `
      + `C${middle} ${innerY + thickness} ${middle} ${outerY + height} ${outer} ${outerY + height} Z`;
    const label = element('text', {x: isLeft ? outer - GAP : outer + GAP, y: outerY + height / 2, 'dominant-baseline': 'middle',
      'text-anchor': isLeft ? 'end' : 'start'}, `${name} ${copies.toLocaleString('en')}`);
    outerY += height + GAP;
    innerY += thickness;
    return [element('path', {d: path, class: 'band ' + name.replaceAll(' ', '-')}), label];
  });
}

function draw(place) {
  const rows = [...place.parentElement.querySelectorAll('tr[data-side]')]
    .map(row => ({side: row.dataset.side, name: row.dataset.name, copies: Number(row.dataset.copies)}))
    .filter(row => row.copies > 0);
  const into = rows.filter(row => row.side === 'in');
  const out = rows.filter(row => row.side === 'out');
  const sum = flows => flows.reduce((all, flow) => all + flow.copies, 0);
  const total = Math.max(sum(into), sum(out));
  if (!total) {
    const empty = document.createElement('p');
    empty.className = 'empty';
    empty.textContent = 'Nothing in the last minute.';
    place.replaceChildren(empty);
    return;
  }
  const svg = element('svg', {viewBox: `0 ${-GAP} ${WIDTH} ${HEIGHT + 2 * GAP}`, class: 'flows', role: 'img',
    'aria-label': rows.map(({side, name, copies}) => `${side} ${name} ${copies}`).join(', ')});
  svg.append(...bands(into, total, true), ...bands(out, total, false),
    element('rect', {x: WIDTH / 2 - BAR, y: 0, width: 2 * BAR, height: HEIGHT, class: 'bar'}));
  place.replaceChildren(svg);
}

const drawAll = () => document.querySelectorAll('[data-diagram]').forEach(draw);
document.addEventListener('heddle:refreshed', drawAll);
drawAll();
