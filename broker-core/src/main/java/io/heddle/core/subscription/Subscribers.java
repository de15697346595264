package io.heddle.core.subscription;

import io.heddle.core.HotPath;
import org.jspecify.annotations.Nullable;

/**
 * The subscribers of one filter. Their container depends on their number: null for none, an {@link Entry} for one, an array of
 * subscribers each followed by its subscription for a few (a group is followed by itself, because its members have their own
 * subscriptions, and another node by its interest), a {@link HashNode} of such containers for many. The owner
 * stores the container that {@link #with} and {@link #without} return in a volatile field.
 *
 * <p>Changed under the trie's lock, read by any thread. Arrays are immutable, and a subscriber's position follows from its hash:
 * a reader meets it once, even if it is removed and added again meanwhile. A change copies at most {@link #LARGEST_ARRAY}
 * elements.
 */
@HotPath
final class Subscribers {
    /** 32 subscribers. Only subscribers with identical hash codes, which no hash node can separate, need a longer array. */
    static final int LARGEST_ARRAY = 64;

    /**
     * A hash node with at most this many subscribers collapses into an array. Far below the split size, so that it does not
     * oscillate.
     */
    private static final int COLLAPSE_AT = 16;

    private Subscribers() {}

    /** @param target the subscription of a session; for a group, the group itself; for another node, its interest */
    record Entry(Subscriber subscriber, Object target) {}

    static void report(Object subscribers, SubscriptionTrie.Matches matches) {
        if (subscribers instanceof Entry only) {
            report(only.subscriber, only.target, matches);
        } else if (subscribers instanceof Object[] array) {
            for (int i = 0; i < array.length; i += 2) {
                report(array[i], array[i + 1], matches);
            }
        } else if (subscribers instanceof HashNode hashNode) {
            for (int i = 0; i < HashNode.PARTS; i++) {
                Object part = hashNode.part(i);
                if (part != null) {
                    report(part, matches);
                }
            }
        }
    }

    private static void report(Object subscriber, Object target, SubscriptionTrie.Matches matches) {
        if (target instanceof Subscription subscription) {
            if (subscriber instanceof PersistentSubscriber persistent) {
                matches.add(persistent, subscription);
            } else {
                matches.add((LocalSession) subscriber, subscription);
            }
        } else if (target instanceof SharedGroup group) {
            matches.add(group);
        } else {
            matches.add((RemoteNode) subscriber, (RemoteNode.Interest) target);
        }
    }

    /** Returns the entry of an equal subscriber, or null. */
    static @Nullable Entry find(@Nullable Object subscribers, Subscriber subscriber) {
        Object part = subscribers;
        int hash = hash(subscriber);
        for (int shift = 0; part instanceof HashNode hashNode; shift += HashNode.BITS) {
            part = hashNode.part(HashNode.index(hash, shift));
        }
        if (part instanceof Entry only) {
            return only.subscriber.equals(subscriber) ? only : null;
        }
        if (part instanceof Object[] array) {
            int position = position(array, subscriber);
            return position < 0 ? null : entry(array, position);
        }
        return null;
    }

    /**
     * Returns an equal subscription of another subscriber, or null. Searches only the array in which a subscriber with this hash
     * code would be.
     */
    static @Nullable Subscription findEqual(@Nullable Object subscribers, Subscription subscription, int hashCode) {
        Object part = subscribers;
        int hash = HashNode.spread(hashCode);
        for (int shift = 0; part instanceof HashNode hashNode; shift += HashNode.BITS) {
            part = somePart(hashNode, HashNode.index(hash, shift));
        }
        if (part instanceof Entry only) {
            return findEqual(only.target, subscription);
        }
        if (part instanceof Object[] array) {
            for (int i = 1; i < array.length && i < LARGEST_ARRAY; i += 2) {
                Subscription same = findEqual(array[i], subscription);
                if (same != null) {
                    return same;
                }
            }
        }
        return null;
    }

    /** Returns the part at an index, or the next one that is not empty. */
    private static @Nullable Object somePart(HashNode hashNode, int index) {
        for (int i = 0; i < HashNode.PARTS; i++) {
            Object part = hashNode.part(index + i & HashNode.PARTS - 1);
            if (part != null) {
                return part;
            }
        }
        return null;
    }

