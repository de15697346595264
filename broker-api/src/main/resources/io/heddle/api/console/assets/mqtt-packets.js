// The packets of MQTT 3.1.1 and 5.0 as bytes, as a client sends and receives them.
export const PacketType = {
  CONNECT: 1, CONNACK: 2, PUBLISH: 3, PUBACK: 4, PUBREC: 5, PUBREL: 6, PUBCOMP: 7, SUBSCRIBE: 8, SUBACK: 9, UNSUBSCRIBE: 10, UNSUBACK: 11,
  PINGREQ: 12, PINGRESP: 13, DISCONNECT: 14,
};
/** Returns the name of a packet type. */
export const nameOf = type => Object.keys(PacketType).find(name => PacketType[name] === type);
const PROPERTIES = {
  payloadFormatIndicator: [0x01, 'byte'], messageExpiryInterval: [0x02, 'fourBytes'], contentType: [0x03, 'string'],
  responseTopic: [0x08, 'string'], correlationData: [0x09, 'binary'], subscriptionIdentifiers: [0x0b, 'variable'],
  sessionExpiryInterval: [0x11, 'fourBytes'], assignedClientIdentifier: [0x12, 'string'], serverKeepAlive: [0x13, 'twoBytes'],
  authenticationMethod: [0x15, 'string'], authenticationData: [0x16, 'binary'], willDelayInterval: [0x18, 'fourBytes'],
  responseInformation: [0x1a, 'string'], serverReference: [0x1c, 'string'], reasonString: [0x1f, 'string'],
  receiveMaximum: [0x21, 'twoBytes'], topicAliasMaximum: [0x22, 'twoBytes'], topicAlias: [0x23, 'twoBytes'], maximumQos: [0x24, 'byte'],
  retainAvailable: [0x25, 'byte'], userProperties: [0x26, 'pair'], maximumPacketSize: [0x27, 'fourBytes'],
  wildcardSubscriptionAvailable: [0x28, 'byte'], subscriptionIdentifierAvailable: [0x29, 'byte'], sharedSubscriptionAvailable: [0x2a, 'byte'],
};
const BY_IDENTIFIER = new Map(Object.entries(PROPERTIES).map(([name, [identifier, type]]) => [identifier, {name, type}]));
const REPEATED = new Set(['userProperties', 'subscriptionIdentifiers']);
/** Of a text, and of the payload of a will. */
export const MAXIMUM_TEXT_BYTES = 65535;
const MAXIMUM_LENGTH = 268435455;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});

function concatenate(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  parts.forEach(part => {
    all.set(part, at);
    at += part.length;
  });
  return all;
}

const join = (...parts) => concatenate(parts);

const write = {
  byte: value => Uint8Array.of(value),
  twoBytes: value => Uint8Array.of(value >> 8, value),
  fourBytes: value => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value),
  variable(value) {
    const bytes = [];
    do {
      bytes.push(value % 128 + (value > 127 ? 128 : 0));
      value = Math.floor(value / 128);
    } while (value);
    return Uint8Array.from(bytes);
  },
  binary(value) {
    if (value.length > MAXIMUM_TEXT_BYTES) {
      throw new RangeError('Texts and the payload of a will have at most 65,535 bytes.');
    }
    return join(write.twoBytes(value.length), value);
  },
  string: value => write.binary(encoder.encode(value)),
  pair: ([name, value]) => join(write.string(name), write.string(value)),
  properties(version, values = {}) {
    if (version < 5) {
      return new Uint8Array();
    }
    const parts = Object.entries(values).filter(([, value]) => value !== undefined).flatMap(([name, value]) => {
      const [identifier, type] = PROPERTIES[name];
      return (REPEATED.has(name) ? value : [value]).map(each => join(write.byte(identifier), write[type](each)));
    });
    const all = concatenate(parts);
    return join(write.variable(all.length), all);
  },
  packet(type, flags, ...parts) {
    const body = concatenate(parts);
    if (body.length > MAXIMUM_LENGTH) {
      throw new RangeError('A packet of MQTT has at most 256 MiB.');
    }
    return join(write.byte(type << 4 | flags), write.variable(body.length), body);
  },
};

