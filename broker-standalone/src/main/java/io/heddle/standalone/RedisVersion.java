package io.heddle.standalone;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

record RedisVersion(Product product, int major, int minor, int patch) implements Comparable<RedisVersion> {
    private static final Comparator<RedisVersion> BY_RELEASE = Comparator.comparingInt(RedisVersion::major)
            .thenComparingInt(RedisVersion::minor)
            .thenComparingInt(RedisVersion::patch);
    private static final Comparator<RedisVersion> BY_FORMAT =
            Comparator.comparingInt(RedisVersion::major).thenComparingInt(RedisVersion::minor);
    private static final Pattern OUTPUT =
            Pattern.compile("(Redis|Valkey) server v=(\\d{1,4})\\.(\\d{1,4})\\.(\\d{1,4})\\b");
    private static final Pattern FILE_NAME =
            Pattern.compile("(redis|valkey)-(\\d{1,4})\\.(\\d{1,4})\\.(\\d{1,4})\\b.*");
    private static final Pattern TEXT = Pattern.compile("(Redis|Valkey) (\\d{1,4})\\.(\\d{1,4})\\.(\\d{1,4})");

    /**
     * The last version of Redis whose files Valkey, a fork of Redis, can read. Redis from this version on can read files of Valkey before
     * 9.
     */
    private static final int COMMON_MAJOR = 7;

    private static final int COMMON_MINOR = 2;
    private static final int FIRST_INCOMPATIBLE_VALKEY = 9;

    enum Product {
        REDIS("Redis"),
        VALKEY("Valkey");

        private final String displayName;

        Product(String displayName) {
            this.displayName = displayName;
        }
    }

    /** From the output of {@code --version}; null if it is not a Redis server's. */
    static @Nullable RedisVersion ofProgram(String output) {
        return of(OUTPUT.matcher(output));
    }

    /** From the name of a bundled file; null if it contains no version. */
    static @Nullable RedisVersion ofFile(String name) {
        return of(FILE_NAME.matcher(name));
    }

    /** The reverse of {@link #toString}; null if the text is not a version. */
    static @Nullable RedisVersion parse(String text) {
        return of(TEXT.matcher(text.strip()));
    }

    private static @Nullable RedisVersion of(Matcher found) {
        return found.find()
                ? new RedisVersion(
                        found.group(1).equalsIgnoreCase(Product.REDIS.displayName) ? Product.REDIS : Product.VALKEY,
                        Integer.parseInt(found.group(2)),
                        Integer.parseInt(found.group(3)),
                        Integer.parseInt(found.group(4)))
                : null;
    }

    /** Returns whether this version can read files written by the other one. */
    boolean canRead(RedisVersion writer) {
        if (product == writer.product) {
            return BY_FORMAT.compare(this, writer) >= 0;
        }
        return product == Product.VALKEY
                ? !writer.isAbove(COMMON_MAJOR, COMMON_MINOR)
                : isAbove(COMMON_MAJOR, COMMON_MINOR - 1) && writer.major < FIRST_INCOMPATIBLE_VALKEY;
    }

    private boolean isAbove(int otherMajor, int otherMinor) {
        return major > otherMajor || (major == otherMajor && minor > otherMinor);
    }

    @Override
    public int compareTo(RedisVersion other) {
        return BY_RELEASE.compare(this, other);
    }

    @Override
    public String toString() {
        return product.displayName + " " + major + "." + minor + "." + patch;
    }
}
