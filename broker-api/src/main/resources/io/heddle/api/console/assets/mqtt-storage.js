// What the browser keeps for the page: connections without passwords, templates, and the history of published messages.
const KEY = 'heddle-mqtt';
const MAXIMUM = {connections: 8, templates: 50, history: 50};
/** Longer payloads are not kept: browsers have about 5 MB for all that a site stores. */
const MAXIMUM_PAYLOAD_CHARACTERS = 16384;

const isText = value => typeof value === 'string';
const isLevel = value => [0, 1, 2].includes(value);
const isSubscription = value => isText(value?.filter) && value.filter !== '' && isLevel(value.qos) && isLevel(value.retainHandling);
const areSubscriptions = value => Array.isArray(value) && value.every(isSubscription);
const isSession = value => value === null || (isText(value.clientId) && isText(value.address));
const isMessage = value => isText(value?.topic) && isText(value.payload) && isText(value.qos);
/** Others may have changed the storage: pages of another version, extensions of the browser, the reader. */
const IS_USABLE = {
  connections: value => value?.settings instanceof Object && areSubscriptions(value.subscriptions)
    && areSubscriptions(value.removed ?? []) && isSession(value.session ?? null),
  templates: value => isText(value?.name) && isMessage(value.message),
  history: isMessage,
};

/** Returns what is stored: lists of connections, templates and history, the newest entry first, without damaged entries. */
export function stored() {
  let found = {};
  try {
    found = JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    // Storage is off, or the value was damaged: the page works without it.
  }
  return Object.fromEntries(Object.entries(MAXIMUM).map(([name, maximum]) =>
    [name, Array.isArray(found[name]) ? found[name].filter(IS_USABLE[name]).slice(0, maximum) : []]));
}

/** Stores a changed copy. Returns whether the browser has kept it. */
function change(edit) {
  const all = stored();
  edit(all);
  Object.entries(MAXIMUM).forEach(([name, maximum]) => all[name].length = Math.min(all[name].length, maximum));
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
    return true;
  } catch {
    return false;
  }
}

export const storeConnections = connections => change(all => all.connections = connections);

/** Returns whether the message is short enough to be kept. */
export const isKept = message => message.payload.length <= MAXIMUM_PAYLOAD_CHARACTERS;

/** Adds the values of the form for publishing to the history, once for equal ones. */
export function storePublished(message) {
  if (isKept(message)) {
    const same = JSON.stringify(message);
    change(all => all.history = [message, ...all.history.filter(each => JSON.stringify(each) !== same)]);
  }
}

export const storeTemplate = template => change(all => all.templates = [template, ...all.templates.filter(each => each.name !== template.name)]);

export const deleteTemplate = name => change(all => all.templates = all.templates.filter(each => each.name !== name));

/** Returns whether nothing is stored any more. */
export function deleteAll() {
  try {
    localStorage.removeItem(KEY);
    return true;
  } catch {
    return false;
  }
}
