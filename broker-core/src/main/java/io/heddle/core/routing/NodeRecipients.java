package io.heddle.core.routing;

import io.heddle.core.HotPath;
import io.heddle.core.subscription.RemoteNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The other nodes that a message is sent to, each once, and for whom. Belongs to the thread of its plan. Bounded by the number of nodes,
 * which is small: a node is searched, not looked up.
 */
@HotPath
public final class NodeRecipients {
    /** For sessions that end with their connections; the node matches the message again. */
    public static final int SUBSCRIBERS = 1;
    /** For connected persistent sessions that get the message at QoS 0. */
    public static final int PERSISTENT = 1 << 1;
    /** A subscriber was granted QoS 1 or 2, so that the node confirms a message above QoS 0. */
    public static final int ACKNOWLEDGED = 1 << 2;

    private static final int INITIAL_CAPACITY = 4;

    private @Nullable RemoteNode[] nodes = new @Nullable RemoteNode[INITIAL_CAPACITY];
    private int[] purposes = new int[INITIAL_CAPACITY];
    private int[] persistent = new int[INITIAL_CAPACITY];
    // For a member of each of these shared subscriptions; null for none.
    private @Nullable Object[] groups = new @Nullable Object[INITIAL_CAPACITY];
    private int count;

    NodeRecipients() {}

    void clear() {
        for (int i = 0; i < count; i++) {
            nodes[i] = null;
            groups[i] = null;
            purposes[i] = 0;
            persistent[i] = 0;
        }
        count = 0;
    }

    /** Adds a purpose, and returns whether the node was added. */
    boolean add(RemoteNode node, int purpose) {
        int before = count;
        // Before the array is read, which this may replace.
        int place = place(node);
        purposes[place] |= purpose;
        return count > before;
    }

    /** Adds a persistent session that is connected to the node. */
    void addPersistent(RemoteNode node) {
        int place = place(node);
        purposes[place] |= PERSISTENT;
        persistent[place]++;
    }

    /** Adds a member of a shared subscription. */
    void addMember(RemoteNode node, String sharedFilter, int purpose) {
        int place = place(node);
        purposes[place] |= purpose;
        List<String> filters = new ArrayList<>(groups(place));
        filters.add(sharedFilter);
        groups[place] = filters;
    }

    private int place(RemoteNode node) {
        for (int i = 0; i < count; i++) {
            if (node.equals(nodes[i])) {
                return i;
            }
        }
        if (count == nodes.length) {
            nodes = Arrays.copyOf(nodes, count * 2);
            purposes = Arrays.copyOf(purposes, count * 2);
            persistent = Arrays.copyOf(persistent, count * 2);
            groups = Arrays.copyOf(groups, count * 2);
        }
        nodes[count] = node;
        return count++;
    }

    /** The number of nodes. */
    public int count() {
        return count;
    }

    /** A node, {@code 0 <= i < count()}. */
    public RemoteNode node(int i) {
        RemoteNode node = nodes[i];
        if (node == null) {
            throw new IndexOutOfBoundsException(i);
        }
        return node;
    }

    /** The sum of the constants of this class that apply to a node. */
    public int purposes(int i) {
        return purposes[i];
    }

    /** The number of persistent sessions that get the message at QoS 0 over the node. */
    public int persistent(int i) {
        return persistent[i];
    }

    /** The filters of the shared subscriptions for which the node chooses a member, with their share prefixes. */
    // The array contains only lists of strings.
    @SuppressWarnings("unchecked")
    public List<String> groups(int i) {
        Object filters = groups[i];
        return filters == null ? List.of() : (List<String>) filters;
    }

    /** Returns whether a node confirms the message if it is above QoS 0. */
    public boolean isAnyAcknowledged() {
        for (int i = 0; i < count; i++) {
            if ((purposes[i] & ACKNOWLEDGED) != 0) {
                return true;
            }
        }
        return false;
    }
}
