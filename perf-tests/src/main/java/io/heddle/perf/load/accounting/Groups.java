package io.heddle.perf.load.accounting;

/**
 * The groups of publishers and subscribers: each message of a publisher goes to all subscribers of its group, and to no others. Fan-out is
 * one group, point-to-point groups of one and one, fan-in groups with one subscriber. Publishers and subscribers are numbered from 0, group
 * by group.
 */
public record Groups(int count, int publishersEach, int subscribersEach) {
    public Groups {
        if (count < 1 || publishersEach < 1 || subscribersEach < 1) {
            throw new IllegalArgumentException("There must be a publisher and a subscriber");
        }
        Math.multiplyExact(Math.multiplyExact(count, publishersEach), subscribersEach);
    }

    public int publishers() {
        return count * publishersEach;
    }

    public int subscribers() {
        return count * subscribersEach;
    }

    public int groupOfPublisher(int publisher) {
        return publisher / publishersEach;
    }

    public int groupOfSubscriber(int subscriber) {
        return subscriber / subscribersEach;
    }

    /** The first publisher that reaches this subscriber. */
    public int firstPublisherFor(int subscriber) {
        return groupOfSubscriber(subscriber) * publishersEach;
    }

    /** Pairs of a publisher and a subscriber that it reaches. */
    public int flows() {
        return subscribers() * publishersEach;
    }
}
