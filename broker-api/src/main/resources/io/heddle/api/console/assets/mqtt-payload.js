// Payloads: what the reader enters as bytes, and bytes as text, JSON or hex.
const SHOWN_CHARACTERS = 200000;
const SHOWN_HEX_BYTES = 16384;
const PREVIEW_BYTES = 240;
const PREVIEW_HEX_BYTES = 48;
const HEX_LINE = 16;
const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});
// Not parsed and written again: that would change numbers, such as 1.0 and those above 2^53.
const JSON_TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\],]|[^\s{}[\],:"]+/g;

/** Returns the payload as text; null if it is not UTF-8. */
export function textOf(bytes) {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

export const base64Of = bytes => {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(binary);
};

export const hexOf = (bytes, separator = '') => [...bytes].map(each => each.toString(16).padStart(2, '0')).join(separator);

/** Returns the bytes that a text stands for: of a format that is text, json, base64 or hex. Throws SyntaxError with a sentence for the reader. */
export function bytesOf(text, format) {
  if (format === 'base64') {
    try {
      return Uint8Array.from(atob(text.replace(/\s/g, '')), each => each.charCodeAt(0));
    } catch {
      throw new SyntaxError('This is not Base64.');
    }
  }
  if (format === 'hex') {
    const digits = text.replace(/[\s:]/g, '');
    if (!/^(?:[0-9a-f]{2})*$/i.test(digits)) {
      throw new SyntaxError('Hex has two digits for each byte, such as 48 65 0A.');
    }
    return Uint8Array.from(digits.match(/../g) ?? [], each => parseInt(each, 16));
  }
  if (format === 'json') {
    checkJson(text);
  }
  return encoder.encode(text);
}

function checkJson(text) {
  try {
    JSON.parse(text);
  } catch (failure) {
    throw new SyntaxError('This is not JSON: ' + failure.message);
  }
}

/** Calls the consumer with each part of indented JSON and its kind. */
function indent(json, consumer) {
  let depth = 0;
  let previous = '';
  for (const [token, string, colon] of json.matchAll(JSON_TOKEN)) {
    const isEnd = token === '}' || token === ']';
    depth -= isEnd ? 1 : 0;
    const isEmpty = isEnd && (previous === '{' || previous === '[');
    if (previous === '{' || previous === '[' || previous === ',' || isEnd) {
      consumer(isEmpty ? '' : '\n' + '  '.repeat(depth));
    }
    depth += token === '{' || token === '[' ? 1 : 0;
    consumer(string ?? token, colon ? 'key' : string ? 'string' : /^[{}[\],]$/.test(token) ? '' : 'word');
    if (colon) {
      consumer(': ');
    }
    previous = token;
  }
}

/** Returns indented JSON. Throws SyntaxError with a sentence for the reader. */
export function indented(json) {
  checkJson(json);
  let all = '';
  indent(json, part => all += part);
  return all;
}

function jsonElement(json) {
  const pre = document.createElement('pre');
  indent(json, (part, kind) => {
    if (kind) {
      const span = pre.appendChild(document.createElement('span'));
      span.className = 'json-' + kind;
      span.textContent = part;
    } else {
      pre.append(part);
    }
  });
  return pre;
}

function hexLines(bytes) {
  const lines = [];
  for (let at = 0; at < Math.min(bytes.length, SHOWN_HEX_BYTES); at += HEX_LINE) {
    const line = bytes.subarray(at, at + HEX_LINE);
    const digits = hexOf(line, ' ');
    const characters = [...line].map(each => each > 31 && each < 127 ? String.fromCharCode(each) : '.').join('');
    lines.push(at.toString(16).padStart(4, '0') + '  ' + digits.padEnd(HEX_LINE * 3 - 1) + '  ' + characters);
  }
  return lines.join('\n');
}

function isStructure(text) {
  try {
    return /^\s*[{[]/.test(text) && JSON.parse(text) !== null;
  } catch {
    return false;
  }
}

/** Returns elements that show a payload as auto, text, json or hex. */
export function payloadElements(bytes, format) {
  const elements = [];
  const text = format === 'hex' ? null : textOf(bytes);
  const isShort = text !== null && text.length <= SHOWN_CHARACTERS;
  let pre = document.createElement('pre');
  if (text !== null && isShort && format !== 'text' && isStructure(text)) {
    pre = jsonElement(text);
  } else {
    pre.textContent = text === null ? hexLines(bytes) : text.slice(0, SHOWN_CHARACTERS);
  }
  pre.tabIndex = 0;
  pre.className = 'payload';
  elements.push(pre);
  const notes = [
    !bytes.length && 'The payload is empty.',
    format !== 'hex' && text === null && 'The payload is not UTF-8, so it is shown as hex.',
    format === 'json' && text !== null && bytes.length > 0 && isShort && !isStructure(text) && 'The payload is not a JSON object or array.',
    (text === null ? bytes.length > SHOWN_HEX_BYTES : !isShort) && 'Only the beginning is shown; copy it to get all.',
  ].filter(Boolean);
  if (notes.length) {
    const note = document.createElement('p');
    note.className = 'hint';
    note.textContent = notes.join(' ');
    elements.push(note);
  }
  return elements;
}

/** Returns the beginning of the payload on one line. */
export function preview(bytes, format) {
  const beginning = bytes.subarray(0, PREVIEW_BYTES);
  try {
    if (format !== 'hex') {
      // The last character may be cut.
      return new TextDecoder('utf-8', {fatal: true}).decode(beginning, {stream: true}).replace(/[\s\p{Cc}]+/gu, ' ');
    }
  } catch {
    // Not UTF-8.
  }
  return hexOf(beginning.subarray(0, PREVIEW_HEX_BYTES), ' ');
}
