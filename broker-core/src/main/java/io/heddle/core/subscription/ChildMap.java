package io.heddle.core.subscription;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicName;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The children of a trie node, found by name. What holds them depends on how many there are: none is null, one is the node
 * itself, a few are a hash table (an array with gaps), many are a {@link HashNode} of such. Whoever owns them keeps the object that
 * {@link #with} and {@link #without} return, in a volatile field.
 *
 * <p>Bounds: a search looks at no more than {@link #LARGEST_TABLE} places behind eight forks, and a change moves no more children
 * than that. Names are the clients' choice: those whose hash codes are all alike, which no fork can part, end in a map that orders
 * them by text.
 *
 * <p>Changed under the trie's lock, read by any thread. A table gains children in place and is replaced when it loses one.
 */
@HotPath
final class ChildMap {
    static final int LARGEST_TABLE = 64;

    private static final int SMALLEST_TABLE = 4;
    /** A fork that has no more than this becomes a table again: far below what made it a fork. */
    private static final int UNFORK_AT = 16;

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(TrieNode[].class);

    private ChildMap() {}

    /** The child that has the name of a topic's level, or null. Allocates nothing, unless a map has to be asked. */
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

    /** The child of a name, or null. */
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

    /** Adds a child whose name none of them has. Returns what holds them all now. */
    static Object with(@Nullable Object children, TrieNode child) {
        return with(children, child, 0);
    }

    /** Takes away a child that is one of them. Returns what holds the others, null when there are none. */
    static @Nullable Object without(@Nullable Object children, TrieNode child) {
        return without(children, child, 0);
    }

    private static @Nullable Object part(Object children, int hash) {
        Object part = children;
        for (int shift = 0; part instanceof HashNode fork; shift += HashNode.BITS) {
            part = fork.part(HashNode.index(hash, shift));
        }
        return part;
    }

    private static Object with(@Nullable Object children, TrieNode child, int shift) {
        return switch (children) {
            case null -> child;
            case TrieNode only -> table(SMALLEST_TABLE, new @Nullable TrieNode[] {only}, child);
            case TrieNode[] table -> inTable(table, child, shift);
            case HashNode fork -> {
                int index = HashNode.index(child.hash, shift);
                fork.part(index, with(fork.part(index), child, shift + HashNode.BITS));
                fork.grow();
                yield fork;
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
        Object fork = new HashNode();
        for (TrieNode other : table) {
            if (other != null) {
                fork = with(fork, other, shift);
            }
        }
        return with(fork, child, shift);
    }

    private static @Nullable Object without(@Nullable Object children, TrieNode child, int shift) {
        return switch (children) {
            case null -> null;
            case TrieNode only -> only == child ? null : only;
            case TrieNode[] table -> withoutInTable(table, child);
            case HashNode fork -> {
                int index = HashNode.index(child.hash, shift);
                fork.part(index, without(fork.part(index), child, shift + HashNode.BITS));
                fork.shrink();
                yield fork.size() > UNFORK_AT ? fork : collected(fork);
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

    /** All children of a fork that has few, in one table. */
    private static Object collected(HashNode fork) {
        @Nullable TrieNode[] table = new @Nullable TrieNode[UNFORK_AT * 2];
        collect(fork, table);
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
            case HashNode fork -> {
                for (int i = 0; i < HashNode.PARTS; i++) {
                    collect(fork.part(i), table);
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

    /** A child becomes visible with everything in it. */
    private static void add(@Nullable TrieNode[] table, TrieNode child) {
        int mask = table.length - 1;
        int slot = firstSlot(child.hash, mask);
        while (table[slot] != null) {
            slot = slot + 1 & mask;
        }
        SLOT.setRelease(table, slot, child);
    }

    /** Forks use the lower bits first, so tables use the upper ones. */
    private static int firstSlot(int hash, int mask) {
        return hash >>> 26 & mask;
    }

    private static @Nullable TrieNode child(@Nullable TrieNode[] table, int slot) {
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

    /** A third of a table stays empty, so that searches end soon. */
    private static boolean hasRoom(int length, int children) {
        return children * 3 <= length * 2;
    }

    @SuppressWarnings("unchecked") // Nothing else that is a map is ever put there.
    private static Map<String, TrieNode> map(Object children) {
        return (Map<String, TrieNode>) children;
    }
}
