package io.heddle.core.subscription;

import io.heddle.core.HotPath;
import org.jspecify.annotations.Nullable;

/**
 * The subscribers of one filter. What holds them depends on how many there are: none is null, one is an {@link Entry},
 * a few are an array in which each subscriber is followed by its subscription (a group by itself: its members have
 * theirs), many are a {@link HashNode} of such. Whoever owns them keeps the object that {@link #with} and {@link #without}
 * return, in a volatile field.
 *
 * <p>Changed under the trie's lock, read by any thread. An array never changes, and a subscriber's place follows from its hash: a
 * reader meets it once, even when it goes and comes back meanwhile. A change copies no more than {@link #LARGEST_ARRAY} places.
 */
@HotPath
final class Subscribers {
    /** 32 subscribers. Only those whose hash codes are all alike, which no fork can part, make a longer one. */
    static final int LARGEST_ARRAY = 64;

    /** A fork that has no more than this becomes an array again: far below what made it a fork. */
    private static final int UNFORK_AT = 16;

    private Subscribers() {}

    /**
     * One subscriber.
     *
     * @param wanted the subscription of a session; of a group, whose members have theirs, the group
     */
    record Entry(Subscriber subscriber, Object wanted) {}

    static void report(Object subscribers, SubscriptionTrie.Matches matches) {
        if (subscribers instanceof Entry only) {
            report(only.subscriber, only.wanted, matches);
        } else if (subscribers instanceof Object[] array) {
            for (int i = 0; i < array.length; i += 2) {
                report(array[i], array[i + 1], matches);
            }
        } else if (subscribers instanceof HashNode fork) {
            for (int i = 0; i < HashNode.PARTS; i++) {
                Object part = fork.part(i);
                if (part != null) {
                    report(part, matches);
                }
            }
        }
    }

    private static void report(Object subscriber, Object wanted, SubscriptionTrie.Matches matches) {
        if (wanted instanceof Subscription subscription) {
            if (subscriber instanceof PersistentSubscriber persistent) {
                matches.add(persistent, subscription);
            } else {
                matches.add((LocalSession) subscriber, subscription);
            }
        } else {
            matches.add((SharedGroup) wanted);
        }
    }

    /** The subscriber here that equals the one given, with its subscription, or null. */
    static @Nullable Entry find(@Nullable Object subscribers, Subscriber subscriber) {
        Object part = subscribers;
        int hash = hash(subscriber);
        for (int shift = 0; part instanceof HashNode fork; shift += HashNode.BITS) {
            part = fork.part(HashNode.index(hash, shift));
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
     * A subscription of somebody here that is the same as the one given, or null. It looks at those that stand together with where
     * a subscriber of this hash code would be.
     */
    static @Nullable Subscription same(@Nullable Object subscribers, Subscription subscription, int hashCode) {
        Object part = subscribers;
        int hash = HashNode.spread(hashCode);
        for (int shift = 0; part instanceof HashNode fork; shift += HashNode.BITS) {
            part = somePart(fork, HashNode.index(hash, shift));
        }
        if (part instanceof Entry only) {
            return same(only.wanted, subscription);
        }
        if (part instanceof Object[] array) {
            for (int i = 1; i < array.length && i < LARGEST_ARRAY; i += 2) {
                Subscription same = same(array[i], subscription);
                if (same != null) {
                    return same;
                }
            }
        }
        return null;
    }

    /** The part at an index, or the next one that has something in it. */
    private static @Nullable Object somePart(HashNode fork, int index) {
        for (int i = 0; i < HashNode.PARTS; i++) {
            Object part = fork.part(index + i & HashNode.PARTS - 1);
            if (part != null) {
                return part;
            }
        }
        return null;
    }

    private static @Nullable Subscription same(Object wanted, Subscription subscription) {
        return wanted instanceof Subscription other && other.isSame(subscription) ? other : null;
    }

    /** Adds a subscriber that equals none of them. Returns what holds them all now. */
    static Object with(@Nullable Object subscribers, Entry entry) {
        return put(subscribers, entry, hash(entry.subscriber), 0, true);
    }

    /** Puts an entry in the place of the one whose subscriber equals its own. Returns what holds them all now. */
    static Object replaced(Object subscribers, Entry entry) {
        return put(subscribers, entry, hash(entry.subscriber), 0, false);
    }

    /** Takes away a subscriber that equals one of them. Returns what holds the others, null when there are none. */
    static @Nullable Object without(Object subscribers, Subscriber subscriber) {
        return without(subscribers, subscriber, hash(subscriber), 0);
    }

    private static Object put(@Nullable Object subscribers, Entry entry, int hash, int shift, boolean added) {
        if (subscribers instanceof HashNode fork) {
            int index = HashNode.index(hash, shift);
            fork.part(index, put(fork.part(index), entry, hash, shift + HashNode.BITS, added));
            if (added) {
                fork.grow();
            }
            return fork;
        }
        if (subscribers instanceof Entry only) {
            return added ? appended(pair(only), entry) : entry;
        }
        if (subscribers instanceof Object[] array) {
            if (!added) {
                Object[] copy = array.clone();
                copy[position(array, entry.subscriber) + 1] = entry.wanted;
                return copy;
            }
            return array.length < LARGEST_ARRAY || shift >= HashNode.ALL_BITS
                    ? appended(array, entry)
                    : forked(array, entry, shift);
        }
        return entry;
    }

    private static Object forked(Object[] array, Entry oneMore, int shift) {
        Object fork = new HashNode();
        for (int i = 0; i < array.length; i += 2) {
            Entry entry = entry(array, i);
            fork = put(fork, entry, hash(entry.subscriber), shift, true);
        }
        return put(fork, oneMore, hash(oneMore.subscriber), shift, true);
    }

    private static @Nullable Object without(@Nullable Object subscribers, Subscriber subscriber, int hash, int shift) {
        if (subscribers instanceof HashNode fork) {
            int index = HashNode.index(hash, shift);
            fork.part(index, without(fork.part(index), subscriber, hash, shift + HashNode.BITS));
            fork.shrink();
            if (fork.size() > UNFORK_AT) {
                return fork;
            }
            Object[] collected = new Object[2 * fork.size()];
            collect(fork, collected, 0);
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
        if (subscribers instanceof HashNode fork) {
            for (int i = 0; i < HashNode.PARTS; i++) {
                next = collect(fork.part(i), collected, next);
            }
        } else if (subscribers instanceof Entry only) {
            collected[next] = only.subscriber;
            collected[next + 1] = only.wanted;
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
        return new Object[] {entry.subscriber, entry.wanted};
    }

    private static Object[] appended(Object[] array, Entry entry) {
        Object[] longer = new Object[array.length + 2];
        System.arraycopy(array, 0, longer, 0, array.length);
        longer[array.length] = entry.subscriber;
        longer[array.length + 1] = entry.wanted;
        return longer;
    }
}
