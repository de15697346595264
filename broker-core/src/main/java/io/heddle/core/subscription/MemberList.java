package io.heddle.core.subscription;

import io.heddle.core.HotPath;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Members of a group in no particular order, so that one comes or goes in constant time: whoever stands last takes the place of
 * the one that goes. Changed under the group's lock; any thread may take one by its turn, without a lock. A reader that meets
 * a change may meet the one that moves in either place.
 */
@HotPath
final class MemberList {
    private static final @Nullable Member[] NONE = {};
    private static final int SMALLEST = 2;
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(Member[].class);

    // Read in this order and changed so that what a size promises is in the places read after it, or the size is
    // another.
    private volatile int size;
    private volatile @Nullable Member[] places = NONE;

    /** The one whose turn it is, for a number that counts turns; null when there is none. */
    @Nullable
    Member inTurn(int turn) {
        for (int count = size; count > 0; count = size) {
            int place = Integer.remainderUnsigned(turn, count);
            @Nullable Member[] current = places;
            Member member = place < current.length ? (Member) PLACE.getAcquire(current, place) : null;
            if (member != null) {
                return member;
            }
            // It has gone since, and the size is smaller now.
        }
        return null;
    }

    // Under the group's lock.

    void add(Member member) {
        int count = size;
        @Nullable Member[] current = places;
        if (count == current.length) {
            current = Arrays.copyOf(current, Math.max(SMALLEST, 2 * count));
        }
        member.place = count;
        PLACE.setRelease(current, count, member);
        places = current;
        size = count + 1;
    }

    /** Takes away one that is here. */
    void remove(Member member) {
        int last = size - 1;
        @Nullable Member[] current = places;
        Member moved = current[last];
        if (moved != null && moved != member) {
            moved.place = member.place;
            PLACE.setRelease(current, member.place, moved);
        }
        size = last;
        PLACE.setRelease(current, last, null);
        if (last == 0) {
            places = NONE;
        } else if (current.length > SMALLEST && last <= current.length / 4) {
            places = Arrays.copyOf(current, current.length / 2);
        }
    }

    /** Puts one in the place of another that is here. */
    void replace(Member member, Member successor) {
        successor.place = member.place;
        PLACE.setRelease(places, member.place, successor);
    }

    void addTo(List<Member> all) {
        @Nullable Member[] current = places;
        for (int i = 0; i < size; i++) {
            Member member = current[i];
            if (member != null) {
                all.add(member);
            }
        }
    }
}
