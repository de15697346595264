// The addresses at which this browser reaches the listeners of the node for WebSocket.
const EVERY_ADDRESS = new Set(['0.0.0.0', '[::]']);
const needsTls = location.protocol === 'https:';

const isLoopback = host => host === 'localhost' || host === '[::1]' || host.startsWith('127.');
const isPreferred = address => address.startsWith(needsTls ? 'wss:' : 'ws:');

/** Returns the addresses for the listeners of the node, which are URIs; first those that fit the page. */
export function addresses(listeners) {
  const all = listeners.map(listener => /^(wss?):\/\/(.+):(\d+)(\/\S*)?$/.exec(listener)).filter(Boolean)
    .map(([, scheme, host, port, path = '']) => {
      // The host of the page, which the browser can reach and whose pages the listener accepts.
      const isElsewhere = !EVERY_ADDRESS.has(host) && isLoopback(location.hostname) && !isLoopback(host);
      return `${scheme}://${isElsewhere ? host : location.hostname}:${port}${path}`;
    });
  return [...all.filter(isPreferred), ...all.filter(address => !isPreferred(address))];
}

/** Returns a sentence that says why the page cannot connect to this node, and what to do; empty if it can. */
export function listenerProblem(known) {
  if (location.hostname.startsWith('[')) {
    return 'A Content-Security-Policy cannot name IPv6 addresses, so the browser will not connect: open the console by a name or an IPv4 address.';
  }
  if (needsTls) {
    return known.some(isPreferred) ? ''
      : 'This node has no listener for WebSocket over TLS, which a page over HTTPS needs: heddle.mqtt.wss-port=auto opens one at port 8084.';
  }
  return known.length ? ''
    : 'This node has no listener for WebSocket: heddle.mqtt.ws-port=auto opens one at port 8083, and heddle.mqtt.wss-port=auto one with TLS at 8084.';
}

/** Returns whether the policy of the page has blocked this address: a report names all of it, its origin, or only the scheme. */
export function isReportOf(blocked, address) {
  const {href, origin, protocol} = new URL(address);
  return [href, origin, protocol.slice(0, -1)].includes(blocked);
}
