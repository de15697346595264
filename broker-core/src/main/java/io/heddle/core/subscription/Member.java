package io.heddle.core.subscription;

/** One client of a {@link SharedGroup}. Its place in the group is changed under the group's lock; the rest never changes. */
public final class Member {
    private final SessionSubscriber session;
    private final Subscription subscription;

    /** Whether it stands among the connected ones. */
    boolean connected;

    /** Where. */
    int place;

    Member(SessionSubscriber session, Subscription subscription) {
        this.session = session;
        this.subscription = subscription;
    }

    /** Its session. */
    public SessionSubscriber session() {
        return session;
    }

    /** Its own subscription: members may differ in what they asked for. */
    public Subscription subscription() {
        return subscription;
    }
}
