// Reason codes in words: the names are those of the standard.
const NAMES = {
  0x00: 'Success', 0x01: 'Granted QoS 1', 0x02: 'Granted QoS 2', 0x04: 'Disconnect with Will Message', 0x10: 'No matching subscribers',
  0x11: 'No subscription existed', 0x18: 'Continue authentication', 0x19: 'Re-authenticate', 0x80: 'Unspecified error', 0x81: 'Malformed Packet',
  0x82: 'Protocol Error', 0x83: 'Implementation specific error', 0x84: 'Unsupported Protocol Version', 0x85: 'Client Identifier not valid',
  0x86: 'Bad User Name or Password', 0x87: 'Not authorized', 0x88: 'Server unavailable', 0x89: 'Server busy', 0x8a: 'Banned',
  0x8b: 'Server shutting down', 0x8c: 'Bad authentication method', 0x8d: 'Keep Alive timeout', 0x8e: 'Session taken over',
  0x8f: 'Topic Filter invalid', 0x90: 'Topic Name invalid', 0x91: 'Packet Identifier in use', 0x92: 'Packet Identifier not found',
  0x93: 'Receive Maximum exceeded', 0x94: 'Topic Alias invalid', 0x95: 'Packet too large', 0x96: 'Message rate too high', 0x97: 'Quota exceeded',
  0x98: 'Administrative action', 0x99: 'Payload format invalid', 0x9a: 'Retain not supported', 0x9b: 'QoS not supported', 0x9c: 'Use another server',
  0x9d: 'Server moved', 0x9e: 'Shared Subscriptions not supported', 0x9f: 'Connection rate exceeded', 0xa0: 'Maximum connect time',
  0xa1: 'Subscription Identifiers not supported', 0xa2: 'Wildcard Subscriptions not supported',
};
const NAMES_3 = {
  1: 'unacceptable protocol version', 2: 'identifier rejected', 3: 'server unavailable', 4: 'bad user name or password', 5: 'not authorized',
};
const RULES = 'The rules for topics deny it; the page Rules tests them.';
const REMEDIES = {
  0x84: 'Choose another version of MQTT.',
  0x85: 'Choose another client id.',
  0x86: 'Check the user name and the password; the page Credentials lists the users.',
  0x88: 'The node does not accept clients now; try again later.',
  0x89: 'Try again later.',
  0x8a: 'The page Blocked lists blocked clients.',
  0x8b: 'Connect again: another node answers, or this one after its start.',
  0x8d: 'The broker has received nothing from this page during the Keep Alive.',
  0x8e: 'Another client has connected with the same client id; give each its own.',
  0x95: 'Send a smaller message, or raise heddle.mqtt.maximum-packet-size.',
  0x96: 'Publish more slowly.',
  0x97: 'A limit of the client is reached; the page Refused names it.',
  0x98: 'An administrator, or a change of rules or credentials, has closed the connection.',
};
const CONNECT_REMEDIES = {
  0x87: 'Enter a user name and a password, or check them; the page Refused says what is not allowed.',
};

const named = (name, code) => `${name} (0x${code.toString(16).padStart(2, '0').toUpperCase()})`;
const sentences = (...parts) => parts.filter(Boolean).join(' ');

/** Returns the words for the reason code of an acknowledgement or of DISCONNECT, with the reason string of the broker. */
export function reasonOf(packet, isAboutTopic = true) {
  const name = named(NAMES[packet.reason] ?? 'Unknown reason', packet.reason);
  const given = packet.properties?.reasonString?.replace(/\.$/, '');
  const remedy = packet.reason === 0x87 && isAboutTopic ? RULES : REMEDIES[packet.reason];
  return sentences((given ? name + ': ' + given : name) + '.', remedy);
}

/** Returns the words for the reason code of a CONNACK that refuses the connection. */
export function refusalOf(connack, version) {
  if (version < 5) {
    const name = `Connection refused: ${NAMES_3[connack.reason] ?? 'unknown reason'} (${connack.reason}).`;
    const code = {1: 0x84, 2: 0x85, 3: 0x88, 4: 0x86, 5: 0x87}[connack.reason];
    return sentences(name, CONNECT_REMEDIES[code] ?? REMEDIES[code]);
  }
  return sentences(reasonOf(connack, false), CONNECT_REMEDIES[connack.reason]);
}

/** Returns only the name of the reason code. */
export const nameOf = code => named(NAMES[code] ?? 'Unknown reason', code);
