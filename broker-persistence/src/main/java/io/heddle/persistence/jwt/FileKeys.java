package io.heddle.persistence.jwt;

import io.heddle.core.ChangedFiles;
import io.heddle.core.client.TokenKey;
import io.heddle.core.lifecycle.StartupException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys in a file, which is read again after it has changed. While the file is missing or wrong, the last keys stay. Thread-safe.
 *
 * <p>Metric: {@code heddle.authentication.jwt.reloads{result}}.
 */
public final class FileKeys implements KeySource {
    private static final Logger log = LoggerFactory.getLogger(FileKeys.class);

    private final Path file;
    private final Supplier<KeySet> reader;
    private final ChangedFiles changes;
    private final Counter reloaded;
    private final Counter failed;
    private volatile KeySet current;

    /**
     * @param reader of the file; throws StartupException if it cannot be used
     * @throws StartupException if the file cannot be used
     */
    public FileKeys(Path file, Supplier<KeySet> reader, MeterRegistry metrics) {
        this.file = file;
        this.reader = reader;
        this.changes = new ChangedFiles(List.of(file));
        this.reloaded = metrics.counter("heddle.authentication.jwt.reloads", "result", "success");
        this.failed = metrics.counter("heddle.authentication.jwt.reloads", "result", "failure");
        this.current = reader.get();
    }

    @Override
    public List<VerificationKey> find(Token token) {
        return current.find(token);
    }

    /**
     * Reads the file if it has changed, and not since the call before, and again until it can be used. Logs and counts a file that cannot be used
     * once for each change and reason.
     */
    @Override
    public void refresh() {
        if (!changes.haveChanged()) {
            return;
        }
        try {
            KeySet next = reader.get();
            current = next;
            changes.used();
            reloaded.increment();
            log.info("Reloaded the keys for JWTs: keys={}, file={}", next.keys().size(), file);
        } catch (StartupException wrong) {
            String reason = String.valueOf(wrong.getMessage());
            if (changes.failed(reason)) {
                failed.increment();
                log.warn(
                        "The changed file of the keys for JWTs cannot be used; the last keys stay in use: {}; file={}",
                        reason,
                        file);
            }
        }
    }

    @Override
    public Set<TokenKey> valid() {
        return current.tokenKeys();
    }

    @Override
    public void close() {
        // A file is open only while it is read.
    }
}
