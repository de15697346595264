package io.heddle.core.subscription;

import io.heddle.core.HotPath;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The nodes with members of a shared subscription whose sessions end with their connections, and the number of these members on each.
 * Immutable; bounded by the number of nodes.
 */
@HotPath
public final class RemoteMembers {
    private final String sharedFilter;
    private final RemoteNode[] nodes;
    private final RemoteNode.Interest[] interests;
    private final int[] counts;
    private final int total;

    private RemoteMembers(String sharedFilter, RemoteNode[] nodes, RemoteNode.Interest[] interests, int[] counts) {
        this.sharedFilter = sharedFilter;
        this.nodes = nodes;
        this.interests = interests;
        this.counts = counts;
        int sum = 0;
        for (int count : counts) {
            sum += count;
        }
        this.total = sum;
    }

    /** Returns the members with those of one node added or replaced. */
    static RemoteMembers with(
            @Nullable RemoteMembers before,
            String sharedFilter,
            RemoteNode node,
            RemoteNode.Interest interest,
            int members) {
        if (before == null) {
            return new RemoteMembers(
                    sharedFilter, new RemoteNode[] {node}, new RemoteNode.Interest[] {interest}, new int[] {members});
        }
        int place = before.place(node);
        int at = place < 0 ? before.nodes.length : place;
        int length = Math.max(at + 1, before.nodes.length);
        RemoteNode[] nodes = Arrays.copyOf(before.nodes, length);
        RemoteNode.Interest[] interests = Arrays.copyOf(before.interests, length);
        int[] counts = Arrays.copyOf(before.counts, length);
        nodes[at] = node;
        interests[at] = interest;
        counts[at] = members;
        return new RemoteMembers(sharedFilter, nodes, interests, counts);
    }

    /** Returns the members without those of one node, null if no others remain. */
    @Nullable
    RemoteMembers without(RemoteNode node) {
        int place = place(node);
        if (place < 0) {
            return this;
        }
        int last = nodes.length - 1;
        if (last == 0) {
            return null;
        }
        RemoteNode[] others = Arrays.copyOf(nodes, last);
        RemoteNode.Interest[] interestOfOthers = Arrays.copyOf(interests, last);
        int[] countOfOthers = Arrays.copyOf(counts, last);
        if (place < last) {
            others[place] = nodes[last];
            interestOfOthers[place] = interests[last];
            countOfOthers[place] = counts[last];
        }
        return new RemoteMembers(sharedFilter, others, interestOfOthers, countOfOthers);
    }

    boolean contains(RemoteNode node) {
        return place(node) >= 0;
    }

    private int place(RemoteNode node) {
        for (int i = 0; i < nodes.length; i++) {
            if (nodes[i].equals(node)) {
                return i;
            }
        }
        return -1;
    }

    public String sharedFilter() {
        return sharedFilter;
    }

    public int total() {
        return total;
    }

    /**
     * Returns the place of the node with a member, or of the next one if that has ended; -1 if all have.
     *
     * @param member 0 to {@link #total} - 1
     */
    public int placeOf(int member) {
        int first = 0;
        for (int left = member - counts[0]; left >= 0 && first < nodes.length - 1; left -= counts[first]) {
            first++;
        }
        for (int i = 0; i < nodes.length; i++) {
            int place = (first + i) % nodes.length;
            if (!nodes[place].isGone()) {
                return place;
            }
        }
        return -1;
    }

    public RemoteNode node(int place) {
        return nodes[place];
    }

    public RemoteNode.Interest interest(int place) {
        return interests[place];
    }
}
