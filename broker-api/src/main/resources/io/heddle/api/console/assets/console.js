// The console in the browser: it sends changes to the REST interface, refreshes parts of a page, and knows the keys. Server-rendered pages have the rest.
const find = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
// With this header, the node answers 401 without the challenge for which browsers show a dialog.
const script = {'X-Requested-With': 'fetch'};
// Addresses of requests are not relative: browsers refuse those if the address of the page has a password.
const signIn = () => location.assign('/sign-in?next=' + encodeURIComponent(location.pathname + location.search));

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...children.filter(child => child !== null));
  return made;
}

// Messages

function announce(text, kind = 'ok', stays = false) {
  const close = element('button', {type: 'button', class: 'link', 'aria-label': 'Close the message'}, '×');
  const message = element('div', {class: 'notice ' + kind}, element('p', {}, text), close);
  close.addEventListener('click', () => message.remove());
  find('#messages').append(message);
  if (!stays) {
    setTimeout(() => message.remove(), 6000);
  }
}

/** A message that is shown by the next page. */
function announceNext(text) {
  if (text) {
    sessionStorage.setItem('heddle-message', text);
  }
}

function showAnnounced() {
  const text = sessionStorage.getItem('heddle-message');
  sessionStorage.removeItem('heddle-message');
  if (text) {
    announce(text);
  }
}

// Times

const units = [[60, 'second', 1], [3600, 'minute', 60], [86400, 'hour', 3600], [86400 * 60, 'day', 86400], [86400 * 730, 'month', 86400 * 30],
  [Infinity, 'year', 86400 * 365]];
const words = new Intl.RelativeTimeFormat('en', {style: 'narrow', numeric: 'always'});

function showTimes(within = document) {
  all('time[datetime]', within).forEach(time => {
    const at = new Date(time.dateTime);
    const seconds = Math.round((at - Date.now()) / 1000);
    const [, unit, size] = units.find(([limit]) => Math.abs(seconds) < limit);
    time.textContent = Math.abs(seconds) < 5 ? 'now' : words.format(Math.trunc(seconds / size), unit);
    time.title = at.toLocaleString() + ' · ' + time.dateTime;
  });
}

/** Lets the keys scroll wide tables, also those without a link. */
function letScroll(within = document) {
  all('.table', within).forEach(table => table.scrollWidth > table.clientWidth ? table.tabIndex = 0 : table.removeAttribute('tabindex'));
}

function show(within = document) {
  showTimes(within);
  letScroll(within);
}

// Parts of a page that are fetched again

/** Says that a part of the page is not of now, until it is fetched again. */
function showStale(region) {
  region.removeAttribute('aria-busy');
  if (!find('[data-stale]', region)) {
    region.prepend(element('div', {class: 'notice bad', role: 'alert', 'data-stale': ''},
      element('p', {}, 'The node has not answered since ' + new Date().toLocaleTimeString('en-GB') + '. What you see is from before.')));
  }
}

async function refresh(region, address) {
  let answer;
  try {
    region.setAttribute('aria-busy', 'true');
    answer = await fetch(location.origin + address, {headers: {Accept: 'text/html', ...script}, redirect: 'manual', signal: AbortSignal.timeout(20000)});
  } catch {
    showStale(region);
    return false;
  }
  if (answer.type === 'opaqueredirect' || answer.status === 401) {
    signIn();
    return false;
  }
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.getElementById(region.id);
  if (!fresh || !region.isConnected) {
    showStale(region);
    return false;
  }
  region.replaceWith(fresh);
  all('[data-follow]').forEach(part => part.replaceWith(page.getElementById(part.id) || part));
  show(fresh);
  document.dispatchEvent(new CustomEvent('heddle:refreshed', {detail: fresh}));
  return true;
}

/** Whether the reader would lose something: a focus, an open part or selected text. */
function isInUse(region) {
  const selection = getSelection();
  return region.contains(document.activeElement) || find('details[open]', region) || find('dialog[open]')
    || (selection && !selection.isCollapsed && region.contains(selection.anchorNode));
}

function keepFresh() {
  let ticks = 0;
  setInterval(async () => {
    ticks++;
    if (ticks % 30 === 0) {
      showTimes();
    }
    if (document.hidden) {
      return;
    }
    for (const region of all('[data-refresh]')) {
      // Not while another page of a list is shown: its entries would move.
      if (ticks % Number(region.dataset.refresh) === 0 && !isInUse(region) && !new URLSearchParams(location.search).has('after')) {
        await refresh(region, location.pathname + location.search);
      }
    }
  }, 1000);
}

// Search as you type

function addressOf(form) {
  const query = new URLSearchParams();
  new FormData(form).forEach((value, name) => value === '' || query.append(name, value));
  const text = query.toString();
  const [path, part] = form.getAttribute('action').split('#');
  return path + (text ? '?' + text : '') + (part ? '#' + part : '');
}

