package io.heddle.core.routing;

import io.heddle.core.HotPath;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.SessionSubscriber;
import java.util.Arrays;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The recipients of one message on one delivery path, each once. Belongs to the thread of its plan.
 *
 * @param <S> the kind of session
 */
@HotPath
public abstract sealed class Recipients<S extends SessionSubscriber> permits LoopRecipients, PersistentRecipients {
    private static final int INITIAL_CAPACITY = 16;
    /** A table up to this size is always cleared and kept. */
    private static final int SMALL_TABLE = 64;
    /** A table that has held this many times its present entries is dropped instead of cleared. */
    private static final int OVERSIZE_FACTOR = 8;

    private @Nullable Object[] sessions = new @Nullable Object[INITIAL_CAPACITY];
    private @Nullable DeliveryTerms[] terms = new @Nullable DeliveryTerms[INITIAL_CAPACITY];
    private int count;
    // The index of each session; filled only when a message has several matching filters.
    private IdentityHashMap<S, Integer> positions = new IdentityHashMap<>();
    // The maximum number of entries so far: the table never shrinks, and clearing it takes time in proportion.
    private int positionsHeld;
    private boolean indexed;

    Recipients() {}

    /** Adds a recipient and returns true, or merges the terms of a session that is already a recipient and returns false. */
    boolean add(S session, DeliveryTerms granted, boolean mayBePresent) {
        if (mayBePresent) {
            index();
            Integer position = positions.get(session);
            if (position != null) {
                terms[position] = terms(position).and(granted);
                return false;
            }
            positions.put(session, count);
        }
        if (count == sessions.length) {
            sessions = Arrays.copyOf(sessions, count * 2);
            terms = Arrays.copyOf(terms, count * 2);
        }
        sessions[count] = session;
        terms[count] = granted;
        count++;
        return true;
    }

    private void index() {
        if (!indexed) {
            for (int i = 0; i < count; i++) {
                positions.put(session(i), i);
            }
            indexed = true;
        }
    }

    void clear() {
        Arrays.fill(sessions, 0, count, null);
        Arrays.fill(terms, 0, count, null);
        if (indexed) {
            positionsHeld = Math.max(positionsHeld, count);
            if (positionsHeld > SMALL_TABLE && positionsHeld / OVERSIZE_FACTOR > count) {
                positions = new IdentityHashMap<>();
                positionsHeld = 0;
            } else {
                positions.clear();
            }
            indexed = false;
        }
        count = 0;
    }

    public int count() {
        return count;
    }

    /** A recipient, {@code 0 <= i < count()}. */
    // The array contains only sessions of this type.
    @SuppressWarnings("unchecked")
    public S session(int i) {
        Object session = sessions[i];
        if (session == null) {
            throw new IndexOutOfBoundsException(i);
        }
        return (S) session;
    }

    /** The merged terms of a recipient, {@code 0 <= i < count()}. */
    public DeliveryTerms terms(int i) {
        DeliveryTerms granted = terms[i];
        if (granted == null) {
            throw new IndexOutOfBoundsException(i);
        }
        return granted;
    }
}
