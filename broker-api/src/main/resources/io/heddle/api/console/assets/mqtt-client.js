// The page of the MQTT client: tabs with one connection each.
import {addresses, listenerProblem} from './mqtt-addresses.js';
import {Connection} from './mqtt-connection.js';
import {attempt, connectionOf, fill, formOf, indentedPayloadOf, messageOf, subscriptionOf, valuesOf} from './mqtt-forms.js';
import {MessageList} from './mqtt-messages.js';
import {preview} from './mqtt-payload.js';
import * as storage from './mqtt-storage.js';
import {subscriptionsAtNode} from './mqtt-subscriptions.js';

const MAXIMUM_CONNECTIONS = 8;
const COLOURS = 6;
const MESSAGE_MILLIS = 6000;
const page = document.querySelector('[data-mqtt]');
const tabs = page.querySelector('[role=tablist]');
const encoder = new TextEncoder();
const known = addresses(page.dataset.listeners.split(' '));
const panels = [];
let made = 0;

function say(text, kind = 'ok') {
  const message = document.createElement('div');
  message.className = 'notice ' + kind;
  message.append(Object.assign(document.createElement('p'), {textContent: text}));
  document.querySelector('#messages').append(message);
  setTimeout(() => message.remove(), MESSAGE_MILLIS);
}

function element(name, className, text = '') {
  return Object.assign(document.createElement(name), {className, textContent: text});
}

function button(text, className, onClick, label) {
  const result = element('button', className, text);
  result.type = 'button';
  result.addEventListener('click', onClick);
  if (label) {
    result.setAttribute('aria-label', label);
  }
  return result;
}

function showAddresses() {
  const options = known.map(address => Object.assign(document.createElement('option'), {value: address}));
  document.querySelector('#mqtt-addresses').replaceChildren(...options);
  const notice = page.querySelector('[data-no-listener]');
  const problem = listenerProblem(known);
  notice.hidden = !problem;
  notice.firstElementChild.textContent = problem;
}

/** A tab with one connection. */
class Panel {
  constructor(saved = {}) {
    this.number = ++made;
    const root = document.querySelector('#mqtt-panel').content.firstElementChild.cloneNode(true);
    this.root = root;
    this.connectForm = root.querySelector('[data-connect]');
    this.subscribeForm = root.querySelector('[data-subscribe]');
    this.publishForm = root.querySelector('[data-publish]');
    this.templateForm = root.querySelector('[data-template]');
    this.colours = new Map();
    this.connection = new Connection({
      changed: () => this.showState(),
      received: message => this.receive(message),
      settled: message => this.messages?.settle(message),
      subscribed: () => this.showSubscriptions(),
      kept: storeConnections,
      // Another address may be that of another broker, which this node knows nothing about.
      subscriptionsOf: async ({clientId, settings}) => known.includes(settings.address) ? subscriptionsAtNode(clientId) : [],
    }, saved);
    this.messages = new MessageList(root, {reuse: message => this.reuse(message), say});
    this.makeTab();
    fill(this.connectForm, {
      address: known[0] ?? '', clientId: 'console-' + Math.random().toString(36).slice(2, 8), ...saved.settings,
    });
    (saved.subscriptions ?? []).forEach(each => this.addSubscription(each));
    this.listen();
    this.showVersion();
    this.showSubscriptions();
    this.showState();
    this.showSaved();
    page.querySelector('[data-panels]').append(root);
  }

  makeTab() {
    this.tab = button('', '', () => select(this));
    this.tab.setAttribute('role', 'tab');
    this.tab.id = 'mqtt-tab-' + this.number;
    this.root.id = 'mqtt-panel-' + this.number;
    this.tab.setAttribute('aria-controls', this.root.id);
    this.root.setAttribute('aria-labelledby', this.tab.id);
    this.light = element('span', 'mqtt-light');
    this.name = element('span', '');
    this.tabState = element('span', 'hidden');
    this.tab.append(this.light, this.name, this.tabState);
    tabs.append(this.tab);
  }

  listen() {
    this.onSubmit(this.connectForm, () => this.connect());
    this.onSubmit(this.subscribeForm, () => this.subscribe());
    this.onSubmit(this.publishForm, () => this.publish());
    this.onSubmit(this.templateForm, () => this.saveTemplate());
    this.onClick('[data-disconnect]', () => this.connection.close());
    this.onClick('[data-drop]', () => this.connection.drop());
    this.onClick('[data-remove]', () => remove(this));
    this.onClick('[data-indent]', () => this.indent());
    this.connectForm.elements.version.addEventListener('change', () => this.showVersion());
    this.connectForm.addEventListener('change', storeConnections);
    this.connectForm.elements.clientId.addEventListener('input', () => this.showState());
  }

  onSubmit(form, action) {
    form.addEventListener('submit', event => {
      event.preventDefault();
      event.stopPropagation();
      action();
    });
  }

  onClick(selector, action) {
    this.root.querySelector(selector).addEventListener('click', action);
  }

  get version() {
    return Number(this.connectForm.elements.version.value);
  }