let typing;
let latest = 0;

async function search(form) {
  const address = addressOf(form);
  const turn = ++latest;
  history.replaceState(null, '', address);
  const region = document.getElementById(form.dataset.filter);
  if (await refresh(region, address) && turn === latest) {
    find('#announcement').textContent = document.getElementById(form.dataset.filter).dataset.announce || '';
  }
  if (turn !== latest) {
    // A later search has begun meanwhile, and this answer may have come after that one's.
    await refresh(document.getElementById(form.dataset.filter), location.pathname + location.search);
  }
}

document.addEventListener('input', event => {
  const form = event.target.closest('form[data-filter]');
  if (form) {
    clearTimeout(typing);
    typing = setTimeout(() => search(form), event.target.tagName === 'SELECT' ? 0 : 250);
  }
});

// Changes

function valueOf(field) {
  const kind = field.dataset.type;
  if (kind === 'boolean') {
    return field.checked;
  }
  if (field.type === 'checkbox') {
    return field.checked ? field.value : undefined;
  }
  if (kind === 'list') {
    const names = field.value.split(/\s+/).filter(Boolean);
    return names.length || 'keep' in field.dataset ? names : undefined;
  }
  if (kind === 'number') {
    return field.value === '' ? undefined : Number(field.value);
  }
  return field.value === '' && field.tagName !== 'TEXTAREA' ? undefined : field.value;
}

/** The token of the session that the browser has now: another tab may have signed in again. */
async function token() {
  try {
    const account = await fetch(location.origin + '/api/v1/account', {headers: script, redirect: 'manual', signal: AbortSignal.timeout(10000)});
    return account.headers.get('X-CSRF-Token') || find('meta[name=csrf]').content;
  } catch {
    return find('meta[name=csrf]').content;
  }
}

/** The request that a form or button describes: its method, address and body. */
async function requestOf(source, description) {
  let [method, address] = description.split(/ (.*)/);
  const headers = {'X-CSRF-Token': await token(), ...script};
  let body;
  const query = new URLSearchParams();
  if (source.tagName === 'FORM') {
    const values = {};
    for (const field of source.elements) {
      const value = field.name && !('ignore' in field.dataset) && field.type !== 'file' ? valueOf(field) : undefined;
      if (value === undefined) {
        continue;
      }
      if ('query' in source.dataset || 'parameter' in field.dataset) {
        query.set(field.name, value);
      } else {
        values[field.name] = value;
      }
    }
    if (source.dataset.with) {
      const [name, other] = source.dataset.with.split(':');
      values[name] = find(`[name="${other}"]`).value;
    }
    body = source.dataset.body ? await find('input[type=file]', source).files[0].text() : JSON.stringify(values);
  }
  const text = query.toString();
  if (text) {
    address += (address.includes('?') ? '&' : '?') + text;
  }
  if (method === 'DELETE') {
    body = undefined;
  } else {
    headers['Content-Type'] = source.dataset.body || 'application/json';
  }
  if (source.dataset.ifMatch && source.dataset.send === description) {
    headers['If-Match'] = source.dataset.ifMatch;
  }
  return [location.origin + address, {method, headers, body, redirect: 'manual', signal: AbortSignal.timeout(60000)}];
}

function clearErrors(form) {
  all('.error, .problem', form).forEach(error => error.remove());
  all('[aria-invalid]', form).forEach(field => {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
  });
  all('.result', form).forEach(result => result.replaceChildren());
}

/** Shows a problem beside the fields that it names, or in the form, or as a message. */
function showProblem(source, problem) {
  if (source.tagName !== 'FORM') {
    announce(problem.detail, 'bad', true);
    return;
  }
  const others = [];
  (problem.errors || []).forEach(({field, message}) => {
    const input = source.elements.namedItem(field.replace(/[.[].*/, ''));
    if (input instanceof HTMLElement && input.type !== 'hidden') {
      const error = element('span', {class: 'error', id: 'error-' + field}, message);
      input.setAttribute('aria-invalid', 'true');
      input.setAttribute('aria-describedby', error.id);
      input.after(error);
    } else {
      others.push(element('li', {}, field + ': ' + message));
    }
  });
  const isExplained = problem.errors && others.length < problem.errors.length;
  if (!isExplained || others.length) {
    const notice = element('div', {class: 'notice bad problem', role: 'alert'}, element('p', {}, problem.detail));
    if (others.length) {
      notice.append(element('ul', {}, ...others));
    }
    if (problem.status === 412) {
      const again = element('button', {type: 'button'}, 'Load it again');
      again.addEventListener('click', () => location.reload());
      notice.append(again);
    }
    (all('.actions', source).at(-1) || source.lastElementChild).before(notice);
  }
  find('[aria-invalid]', source)?.focus();
}

function confirmed(source) {
  const dialog = find('#confirm');
  find('h2', dialog).textContent = source.dataset.confirm;
  find('p', dialog).textContent = source.dataset.detail || '';
  find('button.danger', dialog).textContent = source.dataset.action || 'Continue';
  dialog.returnValue = 'no';
  dialog.showModal();
  return new Promise(resolve => dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), {once: true}));
}

