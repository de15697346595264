package io.heddle.core.cluster;

import io.heddle.core.cluster.NodeRecord.Condemned;
import io.heddle.core.cluster.NodeRecord.Dead;
import io.heddle.core.cluster.NodeRecord.Draining;
import io.heddle.core.cluster.NodeRecord.Heartbeat;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.cluster.NodeRecord.Left;
import io.heddle.core.cluster.NodeRecord.OfMember;
import io.heddle.core.cluster.NodeRecord.Released;
import io.heddle.core.cluster.NodeRecord.RulesChanged;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.cluster.NodeRecord.Took;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The members of the cluster and the holders of its buckets as of an offset of the log of nodes. A view is a pure function of the records: every
 * node computes the same from the same log, and void records change nothing. Immutable.
 *
 * <p>The log is kept for a limited time, so a reader may begin after the records with which a member joined and took its buckets. Each
 * heartbeat therefore repeats them. A heartbeat corrects the view only where its writer had applied every record that the view knows; for a
 * reader of the whole log it corrects nothing. It introduces an unknown member only if its writer has followed the log to the beginning of the
 * reader's knowledge: the late heartbeat of a dead node has not, because the node would have read of its death. A reader that begins late
 * does not know who wrote the first records, so it cannot tell valid declarations from void ones. It may keep a dead node as a member: that
 * node stays silent and is declared dead again. It may drop a living node: the next heartbeat whose writer had read that declaration brings it
 * back.
 */
public final class View {
    /** The number of ended incarnations that a view remembers, to ignore their late records. */
    static final int MAXIMUM_ENDED = 1_000;

    /** Nothing below this offset is known. */
    private final long beginning;
    /** The offset behind the last applied record. */
    private final long next;

    private final NavigableMap<Incarnation, Member> members;
    /** The offsets of the records that ended an incarnation. */
    private final Map<Incarnation, Long> ended;

    private final @Nullable Incarnation[] holders;
    /** The offsets of the records that last changed the holder of each bucket. */
    private final long[] heldSince;
    /** The members that held a bucket last and have ended; null where none has. */
    private final @Nullable Member[] endedHolders;

    private View(
            long beginning,
            long next,
            NavigableMap<Incarnation, Member> members,
            Map<Incarnation, Long> ended,
            @Nullable Incarnation[] holders,
            long[] heldSince,
            @Nullable Member[] endedHolders) {
        this.beginning = beginning;
        this.next = next;
        this.members = members;
        this.ended = ended;
        this.holders = holders;
        this.heldSince = heldSince;
        this.endedHolders = endedHolders;
    }

    /**
     * Returns the view of a log without records.
     *
     * @param beginning the offset of the first record that the log may still have
     */
    public static View atBeginning(long beginning, int bucketCount) {
        long[] heldSince = new long[bucketCount];
        Arrays.fill(heldSince, beginning - 1);
        return new View(
                beginning,
                beginning,
                new TreeMap<>(),
                Map.of(),
                new @Nullable Incarnation[bucketCount],
                heldSince,
                new @Nullable Member[bucketCount]);
    }

    /**
     * Returns the view after a record.
     *
     * @param offset not below {@link #next}
     */
    public View after(long offset, NodeRecord record) {
        if (offset < next) {
            throw new IllegalArgumentException("the record at offset " + offset + " is below " + next);
        }
        Change change = new Change(offset);
        change.apply(record);
        return change.toView();
    }

    /** Returns the offset behind the last applied record. */
    public long next() {
        return next;
    }

    public int bucketCount() {
        return holders.length;
    }

    /** Returns the members in the order of their incarnations. */
    public Collection<Member> members() {
        return Collections.unmodifiableCollection(members.values());
    }

    public @Nullable Member member(Incarnation incarnation) {
        return members.get(incarnation);
    }

    /** Returns whether an incarnation is a member: it has joined, and it has neither left nor been declared dead. */
    public boolean isMember(Incarnation incarnation) {
        return members.containsKey(incarnation);
    }

    /** Returns whether an incarnation is a member that must leave because its links are broken. */
    public boolean isCondemned(Incarnation incarnation) {
        Member member = members.get(incarnation);
        return member != null && member.state() == MemberState.CONDEMNED;
    }

    /** Returns the member that must leave because its links are broken and that no {@link Condemned} has named yet, or null if there is none. */
    public @Nullable Incarnation mustLeave() {
        return BrokenLinks.mustLeave(members.values());
    }

