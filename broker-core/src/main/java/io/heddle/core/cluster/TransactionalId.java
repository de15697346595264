package io.heddle.core.cluster;

/**
 * One of the names under which an incarnation commits to Kafka: {@code heddle-<incarnation>-<turn>}. No other incarnation uses it, so fencing
 * an ended incarnation never hits its successor.
 *
 * @param turn from 0
 */
public record TransactionalId(Incarnation incarnation, int turn) {
    /** The beginning of all names. */
    public static final String PREFIX = "heddle-";

    private static final int MOST_DIGITS = 3;

    /** Returns the name. */
    public String name() {
        return PREFIX + incarnation + "-" + turn;
    }

    /** Returns whether a name is one that {@link #parse} reads. */
    public static boolean isName(String name) {
        int dash = name.lastIndexOf('-');
        if (!name.startsWith(PREFIX) || dash < PREFIX.length()) {
            return false;
        }
        String turn = name.substring(dash + 1);
        return !turn.isEmpty()
                && turn.length() <= MOST_DIGITS
                && turn.chars().allMatch(each -> each >= '0' && each <= '9')
                && Incarnation.isIncarnation(name.substring(PREFIX.length(), dash));
    }

    /**
     * Reads a name.
     *
     * @throws IllegalArgumentException if no node of this version has such a name
     */
    public static TransactionalId parse(String name) {
        if (!isName(name)) {
            throw new IllegalArgumentException("'" + name + "' is not a transactional id of a node");
        }
        int dash = name.lastIndexOf('-');
        return new TransactionalId(
                Incarnation.parse(name.substring(PREFIX.length(), dash)), Integer.parseInt(name.substring(dash + 1)));
    }
}
