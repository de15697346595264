// A client that speaks MQTT over WebSocket, with the state of its session.
import {MAXIMUM_PACKET_BYTES, NetworkConnection} from './mqtt-network.js';
import * as packets from './mqtt-packets.js';
import {PacketType} from './mqtt-packets.js';
import {nameOf, reasonOf, refusalOf} from './mqtt-reasons.js';
import {Subscriptions} from './mqtt-subscriptions.js';

const LAST_PACKET_ID = 65535;
const FAILURE = 0x80;

/**
 * One client. It calls these methods of its listener: changed() for a new state, received(message), settled(message) when a published message
 * got its outcome, subscribed() when the subscriptions have changed, kept() when a change is to be stored, and subscriptionsOf(client) for a promise
 * of the subscriptions that its session has at the broker, as far as they are known.
 */
export class Connection {
  /** The last parameter is what was kept of an earlier object: its session, and the removed subscriptions that this may still have. */
  constructor(listener, {session = null, removed = []}) {
    this.listener = listener;
    this.state = 'idle';
    this.explanation = '';
    // Of the session: resent if the broker still has it after the next CONNECT.
    this.session = session;
    this.inFlight = new Map();
    this.receivedIds = new Set();
    this.subscriptions = new Subscriptions(this, listener, removed);
    this.lastPacketId = 0;
    // Of the network connection.
    this.requests = new Map();
    this.unsent = new Set();
    this.network = null;
  }

  get isConnected() {
    return this.state === 'connected';
  }

  get isOpen() {
    return this.state === 'connecting' || this.isConnected;
  }

  /** What is to be kept for the session, besides the subscriptions of the page. */
  get kept() {
    return {session: this.session, removed: [...this.subscriptions.removed.values()]};
  }

  /** Connects. The settings are those of packets.connect, and the address. */
  open(settings) {
    const {clientId, address} = settings;
    let connect;
    let network;
    try {
      connect = packets.connect({...settings, properties: {...settings.properties, maximumPacketSize: MAXIMUM_PACKET_BYTES}});
      network = new NetworkConnection(settings, {received: packet => this.receive(packet), ended: explanation => this.lose(explanation)}, connect);
    } catch (failure) {
      this.change('closed', (connect ? 'The address is not usable: ' : 'CONNECT cannot be sent: ') + failure.message);
      return;
    }
    if (this.session && (clientId !== this.session.clientId || address !== this.session.address)) {
      this.forgetSession('another client was connected');
    }
    this.session = {clientId, address};
    this.settings = settings;
    this.version = settings.version;
    this.network = network;
    this.change('connecting', '');
  }

  /** Sends DISCONNECT. */
  close() {
    if (this.isConnected) {
      this.send(packets.disconnect());
    }
    this.network.end('Disconnected.');
  }

  /** Closes the connection without DISCONNECT, as a failure of the network would: the broker publishes the will. */
  drop() {
    this.network.end('Dropped without DISCONNECT.');
  }

  lose(explanation) {
    this.network = null;
    this.requests.clear();
    this.unsent.clear();
    this.subscriptions.lose();
    this.change('closed', explanation);
  }

  change(state, explanation) {
    this.state = state;
    this.explanation = explanation;
    this.listener.changed();
  }

  send(bytes) {
    this.network.send(bytes);
  }

  receive(packet) {
    if ((packet.type === PacketType.CONNACK) === this.isConnected) {
      this.network.violate(this.isConnected ? 'a second CONNACK' : 'another packet before CONNACK');
      return;
    }
    switch (packet.type) {
      case PacketType.CONNACK:
        this.begin(packet);
        break;
      case PacketType.PUBLISH:
        this.accept(packet);
        break;
      case PacketType.PUBREL:
        this.receivedIds.delete(packet.packetId);
        this.send(packets.acknowledge(PacketType.PUBCOMP, packet.packetId));
        break;
      case PacketType.PUBACK:
      case PacketType.PUBREC:
      case PacketType.PUBCOMP:
        this.proceed(packet);
        break;
      case PacketType.SUBACK:
      case PacketType.UNSUBACK:
        this.answer(packet);
        break;
      case PacketType.PINGRESP:
        this.network.onPingResponse();
        break;
      case PacketType.DISCONNECT:
        this.network.end('The broker has disconnected the client: ' + reasonOf(packet));
        break;
    }
  }

  begin(connack) {
    if (connack.reason) {
      this.network.end(refusalOf(connack, this.version));
      return;
    }
    this.capabilities = connack.properties;
    this.isSessionPresent = connack.isSessionPresent;
    this.clientId = connack.properties.assignedClientIdentifier ?? this.settings.clientId;
    this.network.accept(connack.properties.serverKeepAlive ?? this.settings.keepAlive);
    this.change('connected', '');
    if (connack.isSessionPresent) {
      // [MQTT-4.4.0-1]
      this.inFlight.forEach(({isReleased}, packetId) => isReleased
        ? this.send(packets.acknowledge(PacketType.PUBREL, packetId)) : this.unsent.add(packetId));
      this.resend();
    } else {
      this.forgetSession('the session has ended');
    }
    this.subscriptions.begin(connack.isSessionPresent);
    if (connack.isSessionPresent) {
      const {network} = this;
      this.listener.subscriptionsOf(this).then(found => this.network === network && this.subscriptions.adopt(found));
    }
  }

  get receiveMaximum() {
    return this.capabilities.receiveMaximum ?? LAST_PACKET_ID;
  }