    private static @Nullable Subscription findEqual(Object target, Subscription subscription) {
        return target instanceof Subscription other && other.isEqualTo(subscription) ? other : null;
    }

    /** Adds a new subscriber and returns the new container. */
    static Object with(@Nullable Object subscribers, Entry entry) {
        return put(subscribers, entry, hash(entry.subscriber), 0, true);
    }

    /** Replaces the entry of an equal subscriber and returns the new container. */
    static Object replaced(Object subscribers, Entry entry) {
        return put(subscribers, entry, hash(entry.subscriber), 0, false);
    }

    /** Removes an equal subscriber and returns the new container, null if it is empty. */
    static @Nullable Object without(Object subscribers, Subscriber subscriber) {
        return without(subscribers, subscriber, hash(subscriber), 0);
    }

    private static Object put(@Nullable Object subscribers, Entry entry, int hash, int shift, boolean added) {
        if (subscribers instanceof HashNode hashNode) {
            int index = HashNode.index(hash, shift);
            hashNode.part(index, put(hashNode.part(index), entry, hash, shift + HashNode.BITS, added));
            if (added) {
                hashNode.grow();
            }
            return hashNode;
        }
        if (subscribers instanceof Entry only) {
            return added ? appended(pair(only), entry) : entry;
        }
        if (subscribers instanceof Object[] array) {
            if (!added) {
                Object[] copy = array.clone();
                copy[position(array, entry.subscriber) + 1] = entry.target;
                return copy;
            }
            return array.length < LARGEST_ARRAY || shift >= HashNode.ALL_BITS
                    ? appended(array, entry)
                    : split(array, entry, shift);
        }
        return entry;
    }

    private static Object split(Object[] array, Entry oneMore, int shift) {
        Object hashNode = new HashNode();
        for (int i = 0; i < array.length; i += 2) {
            Entry entry = entry(array, i);
            hashNode = put(hashNode, entry, hash(entry.subscriber), shift, true);
        }
        return put(hashNode, oneMore, hash(oneMore.subscriber), shift, true);
    }

    private static @Nullable Object without(@Nullable Object subscribers, Subscriber subscriber, int hash, int shift) {
        if (subscribers instanceof HashNode hashNode) {
            int index = HashNode.index(hash, shift);
            hashNode.part(index, without(hashNode.part(index), subscriber, hash, shift + HashNode.BITS));
            hashNode.shrink();
            if (hashNode.size() > COLLAPSE_AT) {
                return hashNode;
            }
            Object[] collected = new Object[2 * hashNode.size()];
            collect(hashNode, collected, 0);
            return collected;
        }
        if (subscribers instanceof Object[] array) {
            int position = position(array, subscriber);
            if (array.length == 4) {
                return entry(array, 2 - position);
            }
            Object[] others = new Object[array.length - 2];
            System.arraycopy(array, 0, others, 0, position);
            System.arraycopy(array, position + 2, others, position, others.length - position);
            return others;
        }
        return null;
    }

    private static int collect(@Nullable Object subscribers, Object[] collected, int from) {
        int next = from;
        if (subscribers instanceof HashNode hashNode) {
            for (int i = 0; i < HashNode.PARTS; i++) {
                next = collect(hashNode.part(i), collected, next);
            }
        } else if (subscribers instanceof Entry only) {
            collected[next] = only.subscriber;
            collected[next + 1] = only.target;
            next += 2;
        } else if (subscribers instanceof Object[] array) {
            System.arraycopy(array, 0, collected, next, array.length);
            next += array.length;
        }
        return next;
    }

    private static int hash(Subscriber subscriber) {
        return HashNode.spread(subscriber.hashCode());
    }

    private static int position(Object[] array, Subscriber subscriber) {
        for (int i = 0; i < array.length; i += 2) {
            if (subscriber.equals(array[i])) {
                return i;
            }
        }
        return -1;
    }

    private static Entry entry(Object[] array, int position) {
        return new Entry((Subscriber) array[position], array[position + 1]);
    }

    private static Object[] pair(Entry entry) {
        return new Object[] {entry.subscriber, entry.target};
    }

    private static Object[] appended(Object[] array, Entry entry) {
        Object[] longer = new Object[array.length + 2];
        System.arraycopy(array, 0, longer, 0, array.length);
        longer[array.length] = entry.subscriber;
        longer[array.length + 1] = entry.target;
        return longer;
    }
}
