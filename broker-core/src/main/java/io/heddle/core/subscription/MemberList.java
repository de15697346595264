package io.heddle.core.subscription;

import io.heddle.core.HotPath;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An unordered list of members. Adding and removing take constant time: the last member replaces a removed one. Changed under the
 * group's lock; any thread may select a member without a lock. A concurrent reader may see a moving member in either position.
 */
@HotPath
final class MemberList {
    private static final @Nullable Member[] NONE = {};
    private static final int SMALLEST = 2;
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Member[].class);

    // Readers read the size before the array. Writers keep every position below a published size filled, or change
    // the size.
    private volatile int size;
    private volatile @Nullable Member[] members = NONE;

    int size() {
        return size;
    }

    /** Returns the member of a turn number, or null if the list is empty. */
    @Nullable
    Member atTurn(int turn) {
        for (int count = size; count > 0; count = size) {
            int index = Integer.remainderUnsigned(turn, count);
            @Nullable Member[] current = members;
            Member member = index < current.length ? (Member) ELEMENT.getAcquire(current, index) : null;
            if (member != null) {
                return member;
            }
            // It was removed meanwhile, and the size has changed.
        }
        return null;
    }

    // Below: under the group's lock.

    void add(Member member) {
        int count = size;
        @Nullable Member[] current = members;
        if (count == current.length) {
            current = Arrays.copyOf(current, Math.max(SMALLEST, 2 * count));
        }
        member.index = count;
        ELEMENT.setRelease(current, count, member);
        members = current;
        size = count + 1;
    }

    void remove(Member member) {
        int last = size - 1;
        @Nullable Member[] current = members;
        Member moved = current[last];
        if (moved != null && moved != member) {
            moved.index = member.index;
            ELEMENT.setRelease(current, member.index, moved);
        }
        size = last;
        ELEMENT.setRelease(current, last, null);
        if (last == 0) {
            members = NONE;
        } else if (current.length > SMALLEST && last <= current.length / 4) {
            members = Arrays.copyOf(current, current.length / 2);
        }
    }

    void replace(Member member, Member successor) {
        successor.index = member.index;
        ELEMENT.setRelease(members, member.index, successor);
    }

    void addTo(List<Member> all) {
        @Nullable Member[] current = members;
        for (int i = 0; i < size; i++) {
            Member member = current[i];
            if (member != null) {
                all.add(member);
            }
        }
    }
}