  /** Sends again what the session has in flight, as far as this connection permits: [MQTT-3.3.4-7]. */
  resend() {
    for (const packetId of this.unsent) {
      if (this.inFlight.size - this.unsent.size >= this.receiveMaximum) {
        return;
      }
      this.unsent.delete(packetId);
      const {message} = this.inFlight.get(packetId);
      try {
        this.send(this.encode({...message, packetId, isDuplicate: true}));
      } catch (failure) {
        this.inFlight.delete(packetId);
        this.conclude(message, 'failed', 'not sent again: ' + sentenceOf(failure));
      }
    }
  }

  forgetSession(cause) {
    this.receivedIds.clear();
    this.subscriptions.forgetRemoved();
    const lost = [...this.inFlight.values()];
    this.inFlight.clear();
    lost.forEach(({message}) => this.conclude(message, 'failed', 'not acknowledged; ' + cause));
  }

  accept(packet) {
    if (packet.qos === 1) {
      this.send(packets.acknowledge(PacketType.PUBACK, packet.packetId));
    } else if (packet.qos === 2) {
      this.send(packets.acknowledge(PacketType.PUBREC, packet.packetId));
      if (this.receivedIds.has(packet.packetId)) {
        return;
      }
      this.receivedIds.add(packet.packetId);
    }
    this.listener.received(packet);
  }

  /** Returns the bytes of PUBLISH. Throws RangeError if the broker has said in CONNACK that it does not accept the message. */
  encode(message) {
    const {maximumQos = 2, retainAvailable = 1} = this.capabilities;
    if (message.qos > maximumQos) {
      throw new RangeError(`The broker accepts at most QoS ${maximumQos} (Maximum QoS).`);
    }
    if (message.retain && !retainAvailable) {
      throw new RangeError('The broker accepts no retained messages (Retain Available).');
    }
    return this.checked(packets.publish({...message, version: this.version}));
  }

  /** Returns the bytes of a packet. Throws RangeError if they are too many for the broker: [MQTT-3.2.2-15]. */
  checked(bytes) {
    const maximum = this.capabilities.maximumPacketSize;
    if (bytes.length > maximum) {
      throw new RangeError(`The packet has ${bytes.length} bytes; the broker accepts ${maximum} (Maximum Packet Size).`);
    }
    return bytes;
  }

  /** Publishes a message: topic, payload, qos, retain and properties. Throws RangeError if it may not be sent now. */
  publish(message) {
    if (!message.qos) {
      this.send(this.encode(message));
      this.conclude(message, 'sent', 'sent');
      return;
    }
    if (this.inFlight.size >= this.receiveMaximum) {
      throw new RangeError(`The broker accepts ${this.receiveMaximum} unacknowledged messages; wait for acknowledgements.`);
    }
    const packetId = this.nextPacketId();
    const bytes = this.encode({...message, packetId});
    this.inFlight.set(packetId, {message, isReleased: false});
    message.state = 'waiting';
    message.outcome = 'not yet acknowledged';
    this.send(bytes);
  }

  /** Takes the next step of a published message: PUBACK, or PUBREC and PUBCOMP. */
  proceed(packet) {
    const {type, packetId} = packet;
    const sent = this.inFlight.get(packetId);
    if (sent && (type === PacketType.PUBACK) !== (sent.message.qos === 1)) {
      this.network.violate(`${packets.nameOf(type)} for a message with QoS ${sent.message.qos}`);
    } else if (sent && type === PacketType.PUBCOMP && !sent.isReleased) {
      this.network.violate('PUBCOMP before PUBREC');
    } else if (type === PacketType.PUBREC && packet.reason < FAILURE) {
      if (sent) {
        sent.isReleased = true;
        this.unsent.delete(packetId);
      }
      this.send(packets.acknowledge(PacketType.PUBREL, packetId));
    } else if (sent) {
      this.settle(sent, packet);
    }
  }

  settle({message}, packet) {
    this.inFlight.delete(packet.packetId);
    this.unsent.delete(packet.packetId);
    const isRefused = packet.reason >= FAILURE;
    this.conclude(message, isRefused ? 'failed' : 'acknowledged',
      isRefused ? 'refused: ' + reasonOf(packet) : packet.reason ? 'acknowledged: ' + nameOf(packet.reason) : 'acknowledged');
    this.resend();
  }

  conclude(message, state, outcome) {
    message.state = state;
    message.outcome = outcome;
    this.listener.settled(message);
  }

  /** Sends a packet with a new packet identifier. Calls onAnswer with the answer, or onProblem with a sentence if it may not be sent. */
  ask(type, encode, onAnswer, onProblem) {
    const packetId = this.nextPacketId();
    let bytes;
    try {
      bytes = this.checked(encode(packetId));
    } catch (failure) {
      onProblem(sentenceOf(failure));
      return;
    }
    this.requests.set(packetId, {type, onAnswer});
    this.send(bytes);
  }

  answer(packet) {
    const request = this.requests.get(packet.packetId);
    if (request && request.type !== packet.type) {
      this.network.violate(`${packets.nameOf(packet.type)} where ${packets.nameOf(request.type)} is due`);
      return;
    }
    this.requests.delete(packet.packetId);
    request?.onAnswer(packet);
  }

  nextPacketId() {
    do {
      this.lastPacketId = this.lastPacketId % LAST_PACKET_ID + 1;
    } while (this.inFlight.has(this.lastPacketId) || this.requests.has(this.lastPacketId));
    return this.lastPacketId;
  }
}

/** Returns the sentence of a refusal to send. Throws everything else, which is an error of the page. */
function sentenceOf(failure) {
  if (!(failure instanceof RangeError)) {
    throw failure;
  }
  return failure.message;
}