  get saved() {
    const {kept, subscriptions} = this.connection;
    return {
      settings: valuesOf(this.connectForm),
      subscriptions: subscriptions.wanted.map(each => ({...subscriptionSettings(each), colour: this.colourOf(each.filter)})),
      session: kept.session,
      removed: kept.removed.map(subscriptionSettings),
    };
  }

  colourOf(filter) {
    return this.colours.get(filter) ?? '1';
  }

  connect() {
    const settings = attempt(this.connectForm, () => connectionOf(this.connectForm));
    if (settings) {
      this.connection.open(settings);
      storeConnections();
    }
  }

  /** Fields of MQTT 5.0 have no effect in 3.1.1. */
  showVersion() {
    this.root.querySelectorAll('[data-only-5]').forEach(field => field.disabled = this.version < 5);
    this.connectForm.elements.cleanStart.parentElement.lastChild.textContent = this.version < 5 ? ' Clean Session' : ' Clean Start';
  }

  showState() {
    const {connection} = this;
    const words = {idle: 'Not connected', connecting: 'Connecting …', connected: 'Connected', closed: 'Not connected'}[connection.state];
    const isFailed = connection.state === 'closed' && !/^D(isconnected|ropped)/.test(connection.explanation);
    const clientId = connection.isConnected ? connection.clientId : this.connectForm.elements.clientId.value;
    this.name.textContent = clientId || 'client id of the broker';
    this.tabState.textContent = ', ' + words.toLowerCase();
    this.light.className = 'mqtt-light ' + (isFailed ? 'failed' : connection.state);
    const state = this.root.querySelector('[data-state]');
    setText(state, words);
    state.className = 'state ' + ({connected: 'ok', connecting: 'warn'}[connection.state] ?? (isFailed ? 'bad' : ''));
    setText(this.root.querySelector('[data-session]'), connection.isConnected
      ? `${clientId} at ${connection.settings.address}${connection.isSessionPresent ? ', with the session of before' : ''}`
      : isFailed ? '' : connection.explanation);
    const problem = this.root.querySelector('[data-problem]');
    problem.hidden = !isFailed;
    setText(problem.firstElementChild, isFailed ? connection.explanation : '');
    this.root.querySelector('[data-disconnect]').hidden = !connection.isOpen;
    this.root.querySelector('[data-drop]').hidden = !connection.isConnected;
    this.root.querySelectorAll('[data-connected]').forEach(each => each.disabled = !connection.isConnected);
    [...this.connectForm.elements].filter(each => each.name || each.type === 'submit').forEach(each => each.disabled = connection.isOpen);
    if (!connection.isOpen) {
      this.showVersion();
    }
    if (connection.state !== this.shownState) {
      this.shownState = connection.state;
      if (connection.state !== 'connecting') {
        this.root.querySelector('[data-settings]').open = !connection.isConnected;
      }
    }
  }

  subscribe() {
    const subscription = attempt(this.subscribeForm, () => subscriptionOf(this.subscribeForm));
    if (subscription) {
      this.addSubscription(subscription);
      this.subscribeForm.elements.filter.value = '';
      this.subscribeForm.elements.colour.value = String(this.connection.subscriptions.all.length % COLOURS + 1);
      storeConnections();
    }
  }

  addSubscription({colour, ...subscription}) {
    this.colours.set(subscription.filter, colour);
    this.connection.subscriptions.subscribe(subscription);
  }

  showSubscriptions() {
    const rows = this.connection.subscriptions.all.map(each => this.subscriptionRow(each));
    this.root.querySelector('.mqtt-subscriptions').replaceChildren(...rows);
    this.root.querySelector('[data-no-subscriptions]').hidden = rows.length > 0;
  }

  subscriptionRow(subscription) {
    const {filter, state, reason, granted} = subscription;
    const swatch = element('span', 'mqtt-swatch');
    swatch.dataset.colour = this.colourOf(filter);
    const row = element('li', '');
    row.append(swatch, element('code', '', filter));
    if (state === 'active') {
      row.append(element('span', 'state', 'QoS ' + (granted ?? 'unknown')));
    } else {
      row.append(element('span', 'state ' + (state === 'failed' ? 'bad' : 'warn'), state === 'failed' ? 'refused' : 'not subscribed'));
    }
    [['noLocal', 'No Local'], ['retainAsPublished', 'Retain As Published']].filter(([name]) => subscription[name])
      .forEach(([, words]) => row.append(element('span', 'state', words)));
    row.append(button('Unsubscribe', 'link mqtt-end', () => {
      this.connection.subscriptions.unsubscribe(subscription);
      storeConnections();
    }, 'Unsubscribe ' + filter));
    if (reason) {
      row.append(element('span', 'mqtt-reason', reason));
    }
    return row;
  }

