package io.heddle.core.routing;

import io.heddle.core.HotPath;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.SessionSubscriber;
import java.util.Arrays;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Recipients of one message that are reached by the same way, each once. Belongs to the thread of its plan.
 *
 * @param <S> the kind of session
 */
@HotPath
public abstract sealed class Recipients<S extends SessionSubscriber> permits LoopRecipients, PersistentRecipients {
    private static final int INITIAL_CAPACITY = 16;
    /** A table this large is not worth a thought. */
    private static final int SMALL_TABLE = 64;
    /** A table that was this many times larger than what is in it now is dropped instead of cleared. */
    private static final int TOO_LARGE_BY = 8;

    private @Nullable Object[] sessions = new @Nullable Object[INITIAL_CAPACITY];
    private @Nullable DeliveryTerms[] terms = new @Nullable DeliveryTerms[INITIAL_CAPACITY];
    private int count;
    // Only while a message has several matching filters: where each session stands.
    private IdentityHashMap<S, Integer> positions = new IdentityHashMap<>();
    // The most that it held: clearing costs that much, and it never shrinks.
    private int positionsHeld;
    private boolean indexed;

    Recipients() {}

    /** Returns whether the session was not a recipient yet; otherwise its terms are merged. */
    boolean add(S session, DeliveryTerms granted, boolean mayBeThere) {
        if (mayBeThere) {
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
            if (positionsHeld > SMALL_TABLE && positionsHeld / TOO_LARGE_BY > count) {
                positions = new IdentityHashMap<>();
                positionsHeld = 0;
            } else {
                positions.clear();
            }
            indexed = false;
        }
        count = 0;
    }

    /** How many there are. */
    public int count() {
        return count;
    }

    /** A recipient, {@code 0 <= i < count()}. */
    // Nothing else is ever put into the array.
    @SuppressWarnings("unchecked")
    public S session(int i) {
        Object session = sessions[i];
        if (session == null) {
            throw new IndexOutOfBoundsException(i);
        }
        return (S) session;
    }

    /** How it gets the message. */
    public DeliveryTerms terms(int i) {
        DeliveryTerms granted = terms[i];
        if (granted == null) {
            throw new IndexOutOfBoundsException(i);
        }
        return granted;
    }
}
