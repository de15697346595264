package io.heddle.core.subscription;

import io.heddle.core.HotPath;
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

    boolean isEmpty() {
        return named == null && singleLevel == null && subscribers == null && multiLevelSubscribers == null;
    }
}
