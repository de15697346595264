// The messages of a connection: a bounded log, and the list that shows it.
import {base64Of, hexOf, payloadElements, preview, textOf} from './mqtt-payload.js';

const MAXIMUM_MESSAGES = 1000;
const MAXIMUM_BYTES = 8 << 20;
/** About what a browser needs for a value besides its content. */
const VALUE_BYTES = 32;
const ROWS = 200;
const DRAW_MILLIS = 100;
const FILTER_DELAY_MILLIS = 150;
const STATUS_MILLIS = 1000;
const time = new Intl.DateTimeFormat('en-GB', {hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3});
const count = new Intl.NumberFormat('en');
const lenient = new TextDecoder();

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  if (text !== undefined) {
    made.textContent = text;
  }
  return made;
}

/** Returns about how many bytes of memory a value takes: of a property, or a list of values. */
function sizeOf(value) {
  const content = typeof value === 'string' ? 2 * value.length
    : Array.isArray(value) ? value.reduce((sum, each) => sum + sizeOf(each), 0)
      : value instanceof Uint8Array ? value.length : 0;
  return VALUE_BYTES + content;
}

/** The latest messages: at most 1,000 with 8 MiB. */
class MessageLog {
  constructor() {
    this.numbered = 0;
    this.clear();
  }

  clear() {
    this.messages = [];
    this.bytes = 0;
    this.total = 0;
  }

  add(message) {
    message.number = ++this.numbered;
    this.total++;
    this.messages.push(message);
    message.size = sizeOf([message.topic, message.payload, ...Object.values(message.properties)]);
    this.bytes += message.size;
    while (this.messages.length > MAXIMUM_MESSAGES || (this.bytes > MAXIMUM_BYTES && this.messages.length > 1)) {
      this.bytes -= this.messages.shift().size;
    }
  }
}

