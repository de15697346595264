package io.heddle.core.authentication.csv;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The credentials in a file of one format, in their order. Used by one thread. */
@FunctionalInterface
public interface ImportLines {
    /** Returns the next credentials, or null at the end. */
    @Nullable
    ImportLine next() throws IOException;
}
