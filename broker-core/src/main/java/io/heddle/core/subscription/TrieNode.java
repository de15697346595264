package io.heddle.core.subscription;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import org.jspecify.annotations.Nullable;

/**
 * One level of filters with a common prefix. Changed under the trie's lock, read by any thread. There may be millions of nodes:
 * each takes 32 bytes, and a single child or subscriber is stored without a collection.
 */
@HotPath
final class TrieNode {
    /** The level's text; unused in the root and in a node for {@code +}. */
    final String name;
    /** {@link HashNode#spread} of the text's hash code. */
    final int hash;

    /** The named children, in the container of {@link ChildMap}. */
    volatile @Nullable Object named;
    /** The child for {@code +}. */
    volatile @Nullable TrieNode singleLevel;
    /** The subscribers of the filter that ends here, in the container of {@link Subscribers}. */
    volatile @Nullable Object subscribers;
    /** The subscribers of the filter that continues with {@code #}. */
    volatile @Nullable Object multiLevelSubscribers;

    TrieNode(String name) {
        this.name = name;
        this.hash = HashNode.spread(name.hashCode());
    }

    boolean isNamed(int hash, TopicName topic, int level) {
        return this.hash == hash && topic.levelEquals(level, name);
    }

    boolean isNamed(int hash, String text) {
        return this.hash == hash && name.equals(text);
    }

    /** Returns the subscribers of the filter that ends here, or of the one that continues with {@code #}. */
    @Nullable
    Object subscribers(boolean multiLevel) {
        return multiLevel ? multiLevelSubscribers : subscribers;
    }

    void subscribers(boolean multiLevel, @Nullable Object changed) {
        if (multiLevel) {
            multiLevelSubscribers = changed;
        } else {
            subscribers = changed;
        }
    }

    // Below: under the trie's lock.

    /** Adds or replaces a subscription. Returns the replaced one, or null. Changes nothing if a group is full. */
    @Nullable
    Subscription put(boolean multiLevel, SessionSubscriber session, Subscription subscription, int maximumMembers) {
        Object before = subscribers(multiLevel);
        String shareName = subscription.topicFilter().shareName();
        if (shareName != null) {
            SharedGroup group = group(before, shareName);
            // The first member joins before the group becomes visible.
            Subscription replaced = group.put(session, subscription, maximumMembers);
            show(multiLevel, group);
            return replaced;
        }
        Subscribers.Entry entry = new Subscribers.Entry(session, subscription);
        Subscribers.Entry found = Subscribers.find(before, session);
        if (found == null || before == null) {
            subscribers(multiLevel, Subscribers.with(before, entry));
            return null;
        }
        subscribers(multiLevel, Subscribers.replaced(before, entry));
        return (Subscription) found.target();
    }

    /** Adds or replaces the interest of another node. */
    void put(boolean multiLevel, RemoteNode node, TopicFilter filter, RemoteNode.Interest interest, int members) {
        Object before = subscribers(multiLevel);
        String shareName = filter.shareName();
        if (shareName != null) {
            SharedGroup group = group(before, shareName);
            group.put(node, filter.value(), interest, members);
            show(multiLevel, group);
            return;
        }
        Subscribers.Entry entry = new Subscribers.Entry(node, interest);
        subscribers(
                multiLevel,
                before == null || Subscribers.find(before, node) == null
                        ? Subscribers.with(before, entry)
                        : Subscribers.replaced(before, entry));
    }

    private static SharedGroup group(@Nullable Object present, String shareName) {
        SharedGroup created = new SharedGroup(shareName);
        Subscribers.Entry found = Subscribers.find(present, created);
        return found != null && found.target() instanceof SharedGroup joined ? joined : created;
    }

    private void show(boolean multiLevel, SharedGroup group) {
        Object before = subscribers(multiLevel);
        if (Subscribers.find(before, group) == null) {
            subscribers(multiLevel, Subscribers.with(before, new Subscribers.Entry(group, group)));
        }
    }

    /** Removes a subscription, a membership or an interest. Returns whether there was one. */
    boolean remove(boolean multiLevel, Subscriber subscriber, @Nullable String shareName) {
        Object before = subscribers(multiLevel);
        Subscriber removed = shareName == null ? subscriber : new SharedGroup(shareName);
        Subscribers.Entry found = Subscribers.find(before, removed);
        if (before == null || found == null) {
            return false;
        }
        if (found.subscriber() instanceof SharedGroup group) {
            if (!group.removeMember(subscriber)) {
                return false;
            }
            if (!group.isEmpty()) {
                return true;
            }
        }
        subscribers(multiLevel, Subscribers.without(before, removed));
        return true;
    }

    boolean isEmpty() {
        return named == null && singleLevel == null && subscribers == null && multiLevelSubscribers == null;
    }
}
