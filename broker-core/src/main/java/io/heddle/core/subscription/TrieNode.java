package io.heddle.core.subscription;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicName;
import org.jspecify.annotations.Nullable;

/**
 * One level of the filters that begin alike. Changed under the trie's lock, read by any thread. There may be millions: it is
 * 32 bytes, and what most of them have one of (a child, a subscriber) stands here without a collection around it.
 */
@HotPath
final class TrieNode {
    /** The level's text; of a node for {@code +}, and of the root, of no meaning. */
    final String name;
    /** {@link HashNode#spread} of the text's hash code. */
    final int hash;

    /** As {@link ChildMap} keeps them. */
    volatile @Nullable Object named;
    /** The child for {@code +}. */
    volatile @Nullable TrieNode singleLevel;
    /** Of the filter that ends here, as {@link Subscribers} keeps them. */
    volatile @Nullable Object subscribers;
    /** Of the filter that goes on with {@code #}. */
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

    boolean isEmpty() {
        return named == null && singleLevel == null && subscribers == null && multiLevelSubscribers == null;
    }
}