/**
 * Returns the bytes of CONNECT. As all functions of this kind, throws RangeError if a value is too long for a packet.
 *
 * @param version the protocol level: 4 or 5
 * @param userName undefined for none, as is the password
 * @param will undefined for none; else with topic, payload, qos, retain and properties
 */
export function connect({version, clientId, cleanStart, keepAlive, properties, will, userName, password}) {
  const flags = (userName === undefined ? 0 : 0x80) | (password === undefined ? 0 : 0x40) | (cleanStart ? 2 : 0)
    | (will ? 4 | will.qos << 3 | (will.retain ? 0x20 : 0) : 0);
  const ofWill = will ? [write.properties(version, will.properties), write.string(will.topic), write.binary(will.payload)] : [];
  return write.packet(PacketType.CONNECT, 0,
    write.string('MQTT'), Uint8Array.of(version, flags), write.twoBytes(keepAlive), write.properties(version, properties),
    write.string(clientId), ...ofWill,
    ...[userName, password].filter(value => value !== undefined).map(write.string));
}

export function publish({version, topic, payload, qos, retain, isDuplicate, packetId, properties}) {
  return write.packet(PacketType.PUBLISH, (isDuplicate ? 8 : 0) | qos << 1 | (retain ? 1 : 0),
    write.string(topic), qos ? write.twoBytes(packetId) : new Uint8Array(), write.properties(version, properties), payload);
}

/** Returns the bytes of PUBACK, PUBREC, PUBREL or PUBCOMP, for success. */
export const acknowledge = (type, packetId) => write.packet(type, type === PacketType.PUBREL ? 2 : 0, write.twoBytes(packetId));

export function subscribe({version, packetId, filter, qos, noLocal, retainAsPublished, retainHandling, identifier}) {
  const options = version < 5 ? qos : qos | (noLocal ? 4 : 0) | (retainAsPublished ? 8 : 0) | retainHandling << 4;
  return write.packet(PacketType.SUBSCRIBE, 2, write.twoBytes(packetId),
    write.properties(version, {subscriptionIdentifiers: identifier && [identifier]}), write.string(filter), write.byte(options));
}

export const unsubscribe = ({version, packetId, filter}) => write.packet(PacketType.UNSUBSCRIBE, 2,
  write.twoBytes(packetId), write.properties(version), write.string(filter));

export const pingRequest = () => write.packet(PacketType.PINGREQ, 0);
/** Returns the bytes of DISCONNECT. Only MQTT 5.0 has reasons other than 0. */
export const disconnect = (reason = 0) => write.packet(PacketType.DISCONNECT, 0, reason ? write.byte(reason) : []);

/** Reads the values of a packet one after another. Throws RangeError at its end, and TypeError for text that is not UTF-8. */
class Cursor {
  constructor(bytes) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.bytes = bytes;
    this.at = 0;
  }

  get hasMore() {
    return this.at < this.bytes.length;
  }

  byte() {
    return this.view.getUint8(this.at++);
  }

  twoBytes() {
    this.at += 2;
    return this.view.getUint16(this.at - 2);
  }

  fourBytes() {
    this.at += 4;
    return this.view.getUint32(this.at - 4);
  }

  variable() {
    let value = 0;
    for (let factor = 1; factor <= 128 ** 3; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) {
        return value;
      }
    }
    throw new RangeError('a length of more than four bytes');
  }

  take(length) {
    if (this.at + length > this.bytes.length) {
      throw new RangeError('the packet ends too early');
    }
    this.at += length;
    // A copy: a kept part would keep the whole frame in memory.
    return this.bytes.slice(this.at - length, this.at);
  }

  binary() {
    return this.take(this.twoBytes());
  }

  string() {
    return decoder.decode(this.binary());
  }

  pair() {
    return [this.string(), this.string()];
  }

  rest() {
    return this.take(this.bytes.length - this.at);
  }

  properties(version) {
    const values = {};
    if (version < 5 || !this.hasMore) {
      return values;
    }
    const end = this.variable() + this.at;
    while (this.at < end) {
      const known = BY_IDENTIFIER.get(this.variable());
      if (!known) {
        throw new RangeError('an unknown property');
      }
      const value = this[known.type]();
      if (REPEATED.has(known.name)) {
        (values[known.name] ||= []).push(value);
      } else {
        values[known.name] = value;
      }
    }
    return values;
  }
}