async function send(source, description, submitter) {
  const isPlain = submitter && 'plain' in submitter.dataset;
  if (source.dataset.confirm && !isPlain && !source.elements?.dryRun?.checked && !await confirmed(source)) {
    return;
  }
  if (source.tagName === 'FORM') {
    clearErrors(source);
  }
  const buttons = source.tagName === 'FORM' ? all('button', source) : [source];
  buttons.forEach(button => button.disabled = true);
  try {
    const answer = await fetch(...await requestOf(source, description));
    if (answer.type === 'opaqueredirect' || answer.status === 401) {
      showProblem(source, {detail: 'Your session has ended. Sign in in another tab, then try again here: nothing that you have entered is lost.'});
      return;
    }
    const text = await answer.text();
    const body = text ? JSON.parse(text) : {};
    if (!answer.ok) {
      showProblem(source, {detail: 'The node has refused the request with status ' + answer.status + '.', ...body});
    } else if ('result' in source.dataset) {
      if (source.dataset.ifMatch && !isPlain) {
        source.dataset.ifMatch = answer.headers.get('ETag') || '';
      }
      showResult(source, body);
    } else {
      announceNext(source.dataset.done);
      source.dataset.next ? location.assign(source.dataset.next) : location.reload();
    }
  } catch (failure) {
    const isLate = failure.name === 'TimeoutError';
    showProblem(source, {detail: isLate
      ? 'The node has not answered within a minute; the change may have been made. Load the page to see.'
      : 'The node cannot be reached. Check your connection and whether the node runs, then try again.'});
  } finally {
    buttons.forEach(button => button.disabled = false);
  }
}

document.addEventListener('submit', event => {
  const form = event.target;
  if (form.dataset.send) {
    event.preventDefault();
    const submitter = event.submitter;
    send(form, submitter?.dataset.override || form.dataset.send, submitter);
  } else if (form.dataset.filter) {
    event.preventDefault();
    clearTimeout(typing);
    search(form);
  } else if (form.method === 'get') {
    event.preventDefault();
    location.assign(addressOf(form));
  }
});

document.addEventListener('click', event => {
  const button = event.target.closest('button');
  if (!button) {
    return;
  }
  if (button.dataset.send) {
    send(button, button.dataset.send);
  } else if (button.dataset.open) {
    const dialog = document.getElementById(button.dataset.open);
    if (button.dataset.target) {
      find('form', dialog).dataset.send = button.dataset.target;
      all('[data-fill]', dialog).forEach(each => each.textContent = button.dataset.fillUserName);
    }
    dialog.showModal();
  } else if ('close' in button.dataset) {
    button.closest('dialog').close();
  } else if ('menu' in button.dataset) {
    button.setAttribute('aria-expanded', String(document.body.classList.toggle('open')));
  } else if ('themeSwitch' in button.dataset) {
    switchTheme();
  }
});

// Lists behind a dialog that has changed them are shown anew when it closes.
document.addEventListener('close', event => {
  if (event.target.dataset?.changed) {
    location.reload();
  }
}, true);

// Results

/** Words of a name in camelCase. */
const label = name => name.replace(/([A-Z])/g, ' $1').toLowerCase().replace(/^./, first => first.toUpperCase());

// The members of results whose values are names of the REST interface; those of clients may look the same.
const NAMES = new Set(['action', 'decision', 'kind', 'outcome', 'proof', 'proposed', 'reason', 'role', 'type']);

function scalar(value, name) {
  if (value === null || value === '') {
    return element('span', {class: 'none'}, '–');
  }
  if (typeof value === 'boolean') {
    return document.createTextNode(value ? 'yes' : 'no');
  }
  if (typeof value === 'number') {
    return document.createTextNode(value.toLocaleString('en'));
  }
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) {
    return element('time', {datetime: value}, value);
  }
  return NAMES.has(name) && /^[A-Z][A-Z_]+$/.test(value)
    ? element('span', {class: 'state ' + value}, label(value.replaceAll('_', ' ').toLowerCase()))
    : element('span', {class: 'break'}, value);
}

function table(name, rows) {
  const columns = Object.keys(rows[0]);
  const head = element('tr', {}, ...columns.map(column => element('th', {scope: 'col'}, label(column))));
  const body = rows.map(row => element('tr', {}, ...columns.map(column => element('td', {class: typeof row[column] === 'string' && row[column].length > 24 ? 'text' : ''}, node(row[column], column)))));
  return element('div', {class: 'table'}, element('table', {}, element('caption', {}, label(name)), element('thead', {}, head), element('tbody', {}, ...body)));
}

