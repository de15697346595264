package io.heddle.core.subscription;

/** A client of a {@link SharedGroup}. Its position in the group is guarded by the group's lock; the rest is immutable. */
public final class Member {
    private final SessionSubscriber session;
    private final Subscription subscription;

    /** True if the member is in the list of connected members. */
    boolean connected;

    /** The position in its list. */
    int index;

    Member(SessionSubscriber session, Subscription subscription) {
        this.session = session;
        this.subscription = subscription;
    }

    public SessionSubscriber session() {
        return session;
    }

    /** Returns its own subscription: members may subscribe with different options. */
    public Subscription subscription() {
        return subscription;
    }
}
