package io.heddle.core.authentication.csv;

/** The format of the password hashes that this broker can check. Thread-safe. */
@FunctionalInterface
public interface HashFormat {
    /** Returns whether the text is such a hash, with parameters within the limits. */
    boolean accepts(String text);
}
