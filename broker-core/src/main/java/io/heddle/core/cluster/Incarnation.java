package io.heddle.core.cluster;

import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of one run of a node: the offset of its {@link NodeRecord.Joined} record and a random part that the record contains. Incarnations are
 * ordered by their offsets. An offset repeats when Kafka loses its last records or the topic is created again; the random part then tells
 * the two runs apart. The text is {@code <offset>-<8 hex digits>}.
 *
 * @param offset 0 or more
 */
public record Incarnation(long offset, int random) implements Comparable<Incarnation> {
    // At most 18 digits, so that every match fits into a long.
    private static final Pattern TEXT = Pattern.compile("(0|[1-9][0-9]{0,17})-([0-9a-f]{8})");

    public Incarnation {
        if (offset < 0) {
            throw new IllegalArgumentException("the offset of an incarnation is " + offset + ": use 0 or more");
        }
    }

    /** Returns whether this text is that of an incarnation. */
    public static boolean isIncarnation(String text) {
        return TEXT.matcher(text).matches();
    }

    /**
     * Reads the text of an incarnation.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static Incarnation parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not an incarnation: use an offset, a dash and 8 hex digits");
        }
        return new Incarnation(Long.parseLong(parts.group(1)), HexFormat.fromHexDigits(parts.group(2)));
    }

    /** Compares by the offset, then by the random part. */
    @Override
    public int compareTo(Incarnation other) {
        int byOffset = Long.compare(offset, other.offset);
        return byOffset == 0 ? Integer.compareUnsigned(random, other.random) : byOffset;
    }

    @Override
    public String toString() {
        return offset + "-" + HexFormat.of().toHexDigits(random);
    }
}