function decode(type, flags, body, version) {
  const cursor = new Cursor(body);
  switch (type) {
    case PacketType.CONNACK:
      return {type, isSessionPresent: (cursor.byte() & 1) === 1, reason: cursor.byte(), properties: cursor.properties(version)};
    case PacketType.PUBLISH: {
      const topic = cursor.string();
      const qos = flags >> 1 & 3;
      if (qos === 3) {
        // [MQTT-3.3.1-4]
        throw new RangeError('PUBLISH with QoS 3');
      }
      const packetId = qos ? cursor.twoBytes() : 0;
      const properties = cursor.properties(version);
      return {type, topic, qos, packetId, properties, retain: (flags & 1) === 1, isDuplicate: (flags & 8) === 8, payload: cursor.rest()};
    }
    case PacketType.PUBACK:
    case PacketType.PUBREC:
    case PacketType.PUBREL:
    case PacketType.PUBCOMP:
      return {type, packetId: cursor.twoBytes(), reason: cursor.hasMore ? cursor.byte() : 0, properties: cursor.properties(version)};
    case PacketType.SUBACK:
    case PacketType.UNSUBACK: {
      const packetId = cursor.twoBytes();
      const properties = cursor.properties(version);
      return {type, packetId, properties, reason: cursor.hasMore ? cursor.byte() : 0};
    }
    case PacketType.PINGRESP:
      return {type};
    case PacketType.DISCONNECT:
      return {type, reason: cursor.hasMore ? cursor.byte() : 0, properties: cursor.properties(version)};
    default:
      throw new RangeError('a packet of type ' + type);
  }
}

/** Cuts the bytes of a connection into packets. */
export class PacketReader {
  /** The maximum is that of a packet, in bytes. */
  constructor(version, maximum) {
    this.version = version;
    this.maximum = maximum;
    this.unread = [];
    this.available = 0;
    this.needed = 0;
  }

  /** Returns the packets that these bytes complete. Throws RangeError or TypeError if they are malformed or too large. */
  read(bytes) {
    this.unread.push(bytes);
    this.available += bytes.length;
    // Not joined for each of many frames: that would copy a large packet again and again.
    if (this.available < this.needed) {
      return [];
    }
    const all = concatenate(this.unread);
    const packets = [];
    let from = 0;
    let end = this.endOfPacket(all, from);
    for (; end <= all.length; end = this.endOfPacket(all, from)) {
      const cursor = new Cursor(all.subarray(from, end));
      const first = cursor.byte();
      cursor.variable();
      packets.push(decode(first >> 4, first & 15, all.subarray(from + cursor.at, end), this.version));
      from = end;
    }
    this.unread = [all.slice(from)];
    this.available = all.length - from;
    this.needed = end === Infinity ? 0 : end - from;
    return packets;
  }

  /** Returns the position behind the packet that begins here; Infinity if its length is not complete. */
  endOfPacket(bytes, from) {
    const available = Math.min(bytes.length - from, 5);
    for (let length = 2; length <= available; length++) {
      if (bytes[from + length - 1] < 128 || length === 5) {
        const cursor = new Cursor(bytes.subarray(from, from + length));
        cursor.byte();
        const size = cursor.variable() + length;
        if (size > this.maximum) {
          throw new RangeError(`${size} bytes, where this page accepts ${this.maximum}`);
        }
        return from + size;
      }
    }
    return Infinity;
  }
}
