package io.heddle.core.subscription;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicName;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The children of a trie node, found by name. Their container depends on their number: null for none, the node itself for one, a
 * hash table (an array with gaps) for a few, a {@link HashNode} of such containers for many. The owner stores the container that
 * {@link #with} and {@link #without} return in a volatile field.
 *
 * <p>Bounds: a lookup inspects at most {@link #LARGEST_TABLE} slots below eight hash nodes, and a change moves at most that many
 * children. Clients choose the names: those with identical hash codes, which no hash node can separate, are stored in a
 * {@link ConcurrentHashMap}, whose bins order equal hashes by text.
 *
 * <p>Changed under the trie's lock, read by any thread. A child is added to a table in place; a removal replaces the table.
 */
@HotPath
final class ChildMap {
    static final int LARGEST_TABLE = 64;

    private static final int SMALLEST_TABLE = 4;
    /**
     * A hash node with at most this many children collapses into a table. Far below the split size, so that it does not
     * oscillate.
     */
    private static final int COLLAPSE_AT = 16;

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(TrieNode[].class);

    private ChildMap() {}

    /** Returns the child with the name of a topic level, or null. Allocates nothing, except for a map lookup. */
    static @Nullable TrieNode find(@Nullable Object children, TopicName topic, int level) {
        if (children == null) {
            return null;
        }
        int hash = HashNode.spread(topic.levelHash(level));
        Object found = part(children, hash);
        if (found instanceof TrieNode only) {
            return only.isNamed(hash, topic, level) ? only : null;
        }
        if (found instanceof TrieNode[] table) {
            int mask = table.length - 1;
            int slot = firstSlot(hash, mask);
            TrieNode child = child(table, slot);
            while (child != null && !child.isNamed(hash, topic, level)) {
                slot = slot + 1 & mask;
                child = child(table, slot);
            }
            return child;
        }
        return found == null ? null : map(found).get(topic.level(level));
    }

    /** Returns the child with a name, or null. */
    static @Nullable TrieNode find(@Nullable Object children, String name) {
        int hash = HashNode.spread(name.hashCode());
        Object found = children == null ? null : part(children, hash);
        if (found instanceof TrieNode only) {
            return only.isNamed(hash, name) ? only : null;
        }
        if (found instanceof TrieNode[] table) {
            for (int i = 0; i < table.length; i++) {
                TrieNode child = child(table, i);
                if (child != null && child.isNamed(hash, name)) {
                    return child;
                }
            }
            return null;
        }
        return found == null ? null : map(found).get(name);
    }

    /** Adds a child with a new name and returns the new container. */
    static Object with(@Nullable Object children, TrieNode child) {
        return with(children, child, 0);
    }

    /** Removes an existing child and returns the new container, null if it is empty. */
    static @Nullable Object without(@Nullable Object children, TrieNode child) {
        return without(children, child, 0);
    }

    private static @Nullable Object part(Object children, int hash) {
        Object part = children;
        for (int shift = 0; part instanceof HashNode hashNode; shift += HashNode.BITS) {
            part = hashNode.part(HashNode.index(hash, shift));
        }
        return part;
    }

    private static Object with(@Nullable Object children, TrieNode child, int shift) {
        return switch (children) {
            case null -> child;
            case TrieNode only -> table(SMALLEST_TABLE, new @Nullable TrieNode[] {only}, child);
            case TrieNode[] table -> inTable(table, child, shift);
            case HashNode hashNode -> {
                int index = HashNode.index(child.hash, shift);
                hashNode.part(index, with(hashNode.part(index), child, shift + HashNode.BITS));
                hashNode.grow();
                yield hashNode;
            }
            default -> {
                map(children).put(child.name, child);
                yield children;
            }
        };
    }

    private static Object inTable(@Nullable TrieNode[] table, TrieNode child, int shift) {
        if (hasRoom(table.length, count(table) + 1)) {
            add(table, child);
            return table;
        }
        if (table.length < LARGEST_TABLE) {
            return table(table.length * 2, table, child);
        }
        if (shift >= HashNode.ALL_BITS) {
            Map<String, TrieNode> map = new ConcurrentHashMap<>();
            for (TrieNode alike : table) {
                if (alike != null) {
                    map.put(alike.name, alike);
                }
            }
            map.put(child.name, child);
            return map;
        }
        Object hashNode = new HashNode();
        for (TrieNode other : table) {
            if (other != null) {
                hashNode = with(hashNode, other, shift);
            }
        }
        return with(hashNode, child, shift);
    }

    private static @Nullable Object without(@Nullable Object children, TrieNode child, int shift) {
        return switch (children) {
            case null -> null;
            case TrieNode only -> only == child ? null : only;
            case TrieNode[] table -> withoutInTable(table, child);
            case HashNode hashNode -> {
                int index = HashNode.index(child.hash, shift);
                hashNode.part(index, without(hashNode.part(index), child, shift + HashNode.BITS));
                hashNode.shrink();
                yield hashNode.size() > COLLAPSE_AT ? hashNode : collected(hashNode);
            }
            default -> {
                map(children).remove(child.name);
                yield map(children).isEmpty() ? null : children;
            }
        };
    }

    private static @Nullable Object withoutInTable(@Nullable TrieNode[] table, TrieNode child) {
        @Nullable TrieNode[] others = new @Nullable TrieNode[table.length];
        int kept = 0;
        TrieNode last = null;
        for (TrieNode other : table) {
            if (other != null && other != child) {
                others[kept++] = other;
                last = other;
            }
        }
        if (kept <= 1) {
            return last;
        }
        int length = table.length;
        while (length > SMALLEST_TABLE && hasRoom(length / 2, kept)) {
            length /= 2;
        }
        return table(length, others, null);
    }

    /** Collects the few children of a hash node into one table. */
    private static Object collected(HashNode hashNode) {
        @Nullable TrieNode[] table = new @Nullable TrieNode[COLLAPSE_AT * 2];
        collect(hashNode, table);
        return table;
    }

    private static void collect(@Nullable Object children, @Nullable TrieNode[] table) {
        switch (children) {
            case null -> {}
            case TrieNode only -> add(table, only);
            case TrieNode[] others -> {
                for (TrieNode other : others) {
                    if (other != null) {
                        add(table, other);
                    }
                }
            }
            case HashNode hashNode -> {
                for (int i = 0; i < HashNode.PARTS; i++) {
                    collect(hashNode.part(i), table);
                }
            }
            default -> {
                for (TrieNode alike : map(children).values()) {
                    add(table, alike);
                }
            }
        }
    }

    private static @Nullable TrieNode[] table(int length, @Nullable TrieNode[] children, @Nullable TrieNode oneMore) {
        @Nullable TrieNode[] table = new @Nullable TrieNode[length];
        for (TrieNode child : children) {
            if (child != null) {
                add(table, child);
            }
        }
        if (oneMore != null) {
            add(table, oneMore);
        }
        return table;
    }

    /** Publishes a child together with its content. */
    private static void add(@Nullable TrieNode[] table, TrieNode child) {
        int mask = table.length - 1;
        int slot = firstSlot(child.hash, mask);
        while (table[slot] != null) {
            slot = slot + 1 & mask;
        }
        SLOT.setRelease(table, slot, child);
    }

    /** Hash nodes use the lower bits, so tables use the upper ones. */
    private static int firstSlot(int hash, int mask) {
        return hash >>> 26 & mask;
    }

    static @Nullable TrieNode child(@Nullable TrieNode[] table, int slot) {
        return (TrieNode) SLOT.getAcquire(table, slot);
    }

    private static int count(@Nullable TrieNode[] table) {
        int count = 0;
        for (TrieNode child : table) {
            if (child != null) {
                count++;
            }
        }
        return count;
    }

    /** A third of a table stays empty, to keep probe sequences short. */
    private static boolean hasRoom(int length, int children) {
        return children * 3 <= length * 2;
    }

    @SuppressWarnings("unchecked") // No other map type is ever stored.
    private static Map<String, TrieNode> map(Object children) {
        return (Map<String, TrieNode>) children;
    }
}