    /** Returns the member that joined before this incarnation with the same node id and last, or null if there is none. */
    public @Nullable Member elder(Incarnation incarnation, NodeId id) {
        for (Member each : members.headMap(incarnation, false).descendingMap().values()) {
            if (each.node().id().equals(id)) {
                return each;
            }
        }
        return null;
    }

    /** Returns the buckets that a member rightfully owns, which another member may hold. */
    public Set<Integer> ownedBy(Incarnation incarnation) {
        return where(owners(), incarnation);
    }

    private @Nullable Incarnation[] owners() {
        return BucketOwnership.owners(members.values(), holders.length);
    }

    /** Returns the member that holds a bucket, or null if none does. */
    public @Nullable Incarnation holder(int bucket) {
        return holders[bucket];
    }

    /** Returns the offset of the record that last changed the holder of a bucket; below the beginning if the view has not seen it. */
    public long heldSince(int bucket) {
        return heldSince[bucket];
    }

    /** Returns the buckets that a member holds. */
    public Set<Integer> heldBy(Incarnation incarnation) {
        return where(holders, incarnation);
    }

    private static Set<Integer> where(@Nullable Incarnation[] of, @Nullable Incarnation incarnation) {
        Set<Integer> found = new HashSet<>();
        for (int bucket = 0; bucket < of.length; bucket++) {
            if (Objects.equals(incarnation, of[bucket])) {
                found.add(bucket);
            }
        }
        return found;
    }

    /** Returns the buckets without a holder. */
    public Set<Integer> free() {
        return where(holders, null);
    }

    /** Returns the transactional ids of the ended members that held a free bucket last. An earlier holder was fenced by a later one. */
    public Set<TransactionalId> idsOfEndedHolders() {
        Set<TransactionalId> ids = new HashSet<>();
        for (int i = 0; i < holders.length; i++) {
            Member last = endedHolders[i];
            if (holders[i] == null && last != null) {
                for (int turn = 0; turn < last.node().transactionalIds(); turn++) {
                    ids.add(new TransactionalId(last.incarnation(), turn));
                }
            }
        }
        return ids;
    }

    /** Returns the incarnations that have ended with a record at this offset or behind it, at most {@value #MAXIMUM_ENDED}. */
    public Set<Incarnation> endedSince(long offset) {
        Set<Incarnation> found = new HashSet<>(ended.keySet());
        found.removeIf(each -> ended.getOrDefault(each, -1L) < offset);
        return found;
    }

    /** The step from one view to the next; copies only what the record changes. Confined to one thread. */
    private final class Change {
        private final long offset;
        private final NavigableMap<Incarnation, Member> nextMembers = new TreeMap<>(members);
        private long nextBeginning = beginning;
        private Map<Incarnation, Long> nextEnded = ended;
        private @Nullable Incarnation[] nextHolders = holders;
        private long[] nextHeldSince = heldSince;
        private @Nullable Member[] nextEndedHolders = endedHolders;
        private boolean holdersCopied;

        Change(long offset) {
            this.offset = offset;
        }

        View toView() {
            return new View(
                    nextBeginning, offset + 1, nextMembers, nextEnded, nextHolders, nextHeldSince, nextEndedHolders);
        }

        void apply(NodeRecord record) {
            switch (record) {
                case Joined joined -> join(joined);
                case Heartbeat beat -> hear(beat);
                case OfMember other -> {
                    Member writer = members.get(other.writer());
                    if (writer != null
                            && (!isCondemned(other.writer()) || other instanceof Released || other instanceof Left)) {
                        nextMembers.put(other.writer(), writer.seenAt(offset));
                        act(writer, other);
                    }
                }
            }
        }

        private void join(Joined joined) {
            Incarnation incarnation = new Incarnation(offset, joined.random());
            nextMembers.put(incarnation, new Member(incarnation, joined.node(), MemberState.JOINED, offset, offset));
        }

        private void hear(Heartbeat beat) {
            Member writer = members.get(beat.writer());
            if (isCondemned(beat.writer())) {
                return;
            }
            if (writer == null) {
                if (!introduces(beat)) {
                    return;
                }
                writer = new Member(beat.writer(), beat.node(), beat.state(), beginning - 1, offset);
            }
            nextMembers.put(beat.writer(), writer.after(beat, offset));
            correctHoldings(beat);
        }

