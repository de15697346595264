// The subscriptions of a client: those of the page, and those that the session at the broker has besides.
import * as packets from './mqtt-packets.js';
import {PacketType} from './mqtt-packets.js';
import {reasonOf} from './mqtt-reasons.js';

const FAILURE = 0x80;
const NODE_TIMEOUT_MILLIS = 10000;

/** The list of one client, which sends the requests. Calls subscribed() of its listener for a change to show, and kept() for one to store. */
export class Subscriptions {
  /** The last parameter has the removed subscriptions that the broker may still have. */
  constructor(client, listener, removed) {
    this.client = client;
    this.listener = listener;
    this.all = [];
    // By filter: what the user has removed, and the broker may still have. The browser keeps it, as the broker keeps the session.
    this.removed = new Map(removed.map(each => [each.filter, each]));
    // The filters of those that were removed at the latest CONNACK or since.
    this.ended = new Set();
    this.lastIdentifier = 0;
  }

  /** The subscriptions without those that the user has removed and the broker still has. */
  get wanted() {
    return this.all.filter(each => this.removed.get(each.filter) !== each);
  }

  /** Sends what the session lacks, after CONNACK. */
  begin(isSessionPresent) {
    if (!isSessionPresent) {
      this.forgetRemoved();
    }
    this.ended = new Set(this.removed.keys());
    this.removed.forEach(each => this.requestEnd(each));
    this.all.forEach(each => this.request(each));
  }

  /** The session has ended, or is that of another client. */
  forgetRemoved() {
    this.removed.clear();
    this.listener.kept();
  }

  /** Adds those of the session that the page does not know, as another client or a page without this storage has made them. */
  adopt(found) {
    const missing = found.filter(({filter}) => !this.ended.has(filter) && !this.all.some(each => each.filter === filter));
    missing.forEach(each => {
      this.all.push(each);
      this.update(each, 'active', 'The session has it from before.', each.qos);
    });
    if (missing.length) {
      this.listener.kept();
    }
  }

  /** The network connection is lost. */
  lose() {
    this.removed.forEach(each => this.remove(each));
    this.all.forEach(each => this.update(each, each.state === 'failed' ? 'failed' : 'waiting', each.reason));
  }

  /** Adds a subscription, in the place of one with the same filter: filter, qos, noLocal, retainAsPublished and retainHandling. */
  subscribe(subscription) {
    this.removed.delete(subscription.filter);
    const index = this.all.findIndex(each => each.filter === subscription.filter);
    subscription.identifier = this.all[index]?.identifier ?? ++this.lastIdentifier;
    this.all.splice(index < 0 ? this.all.length : index, 1, subscription);
    this.update(subscription, 'waiting', '');
    if (this.client.isConnected) {
      this.request(subscription);
    }
  }

  /** Sends SUBSCRIBE. */
  request(subscription) {
    const hasIdentifiers = this.client.version === 5 && this.client.capabilities.subscriptionIdentifierAvailable !== 0;
    const identifier = hasIdentifiers ? subscription.identifier : undefined;
    this.client.ask(PacketType.SUBACK, packetId => packets.subscribe({...subscription, version: this.client.version, packetId, identifier}),
      suback => suback.reason < FAILURE
        ? this.update(subscription, 'active', '', suback.reason)
        : this.update(subscription, 'failed',
          this.client.version === 5 ? reasonOf(suback) : 'The broker has refused it (0x80); the page Refused says why.'),
      problem => this.update(subscription, 'failed', problem));
  }

  /** Ends a subscription: at once, or after the next CONNACK if the broker then still has the session. */
  unsubscribe(subscription) {
    this.removed.set(subscription.filter, subscription);
    this.ended.add(subscription.filter);
    if (this.client.isConnected) {
      this.requestEnd(subscription);
    } else {
      this.remove(subscription);
    }
  }

  /** Sends UNSUBSCRIBE. */
  requestEnd(subscription) {
    const {filter} = subscription;
    const conclude = problem => {
      // Not if the user has subscribed again.
      if (this.removed.get(filter) !== subscription) {
        return;
      }
      this.removed.delete(filter);
      this.listener.kept();
      if (!problem) {
        this.remove(subscription);
        return;
      }
      if (!this.all.includes(subscription)) {
        this.all.push(subscription);
      }
      this.update(subscription, 'active', 'Not unsubscribed: ' + problem);
    };
    this.client.ask(PacketType.UNSUBACK, packetId => packets.unsubscribe({version: this.client.version, packetId, filter}),
      unsuback => conclude(unsuback.reason >= FAILURE ? reasonOf(unsuback) : ''),
      // A filter that is too long for UNSUBSCRIBE was too long for SUBSCRIBE.
      problem => conclude(subscription.state === 'failed' ? '' : problem));
  }

  remove(subscription) {
    this.all = this.all.filter(each => each !== subscription);
    this.listener.subscribed();
  }

  update(subscription, state, reason, granted = subscription.granted) {
    Object.assign(subscription, {state, reason, granted});
    this.listener.subscribed();
  }

  /** Returns the subscriptions that have led to the message. */
  sourcesOf(message) {
    const identifiers = message.properties.subscriptionIdentifiers;
    return this.all.filter(each => (!identifiers || identifiers.includes(each.identifier)) && matches(each.filter, message.topic));
  }
}

/** Returns whether a topic matches a filter, which may be that of a shared subscription. */
export function matches(filter, topic) {
  const levels = filter.replace(/^\$share\/[^/]*\//, '').split('/');
  const names = topic.split('/');
  if (topic.startsWith('$') && /^[+#]/.test(levels[0])) {
    return false;
  }
  const hash = levels.indexOf('#');
  return (hash < 0 ? levels.length === names.length : names.length >= hash)
    && levels.every((level, i) => hash >= 0 && i >= hash || level === '+' || level === names[i]);
}

/** Returns the subscriptions of a client's session as this node tells them; none if it does not. */
export async function subscriptionsAtNode(clientId) {
  try {
    const answer = await fetch(`${location.origin}/api/v1/client/subscriptions?limit=1000&clientId=${encodeURIComponent(clientId)}`,
      {headers: {'X-Requested-With': 'fetch'}, redirect: 'manual', signal: AbortSignal.timeout(NODE_TIMEOUT_MILLIS)});
    return answer.ok ? (await answer.json()).items.map(({topicFilter, subscriptionIdentifier, ...options}) =>
      ({...options, filter: topicFilter, identifier: subscriptionIdentifier ?? undefined, retainHandling: 2})) : [];
  } catch {
    // The node does not answer: the page shows what it remembers.
    return [];
  }
}