/** The list of messages, the newest first. It has a bounded number of rows and is drawn ten times in a second, so that it keeps up with any rate. */
export class MessageList {
  /**
   * @param panel the element with the list and its controls
   * @param reuse is called with a message to be published again
   * @param say is called with a sentence about a result
   */
  constructor(panel, {reuse, say}) {
    this.log = new MessageLog();
    this.list = panel.querySelector('[data-messages]');
    this.status = panel.querySelector('[data-messages-status]');
    this.empty = panel.querySelector('[data-messages-empty]');
    this.text = panel.querySelector('[name=messageFilter]');
    this.direction = panel.querySelector('[name=direction]');
    this.format = panel.querySelector('[name=view]');
    this.pause = panel.querySelector('[data-pause]');
    this.reuse = reuse;
    this.say = say;
    this.more = panel.querySelector('[data-more]');
    this.limit = ROWS;
    this.drawn = 0;
    this.drawnAt = -Infinity;
    this.isScheduled = false;
    this.statusAt = -Infinity;
    this.text.addEventListener('input', () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.drawAll(), FILTER_DELAY_MILLIS);
    });
    this.direction.addEventListener('change', () => this.drawAll());
    this.format.addEventListener('change', () => this.drawAll());
    this.pause.addEventListener('click', () => {
      this.pause.setAttribute('aria-pressed', String(!this.isPaused));
      this.schedule();
    });
    panel.querySelector('[data-clear]').addEventListener('click', () => {
      this.log.clear();
      this.limit = ROWS;
      this.drawAll();
    });
    this.more.addEventListener('click', () => {
      this.limit += ROWS;
      this.drawAll();
    });
    // The event does not bubble.
    this.list.addEventListener('toggle', event => this.showDetails(event.target), true);
    this.list.addEventListener('click', event => this.act(event.target.closest('button')));
  }

  get isPaused() {
    return this.pause.getAttribute('aria-pressed') === 'true';
  }

  add(message) {
    this.log.add(message);
    this.schedule();
  }

  /** Shows the outcome of a sent message that is in the list. */
  settle(message) {
    const badge = message.row?.querySelector('[data-outcome]');
    if (badge) {
      showOutcome(badge, message);
    }
  }

  schedule() {
    if (!this.isScheduled) {
      this.isScheduled = true;
      setTimeout(() => requestAnimationFrame(() => this.draw()), this.drawnAt + DRAW_MILLIS - performance.now());
    }
  }

  drawAll() {
    this.statusAt = -Infinity;
    this.list.replaceChildren();
    this.drawn = 0;
    this.draw(true);
  }

  draw(isForced = false) {
    this.isScheduled = false;
    this.drawnAt = performance.now();
    const messages = this.log.messages;
    if (!this.isPaused || isForced) {
      const rows = [];
      for (let i = messages.length - 1; i >= 0 && messages[i].number > this.drawn && rows.length < this.limit; i--) {
        if (this.isWanted(messages[i])) {
          rows.push(this.row(messages[i]));
        }
      }
      const oldest = messages[0]?.number ?? Infinity;
      let last = this.list.lastElementChild;
      while (last && (last.message.number < oldest || this.list.childElementCount + rows.length > this.limit)) {
        last.message.row = null;
        last.remove();
        last = this.list.lastElementChild;
      }
      this.list.prepend(...rows);
      this.drawn = messages.at(-1)?.number ?? this.log.numbered;
    }
    const shown = this.list.childElementCount;
    this.empty.hidden = messages.length > 0;
    this.list.hidden = !messages.length;
    this.more.hidden = shown < this.limit || shown === messages.length;
    this.showStatus();
  }

  isWanted(message) {
    const wanted = this.text.value.toLowerCase();
    return (!this.direction.value || this.direction.value === message.direction)
      && (!wanted || message.topic.toLowerCase().includes(wanted) || lenient.decode(message.payload).toLowerCase().includes(wanted));
  }

  /** Not in every frame: nobody reads so fast, and screen readers would never stop. */
  showStatus() {
    const now = performance.now();
    clearTimeout(this.later);
    if (now - this.statusAt < STATUS_MILLIS) {
      this.later = setTimeout(() => this.showStatus(), STATUS_MILLIS);
      return;
    }
    this.statusAt = now;
    const {messages, total, numbered} = this.log;
    const kept = messages.length;
    const shown = this.list.childElementCount;
    this.status.textContent = [
      `${count.format(total)} ${total === 1 ? 'message' : 'messages'}.`,
      kept < total && `The latest ${count.format(kept)} are kept; ${count.format(total - kept)} were let go.`,
      this.isPaused ? `Paused; ${count.format(numbered - this.drawn)} new.` : shown < kept && `${count.format(shown)} are shown.`,
    ].filter(Boolean).join(' ');
  }

  row(message) {
    const row = element('li', 'mqtt-message');
    const details = row.appendChild(document.createElement('details'));
    const summary = details.appendChild(element('summary', ''));
    const isReceived = message.direction === 'received';
    const mark = element('span', 'mqtt-mark', isReceived ? '↓' : '↑');
    mark.dataset.colour = message.colour || 0;
    mark.title = isReceived ? 'Received by ' + (message.filters.join(', ') || 'no subscription of this page') : 'Sent';
    mark.append(element('span', 'hidden', isReceived ? ' received' : ' sent'));
    summary.append(
      mark,
      element('span', 'mqtt-time', time.format(message.at)),
      element('span', 'mqtt-topic', message.topic),
      element('span', 'state', 'QoS ' + message.qos));
    if (message.retain) {
      summary.append(element('span', 'state warn', 'Retain'));
    }
    if (message.isDuplicate) {
      summary.append(element('span', 'state warn', 'DUP'));
    }
    if (!isReceived) {
      const badge = summary.appendChild(element('span', 'state'));
      badge.dataset.outcome = '';
      showOutcome(badge, message);
    }
    summary.append(element('span', 'mqtt-preview', preview(message.payload, this.format.value)));
    row.message = message;
    message.row = row;
    return row;
  }

  showDetails(details) {
    if (!details.open || details.children.length > 1) {
      return;
    }
    const {message} = details.parentElement;
    const facts = element('dl', 'facts');
    factsOf(message).forEach(([name, value]) => facts.append(element('dt', '', name), element('dd', '', value)));
    const actions = element('p', 'actions');
    const {responseTopic} = message.properties;
    const known = [['copy', 'Copy the payload'], ['reuse', 'Edit and publish'], responseTopic && ['answer', 'Answer to ' + responseTopic]];
    known.filter(Boolean).forEach(([action, text]) => {
      const button = actions.appendChild(element('button', '', text));
      button.type = 'button';
      button.dataset.action = action;
    });
    const body = element('div', 'mqtt-details');
    body.append(facts, ...payloadElements(message.payload, this.format.value), actions);
    details.append(body);
  }

  async act(button) {
    const message = button?.closest('li').message;
    if (button?.dataset.action === 'reuse') {
      this.reuse(message);
    } else if (button?.dataset.action === 'answer') {
      const {responseTopic: topic, correlationData} = message.properties;
      this.reuse({topic, payload: new Uint8Array(), qos: message.qos, retain: false, properties: {correlationData}});
    } else if (button?.dataset.action === 'copy') {
      const text = textOf(message.payload);
      try {
        await navigator.clipboard.writeText(text ?? base64Of(message.payload));
        this.say(text === null ? 'The payload is copied as Base64, because it is not UTF-8.' : 'The payload is copied.');
      } catch {
        // Browsers have a clipboard only for pages of this machine or with TLS, and the reader may forbid it.
        this.say('The browser does not permit this page to copy: select the payload, or open the console over HTTPS.', 'bad');
      }
    }
  }
}

function showOutcome(badge, message) {
  const isLong = message.state === 'failed' || message.outcome?.includes(':');
  badge.className = 'state ' + ({failed: 'bad', acknowledged: 'ok', waiting: 'warn'}[message.state] ?? '') + (isLong ? ' mqtt-outcome' : '');
  badge.textContent = message.outcome ?? '';
}

function factsOf(message) {
  const {properties} = message;
  return [
    ['Topic', message.topic],
    ['Time', message.at.toISOString()],
    ['Size', count.format(message.payload.length) + (message.payload.length === 1 ? ' byte' : ' bytes')],
    ['Subscriptions', message.filters?.join(', ')],
    ['Payload Format', properties.payloadFormatIndicator === 1 ? 'UTF-8' : undefined],
    ['Content Type', properties.contentType],
    ['Message Expiry', properties.messageExpiryInterval === undefined ? undefined : properties.messageExpiryInterval + ' s'],
    ['Response Topic', properties.responseTopic],
    ['Correlation Data', properties.correlationData && (textOf(properties.correlationData) ?? '0x' + hexOf(properties.correlationData))],
    ...(properties.userProperties ?? []).map(([name, value]) => ['User Property ' + name, value]),
  ].filter(([, value]) => value !== undefined && value !== '');
}
