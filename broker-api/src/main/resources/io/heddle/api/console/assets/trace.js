// The trace page: it shows the events of a trace while the node sends them.
const MAXIMUM_ROWS = 2000;
const form = document.querySelector('form[data-trace]');
const state = document.querySelector('[data-state]');
const table = document.querySelector('[data-events]');
const rows = table.tBodies[0];
const start = form.querySelector('[type=submit]');
const stop = form.querySelector('[data-stop]');
const save = document.querySelector('[data-save]');
const KNOWN = new Set(['time', 'node', 'event', 'direction', 'clientId', 'userName', 'address', 'port', 'packet', 'topic', 'payload', 'payloadBase64', 'detail']);

let lines = [];
let abort = null;

function cell(text, name = '') {
  const made = document.createElement('td');
  made.className = name;
  made.textContent = text;
  return made;
}

function clientCell(event) {
  const made = cell('');
  if (event.clientId) {
    const link = made.appendChild(document.createElement('a'));
    link.className = 'id';
    link.href = '/client?clientId=' + encodeURIComponent(event.clientId);
    link.title = [event.userName, event.address && event.address + ':' + event.port].filter(Boolean).join(' at ');
    link.textContent = event.clientId;
  }
  return made;
}

const shown = value => typeof value === 'object' ? JSON.stringify(value) : String(value);

/** The parts of an event that have no column: the topic first, then those of the packet, then the payload. */
function described(event) {
  const parts = [event.topic, event.detail];
  Object.entries(event).forEach(([name, value]) => {
    if (!KNOWN.has(name) && value !== null && value !== false && !(Array.isArray(value) && !value.length)) {
      parts.push(value === true ? name : name + ' ' + shown(value));
    }
  });
  parts.push(event.payload ?? event.payloadBase64);
  return parts.filter(Boolean).join(' · ');
}

function show(event) {
  const row = document.createElement('tr');
  const direction = event.direction === 'in' ? '→' : event.direction === 'out' ? '←' : '';
  const arrow = cell(direction);
  arrow.title = event.direction === 'in' ? 'from the client' : event.direction === 'out' ? 'to the client' : '';
  const name = cell('');
  const label = name.appendChild(document.createElement('span'));
  label.className = event.event === 'packet' ? 'state' : 'state warn';
  label.textContent = event.packet || event.event;
  const time = cell(event.time.slice(11, 23));
  time.title = event.time;
  row.append(time, arrow, name, clientCell(event), cell(described(event), 'text'), cell(event.node || '', 'wide'));
  rows.append(row);
  if (rows.rows.length > MAXIMUM_ROWS) {
    rows.deleteRow(0);
  }
}

function receive(line) {
  const event = JSON.parse(line);
  lines.push(line);
  if (event.event === 'end') {
    state.textContent = 'The trace has ended: ' + event.detail + '. ' + event.events + ' events.';
  } else {
    table.hidden = false;
    state.textContent = 'Tracing. ' + lines.length + (lines.length === 1 ? ' event.' : ' events.');
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 80;
    show(event);
    if (isAtEnd) {
      scrollTo(0, document.documentElement.scrollHeight);
    }
  }
}

function query() {
  const parameters = new URLSearchParams();
  new FormData(form).forEach((value, name) => value === '' || parameters.append(name, value));
  return parameters;
}

async function read(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const all = (rest + part.value).split('\n');
    rest = all.pop();
    all.filter(line => line.trim()).forEach(receive);
  }
}

async function trace() {
  lines = [];
  rows.replaceChildren();
  table.hidden = true;
  save.hidden = true;
  start.disabled = true;
  stop.disabled = false;
  abort = new AbortController();
  state.textContent = 'Waiting for packets …';
  try {
    const answer = await fetch(location.origin + '/api/v1/trace?' + query(), {
      headers: {Accept: 'application/x-ndjson', 'X-Requested-With': 'fetch'}, redirect: 'manual', signal: abort.signal});
    if (answer.type === 'opaqueredirect' || answer.status === 401) {
      location.assign('/sign-in?next=' + encodeURIComponent('/trace?' + query()));
    } else if (!answer.ok) {
      const problem = await answer.json();
      state.textContent = [problem.detail, ...(problem.errors || []).map(each => each.field + ': ' + each.message)].join(' ');
    } else {
      await read(answer);
    }
  } catch (failure) {
    state.textContent = failure.name === 'AbortError'
      ? 'You have stopped the trace. ' + lines.length + ' events.'
      : 'The connection to the node is lost. ' + lines.length + ' events.';
  } finally {
    start.disabled = false;
    stop.disabled = true;
    save.hidden = !lines.length;
  }
}

form.addEventListener('submit', event => {
  event.preventDefault();
  event.stopPropagation();
  history.replaceState(null, '', '/trace?' + query());
  trace();
});
stop.addEventListener('click', () => abort.abort());
save.addEventListener('click', () => {
  const file = document.createElement('a');
  file.href = URL.createObjectURL(new Blob([lines.join('\n') + '\n'], {type: 'application/x-ndjson'}));
  file.download = 'trace.jsonl';
  file.click();
  URL.revokeObjectURL(file.href);
});