        private boolean introduces(Heartbeat beat) {
            long known = Math.max(beginning - 1, ended.getOrDefault(beat.writer(), -1L));
            // A reader of the whole log knows that the declarations that it applied were valid.
            boolean mayLive = beginning > 0 && ended.containsKey(beat.writer());
            return (beat.writer().offset() < beginning || mayLive) && beat.followed() > known;
        }

        private void correctHoldings(Heartbeat beat) {
            for (int bucket = 0; bucket < holders.length; bucket++) {
                boolean knewAll = beat.followed() > heldSince[bucket];
                boolean said = beat.buckets().contains(bucket);
                boolean believed = beat.writer().equals(holders[bucket]);
                if (knewAll && said != believed) {
                    copyHolders()[bucket] = said ? beat.writer() : null;
                }
            }
        }

        private void act(Member writer, OfMember record) {
            switch (record) {
                case Heartbeat _ -> throw new IllegalArgumentException("a heartbeat is no act");
                case Serving _ -> serve(writer);
                case Draining _ -> {
                    if (writer.state() != MemberState.DRAINING) {
                        nextMembers.put(writer.incarnation(), writer.in(MemberState.DRAINING, offset));
                    }
                }
                case Took took -> take(writer, took.buckets());
                case Released released -> release(writer, released.buckets());
                case Condemned condemned -> condemn(condemned.incarnation());
                case Left _ -> end(writer.incarnation());
                case Dead dead -> declareDead(writer, dead);
                case RulesChanged _ -> {} // No member changes.
            }
        }

        /** Void while an older life with the same node id is a member: the younger one must declare it dead, or stop. */
        private void serve(Member writer) {
            if (writer.state() == MemberState.JOINED
                    && elder(writer.incarnation(), writer.node().id()) == null) {
                nextMembers.put(writer.incarnation(), writer.in(MemberState.SERVING, offset));
            }
        }

        private void take(Member writer, Set<Integer> buckets) {
            @Nullable Incarnation[] owners = owners();
            for (int bucket : buckets) {
                if (bucket < holders.length
                        && holders[bucket] == null
                        && writer.incarnation().equals(owners[bucket])) {
                    hold(bucket, writer.incarnation());
                }
            }
        }

        private void release(Member writer, Set<Integer> buckets) {
            for (int bucket : buckets) {
                if (bucket < holders.length && writer.incarnation().equals(holders[bucket])) {
                    hold(bucket, null);
                }
            }
        }

        /** Void if the member has written a record that the writer had not seen. */
        private void declareDead(Member writer, Dead dead) {
            Incarnation declared = dead.incarnation();
            Member member = members.get(declared);
            if (member == null) {
                // Perhaps void. A member that lives and has read this record says so in its next heartbeat.
                if (declared.offset() < beginning) {
                    remember(declared);
                }
            } else if (member.lastRecord() == dead.lastRecord() && !declared.equals(writer.incarnation())) {
                end(declared);
            }
        }

        private void condemn(Incarnation incarnation) {
            Member member = members.get(incarnation);
            if (member != null && incarnation.equals(mustLeave())) {
                nextMembers.put(incarnation, member.in(MemberState.CONDEMNED, offset));
            }
        }

        private void end(Incarnation incarnation) {
            Member last = nextMembers.remove(incarnation);
            for (int bucket = 0; bucket < holders.length; bucket++) {
                if (incarnation.equals(holders[bucket])) {
                    hold(bucket, null);
                    nextEndedHolders[bucket] = last;
                }
            }
            remember(incarnation);
        }

        private void remember(Incarnation incarnation) {
            nextEnded = new HashMap<>(ended);
            nextEnded.put(incarnation, offset);
            if (nextEnded.size() > MAXIMUM_ENDED) {
                forgetOldest();
            }
        }

        /** Forgets the half that ended first. Living members are known, so nothing else below the last of them is needed. */
        private void forgetOldest() {
            long[] ends = nextEnded.values().stream()
                    .mapToLong(Long::longValue)
                    .sorted()
                    .toArray();
            long last = ends[ends.length / 2];
            nextEnded.values().removeIf(end -> end <= last);
            nextBeginning = Math.max(beginning, last + 1);
        }

        private void hold(int bucket, @Nullable Incarnation holder) {
            copyHolders()[bucket] = holder;
            nextHeldSince[bucket] = offset;
        }

        private @Nullable Incarnation[] copyHolders() {
            if (!holdersCopied) {
                holdersCopied = true;
                nextHolders = holders.clone();
                nextHeldSince = heldSince.clone();
                nextEndedHolders = endedHolders.clone();
            }
            return nextHolders;
        }
    }
}