/** The elements that show a value of the REST interface. */
function node(value, name) {
  if (Array.isArray(value)) {
    return value.length ? element('span', {class: 'break'}, value.join(', ')) : scalar(null);
  }
  if (value === null || typeof value !== 'object') {
    return scalar(value, name);
  }
  const facts = element('dl', {class: 'facts'});
  const tables = [];
  Object.entries(value).forEach(([name, part]) => {
    if (Array.isArray(part) && part.length && typeof part[0] === 'object') {
      tables.push(table(name, part));
    } else {
      facts.append(element('dt', {}, label(name)), element('dd', {}, node(part, name)));
    }
  });
  return element('div', {}, facts, ...tables);
}

/** The most important numbers of a dry run of rules in a sentence; null for other results. */
function sentence(body) {
  if (!('lostSubscriptions' in body)) {
    return null;
  }
  const {wouldDeny, wouldAllow, sampled} = body.decisions;
  const count = (number, thing) => `${number.toLocaleString('en')} ${thing}${number === 1 ? '' : 's'}`;
  const losses = body.lostSubscriptions
    ? `${count(body.losingClients, 'client')} would lose ${count(body.lostSubscriptions, 'subscription')}.` : 'No client would lose a subscription.';
  const text = `${losses} Of ${count(sampled, 'sampled decision')} of the last minutes, ${wouldDeny} would deny what was allowed, and ${wouldAllow} allow what was denied.`;
  return element('p', {class: 'notice ' + (body.lostSubscriptions || wouldDeny ? 'warn' : 'ok')}, text);
}

function showResult(source, body) {
  let place = source.tagName === 'FORM' ? find('.result', source) : find('#result');
  if (!place) {
    place = element('div', {class: 'result', 'aria-live': 'polite'});
    source.append(place);
  }
  place.replaceChildren(...[sentence(body), node(body)].filter(Boolean));
  if (body.token) {
    const copy = element('button', {type: 'button'}, 'Copy the token');
    copy.addEventListener('click', () => navigator.clipboard.writeText(body.token).then(() => announce('The token is copied.')));
    place.append(copy);
  }
  show(place);
  place.scrollIntoView({block: 'nearest'});
  const dialog = source.closest('dialog');
  if (dialog) {
    dialog.dataset.changed = 'true';
  }
}

// Theme: that of the system, dark, or light. The cookie lets the node send the page with it.

function switchTheme() {
  const themes = ['', 'dark', 'light'];
  const next = themes[(themes.indexOf(document.documentElement.dataset.theme || '') + 1) % themes.length];
  next ? document.documentElement.dataset.theme = next : delete document.documentElement.dataset.theme;
  document.cookie = `heddle-theme=${next}; path=/; max-age=${next ? 31536000 : 0}; samesite=strict`;
  announce(next ? 'The theme is ' + next + '.' : 'The theme follows the system.');
  document.dispatchEvent(new CustomEvent('heddle:theme'));
}

// Keys

let goes = false;
const keysOff = () => localStorage.getItem('heddle-keys') === 'off';

document.addEventListener('keydown', event => {
  const isTyping = event.target.closest?.('input, textarea, select, dialog');
  if (event.key === 'Escape' && isTyping && !find('dialog[open]')) {
    event.target.blur();
  }
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || keysOff()) {
    return;
  }
  if (goes) {
    goes = false;
    const link = find(`.side [data-key="${CSS.escape(event.key)}"]`);
    if (link) {
      event.preventDefault();
      link.click();
    }
  } else if (event.key === 'g') {
    goes = true;
    setTimeout(() => goes = false, 1500);
  } else if (event.key === '/') {
    event.preventDefault();
    const field = find('main [data-search]') || find('.top [data-search]');
    field.focus();
    field.select();
  } else if (event.key === '?') {
    find('#keys').showModal();
  }
});

function listKeys() {
  const list = find('[data-keys]');
  all('.side [data-key]').forEach(link => list.append(
    element('dt', {}, element('kbd', {}, link.dataset.key)),
    element('dd', {}, link.dataset.key === 'z' ? 'Your account' : link.textContent)));
  // Single keys disturb those who dictate or press keys by accident [WCAG 2.1.4].
  const box = element('input', {type: 'checkbox'});
  box.checked = !keysOff();
  box.addEventListener('change', () => localStorage.setItem('heddle-keys', box.checked ? 'on' : 'off'));
  list.after(element('label', {class: 'check'}, box, 'Use these keys'));
}

addEventListener('resize', () => letScroll());
show();
showAnnounced();
listKeys();
keepFresh();