  publish() {
    const message = attempt(this.publishForm, () => messageOf(this.publishForm, this.connection.version));
    if (!message || !this.connection.isConnected) {
      return;
    }
    Object.assign(message, {direction: 'sent', at: new Date()});
    try {
      this.connection.publish(message);
    } catch (failure) {
      if (!(failure instanceof RangeError)) {
        throw failure;
      }
      say(failure.message, 'bad');
      return;
    }
    this.messages.add(message);
    storage.storePublished(valuesOf(this.publishForm));
    panels.forEach(each => each.showSaved());
  }

  receive(packet) {
    const sources = this.connection.subscriptions.sourcesOf(packet);
    this.messages.add({
      ...packet, direction: 'received', at: new Date(), filters: sources.map(each => each.filter), colour: sources[0] && this.colourOf(sources[0].filter),
    });
  }

  /** Puts a message of the list into the form. */
  reuse(message) {
    this.fillMessage(formOf(message));
  }

  fillMessage(values) {
    fill(this.publishForm, values);
    this.publishForm.scrollIntoView({block: 'nearest'});
    this.publishForm.elements.payload.focus({preventScroll: true});
  }

  indent() {
    const {payload, format} = this.publishForm.elements;
    format.value = 'json';
    payload.value = attempt(this.publishForm, () => indentedPayloadOf(this.publishForm)) ?? payload.value;
  }

  saveTemplate() {
    const name = this.templateForm.elements.name.value.trim();
    const message = valuesOf(this.publishForm);
    if (!name) {
      this.templateForm.elements.name.focus();
    } else if (!storage.isKept(message)) {
      say('The payload is too long for a template, which has at most 16,384 characters.', 'bad');
    } else if (storage.storeTemplate({name, message})) {
      this.templateForm.reset();
      panels.forEach(each => each.showSaved());
    } else {
      say('The browser has not stored the template: its storage is full or off.', 'bad');
    }
  }

  showSaved() {
    const {templates, history} = storage.stored();
    this.showList('[data-templates]', templates, 'No templates. Enter a message above, and give it a name.', ({name, message}) => [
      button(name, 'link', () => this.fillMessage(message)),
      button('Delete', 'link mqtt-end', () => {
        storage.deleteTemplate(name);
        panels.forEach(each => each.showSaved());
      }, 'Delete the template ' + name),
    ]);
    this.showList('[data-history]', history, 'Published messages are listed here, to be edited and published again.', message => [
      button(message.topic, 'link', () => this.fillMessage(message)),
      element('span', 'state mqtt-end', 'QoS ' + message.qos),
      element('span', 'mqtt-preview', preview(encoder.encode(message.payload.slice(0, 240)), 'text')),
    ]);
  }

  showList(selector, entries, hint, parts) {
    const rows = entries.map(entry => {
      const row = element('li', '');
      row.append(...parts(entry));
      return row;
    });
    this.root.querySelector(selector).replaceChildren(...(rows.length ? rows : [element('li', 'none', hint)]));
  }
}

/** Live regions announce each change, also one to the same text. */
function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

const subscriptionSettings = ({filter, qos, noLocal, retainAsPublished, retainHandling}) =>
  ({filter, qos, noLocal, retainAsPublished, retainHandling});

function storeConnections() {
  storage.storeConnections(panels.map(each => each.saved));
}

function select(panel) {
  panels.forEach(each => {
    const isSelected = each === panel;
    each.root.hidden = !isSelected;
    // The key / finds the first field for a search.
    each.messages.text.toggleAttribute('data-search', isSelected);
    each.tab.setAttribute('aria-selected', String(isSelected));
    each.tab.tabIndex = isSelected ? 0 : -1;
  });
}

function add(saved) {
  const panel = new Panel(saved);
  panels.push(panel);
  select(panel);
  document.querySelector('[data-new]').disabled = panels.length >= MAXIMUM_CONNECTIONS;
  return panel;
}

function remove(panel) {
  if (panel.connection.isOpen) {
    panel.connection.close();
  }
  const index = panels.indexOf(panel);
  panels.splice(index, 1);
  panel.root.remove();
  panel.tab.remove();
  const next = panels[Math.min(index, panels.length - 1)] ?? add();
  select(next);
  next.tab.focus();
  document.querySelector('[data-new]').disabled = false;
  storeConnections();
}

tabs.addEventListener('keydown', event => {
  const index = panels.findIndex(each => each.tab === document.activeElement);
  const target = {ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: panels.length - 1}[event.key];
  if (target !== undefined && index >= 0) {
    event.preventDefault();
    const next = panels[(target + panels.length) % panels.length];
    select(next);
    next.tab.focus();
  }
});
document.querySelector('[data-new]').addEventListener('click', () => {
  add().connectForm.elements.clientId.focus();
  storeConnections();
});
document.querySelector('[data-forget]').addEventListener('click', () => {
  if (storage.deleteAll()) {
    panels.forEach(each => each.showSaved());
    say('The browser keeps nothing of this page any more, until you change a connection, publish or save a template.');
  } else {
    say('The browser does not let this page use its storage, so nothing was deleted.', 'bad');
  }
});

showAddresses();
storage.stored().connections.forEach(saved => add(saved));
select(panels[0] ?? add());
