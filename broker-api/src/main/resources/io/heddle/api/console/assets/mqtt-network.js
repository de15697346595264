// A network connection of a client: a WebSocket with packets of MQTT, and its Keep Alive.
import {isReportOf} from './mqtt-addresses.js';
import * as packets from './mqtt-packets.js';

const CONNECT_TIMEOUT_MILLIS = 15000;
const PROTOCOL_ERROR = 0x82;
/** Announced with MQTT 5.0, and the most that the page keeps of an unfinished packet. */
export const MAXIMUM_PACKET_BYTES = 8 << 20;

/** Connects at once, and only once. It calls received(packet), and ended(explanation) at its end. */
export class NetworkConnection {
  /** The last parameter has the bytes of CONNECT. Throws if the address is not usable. */
  constructor({address, version}, {received, ended}, connect) {
    this.address = address;
    this.version = version;
    this.received = received;
    this.ended = ended;
    this.isOver = false;
    this.hasOpened = false;
    this.isAccepted = false;
    this.socket = new WebSocket(address, ['mqtt']);
    this.listen(connect);
    // Not all browsers close a WebSocket that the policy of the page forbids.
    this.blocked = new AbortController();
    document.addEventListener('securitypolicyviolation', event => {
      if (event.effectiveDirective === 'connect-src' && isReportOf(event.blockedURI, address)) {
        this.end('The page may connect only to its own host, at every port, and to the listeners of this node.'
          + ' For another host, open the console there.');
      }
    }, {signal: this.blocked.signal});
    this.timer = setTimeout(() => this.end(`No CONNACK within ${CONNECT_TIMEOUT_MILLIS / 1000} seconds.`), CONNECT_TIMEOUT_MILLIS);
  }

  listen(connect) {
    const {socket} = this;
    const reader = new packets.PacketReader(this.version, MAXIMUM_PACKET_BYTES);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.hasOpened = true;
      this.send(connect);
    };
    // A packet may end the connection, and others follow it.
    socket.onmessage = event => !this.isOver && this.packetsOf(reader, event.data).forEach(packet => !this.isOver && this.received(packet));
    socket.onclose = () => this.end(!this.hasOpened ? this.unreachable() : this.isAccepted
      ? 'The connection was closed without DISCONNECT: by the broker, a proxy or the network.'
      : 'The broker has closed the connection before CONNACK. The page Refused says why.');
  }

  packetsOf(reader, frame) {
    if (!(frame instanceof ArrayBuffer)) {
      // [MQTT-6.0.0-1]
      this.end('The broker has sent a text frame of WebSocket, where MQTT has binary ones.');
      return [];
    }
    try {
      return reader.read(new Uint8Array(frame));
    } catch (failure) {
      if (!(failure instanceof RangeError || failure instanceof TypeError)) {
        throw failure;
      }
      this.end('The broker has sent a packet that is malformed or too large: ' + failure.message + '.');
      return [];
    }
  }

  unreachable() {
    return `No WebSocket at ${this.address}. Check host, port and path; for wss://, whether the browser trusts the certificate; and`
      + ` whether the listener allows pages of ${location.origin}: if not, add it to heddle.mqtt.ws-origins.`
      + ' The log of the node names refused origins.';
  }

  send(bytes) {
    this.socket.send(bytes);
    this.lastSent = performance.now();
  }

  /** The broker has accepted the client, which sends PINGREQ from now on; never if the interval is 0 seconds. */
  accept(keepAliveSeconds) {
    this.isAccepted = true;
    clearTimeout(this.timer);
    this.blocked.abort();
    this.keepAlive(keepAliveSeconds);
  }

  keepAlive(seconds) {
    this.pingedAt = null;
    const check = () => {
      const now = performance.now();
      if (this.pingedAt !== null && now - this.pingedAt > seconds * 1000) {
        this.end(`The broker has not answered PINGREQ within ${seconds} seconds.`);
        return;
      }
      if (this.pingedAt === null && now - this.lastSent > seconds * 400) {
        this.pingedAt = now;
        this.send(packets.pingRequest());
      }
      this.timer = setTimeout(check, seconds * 250);
    };
    if (seconds) {
      this.timer = setTimeout(check, seconds * 250);
    }
  }

  onPingResponse() {
    this.pingedAt = null;
  }

  /** Ends the connection because the broker has done what MQTT forbids. */
  violate(what) {
    if (this.version === 5) {
      this.send(packets.disconnect(PROTOCOL_ERROR));
    }
    this.end(`The broker has violated MQTT: ${what}.`);
  }

  end(explanation) {
    if (this.isOver) {
      return;
    }
    this.isOver = true;
    clearTimeout(this.timer);
    this.blocked.abort();
    this.socket.close();
    this.ended(explanation);
  }
}
