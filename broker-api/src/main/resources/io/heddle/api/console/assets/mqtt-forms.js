// The forms of the page: their values, errors beside the fields, and settings for the packets.
import {MAXIMUM_TEXT_BYTES} from './mqtt-packets.js';
import {base64Of, bytesOf, hexOf, indented, textOf} from './mqtt-payload.js';

const encoder = new TextEncoder();
let errors = 0;

/** An error of a field, with a sentence for the reader. */
class FieldError extends Error {
  constructor(field, message) {
    super(message);
    this.field = field;
  }
}

/** Returns the values of the named fields, those of passwords only if asked for. */
export function valuesOf(form, withPasswords = false) {
  const fields = [...form.elements].filter(field => field.name && (withPasswords || field.type !== 'password'));
  return Object.fromEntries(fields.map(field => [field.name, field.type === 'checkbox' ? field.checked : field.value]));
}

/** Sets the named fields; fields without a value keep theirs. */
export function fill(form, values) {
  [...form.elements].filter(field => field.name && field.name in values && field.type !== 'password').forEach(field => {
    field[field.type === 'checkbox' ? 'checked' : 'value'] = values[field.name];
  });
}

function clearErrors(form) {
  form.querySelectorAll('.error').forEach(error => error.remove());
  form.querySelectorAll('[aria-invalid]').forEach(field => {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
  });
}

/** Returns the result of the action, or shows its error beside the field and returns undefined. */
export function attempt(form, action) {
  clearErrors(form);
  try {
    return action();
  } catch (failure) {
    if (!(failure instanceof FieldError)) {
      throw failure;
    }
    const field = form.elements.namedItem(failure.field);
    const error = document.createElement('span');
    error.className = 'error';
    error.id = 'mqtt-error-' + ++errors;
    error.textContent = failure.message;
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-describedby', error.id);
    field.closest('details')?.setAttribute('open', '');
    field.after(error);
    field.focus();
    return undefined;
  }
}

function require(isRight, field, message) {
  if (!isRight) {
    throw new FieldError(field, message);
  }
}

function requireLength(values, ...fields) {
  fields.forEach(field => require(encoder.encode(values[field]).length <= MAXIMUM_TEXT_BYTES, field, 'At most 65,535 bytes of UTF-8 fit here.'));
}

const number = text => text === '' ? undefined : Number(text);

function topicOf(values, field) {
  const topic = values[field];
  require(topic !== '', field, 'Enter a topic.');
  require(!/[+#]/.test(topic), field, 'A topic has no wildcards; + and # are for subscriptions.');
  requireLength(values, field);
  return topic;
}

/** Returns the settings of a connection. */
export function connectionOf(form) {
  const values = valuesOf(form, true);
  const version = Number(values.version);
  const address = values.address.trim();
  require(/^wss?:\/\/[^/\s@]+(?:\/\S*)?$/.test(address), 'address', 'An address begins with ws:// or wss://, such as ws://127.0.0.1:8083/mqtt.');
  require(location.protocol !== 'https:' || address.startsWith('wss:'), 'address',
    'This page was loaded over HTTPS, and browsers then connect only to wss://. heddle.mqtt.wss-port opens such a listener.');
  require(version === 5 || values.cleanStart || values.clientId !== '', 'clientId', 'A session that is kept needs a client id.');
  require(version === 5 || values.userName !== '' || values.password === '', 'userName', 'In MQTT 3.1.1, a password needs a user name.');
  requireLength(values, 'clientId', 'userName', 'password', 'willPayload');
  const hasWill = values.willTopic !== '';
  return {
    version, address, clientId: values.clientId, cleanStart: values.cleanStart, keepAlive: Number(values.keepAlive),
    userName: values.userName === '' ? undefined : values.userName,
    password: values.password === '' ? undefined : values.password,
    properties: {sessionExpiryInterval: number(values.sessionExpiry)},
    will: hasWill ? {
      topic: topicOf(values, 'willTopic'), payload: encoder.encode(values.willPayload), qos: Number(values.willQos), retain: values.willRetain,
      properties: {willDelayInterval: number(values.willDelay)},
    } : undefined,
  };
}

/** Returns a new subscription. */
export function subscriptionOf(form) {
  const values = valuesOf(form);
  const filter = values.filter;
  require(filter !== '', 'filter', 'Enter a topic filter, such as plant/+/state, or # for all topics.');
  requireLength(values, 'filter');
  const levels = filter.split('/');
  require(levels.every((level, i) => level === '+' || (level === '#' && i === levels.length - 1) || !/[+#]/.test(level)), 'filter',
    'Wildcards are whole levels: + for one, and # for the last ones.');
  require(!filter.startsWith('$share/') || /^\$share\/[^/+#]+\/./.test(filter), 'filter',
    'A shared subscription is $share/, a name, / and a topic filter.');
  require(!values.noLocal || !filter.startsWith('$share/'), 'filter', 'No Local is not allowed for shared subscriptions.');
  return {...values, filter, qos: Number(values.qos), retainHandling: Number(values.retainHandling)};
}

function userPropertiesOf(text) {
  return text.split('\n').filter(line => line.trim()).map(line => {
    const [, name, value] = /^([^=]*)=(.*)$/.exec(line) ?? [];
    require(name !== undefined, 'userProperties', 'Each line has a name, an equals sign and a value.');
    return [name.trim(), value.trim()];
  });
}

const present = text => text === '' ? undefined : text;
/** Correlation Data is text, or hex behind 0x. */
const correlationOf = text => text === '' ? undefined : /^0x(?:[0-9a-f]{2})+$/i.test(text) ? bytesOf(text.slice(2), 'hex') : encoder.encode(text);

function readPayload(reader) {
  try {
    return reader();
  } catch (failure) {
    throw failure instanceof SyntaxError ? new FieldError('payload', failure.message) : failure;
  }
}

/** Returns the payload of the form as indented JSON. */
export const indentedPayloadOf = form => readPayload(() => indented(form.elements.payload.value));

/** Returns the message that the form for publishing describes. */
export function messageOf(form, version) {
  const values = valuesOf(form);
  const topic = topicOf(values, 'topic');
  const payload = readPayload(() => bytesOf(values.payload, values.format));
  requireLength(values, 'contentType', 'responseTopic', 'correlationData');
  const userProperties = userPropertiesOf(values.userProperties);
  require(!/[+#]/.test(values.responseTopic), 'responseTopic', 'A topic has no wildcards.');
  return {
    topic, payload, qos: Number(values.qos), retain: values.retain,
    properties: version < 5 ? {} : {
      payloadFormatIndicator: values.isText ? 1 : undefined,
      messageExpiryInterval: number(values.expiry),
      contentType: present(values.contentType),
      responseTopic: present(values.responseTopic),
      correlationData: correlationOf(values.correlationData),
      userProperties: userProperties.length ? userProperties : undefined,
    },
  };
}

/** Returns the values of the form for a message. */
export function formOf({topic, payload, qos, retain, properties}) {
  const text = textOf(payload);
  return {
    topic, qos: String(qos), retain, format: text === null ? 'base64' : 'text', payload: text ?? base64Of(payload),
    isText: properties.payloadFormatIndicator === 1, expiry: properties.messageExpiryInterval ?? '', contentType: properties.contentType ?? '',
    responseTopic: properties.responseTopic ?? '',
    correlationData: properties.correlationData ? textOf(properties.correlationData) ?? '0x' + hexOf(properties.correlationData) : '',
    userProperties: (properties.userProperties ?? []).map(each => each.join('=')).join('\n'),
  };
}
