package io.heddle.persistence.postgres;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.SettingRule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The address of PostgreSQL, Heddle's account, and the limits of the connection pool.
 *
 * @param url {@code heddle.postgres.url}: {@code jdbc:postgresql://host:port/database}, with the driver's options behind a {@code ?}
 * @param user {@code heddle.postgres.user}
 * @param password {@code heddle.postgres.password}, may be empty
 * @param poolSize {@code heddle.postgres.pool-size}: the maximum number of connections
 * @param connectTimeout {@code heddle.postgres.connect-timeout}: the maximum wait for a connection
 * @param queryTimeout {@code heddle.postgres.query-timeout}: the maximum wait for an answer
 */
public record PostgresSettings(
        String url, String user, String password, int poolSize, Duration connectTimeout, Duration queryTimeout) {
    private static final String EXAMPLE = "jdbc:postgresql://localhost:5432/heddle";

    private static final List<String> SSL_MODES =
            List.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full");
    private static final List<String> TARGET_SERVER_TYPES = List.of(
            "any", "primary", "master", "slave", "secondary", "preferSlave", "preferSecondary", "preferPrimary");

    public PostgresSettings {
        SettingRule.notBlank("heddle.postgres.url", url, EXAMPLE);
        SettingRule.notBlank("heddle.postgres.user", user, "heddle");
        SettingRule.between("heddle.postgres.pool-size", poolSize, 1, 200);
        SettingRule.between(
                "heddle.postgres.connect-timeout", connectTimeout, Duration.ofSeconds(1), Duration.ofMinutes(5));
        SettingRule.between(
                "heddle.postgres.query-timeout", queryTimeout, Duration.ofSeconds(1), Duration.ofMinutes(5));
        // The message omits the URL, which may contain a password.
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new StartupException(
                    "heddle.postgres.url does not begin with jdbc:postgresql: - write a URL like " + EXAMPLE, null);
        }
        if (url.contains("?password=") || url.contains("&password=")) {
            throw new StartupException(
                    "heddle.postgres.url contains a password, which ends up in logs: move it to heddle.postgres.password",
                    null);
        }
        PGSimpleDataSource source = withUrl(url);
        requireKnownValues(source);
        requireFile("sslrootcert", source.getSslRootCert());
        requireFile("sslcert", source.getSslCert());
        requireFile("sslkey", source.getSslKey());
    }

    private static void requireFile(String option, @Nullable String file) {
        if (file != null && !file.isEmpty()) {
            SettingRule.readable("heddle.postgres.url: " + option, Path.of(file));
        }
    }

    /** Rejects unknown values, which the driver would only report as a failed connection. */
    private static void requireKnownValues(PGSimpleDataSource source) {
        requireOneOf("sslmode", source.getSslMode(), SSL_MODES);
        requireOneOf("targetServerType", source.getTargetServerType(), TARGET_SERVER_TYPES);
    }

    private static void requireOneOf(String option, @Nullable String value, List<String> choices) {
        if (value != null && choices.stream().noneMatch(choice -> choice.equalsIgnoreCase(value))) {
            throw new StartupException(
                    "heddle.postgres.url has " + option + "=" + value + ", which is none of "
                            + String.join(", ", choices) + ": correct or remove it",
                    null);
        }
    }

    private static PGSimpleDataSource withUrl(String url) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        try {
            source.setUrl(url);
        } catch (IllegalArgumentException e) {
            throw new StartupException(
                    "heddle.postgres.url is not a URL of the PostgreSQL driver: write a URL like " + EXAMPLE, e);
        }
        return source;
    }

    /** Returns the URL without the driver's options, for messages and logs. */
    public String address() {
        int options = url.indexOf('?');
        return options < 0 ? url : url.substring(0, options);
    }

    /**
     * Returns a source of connections without a pool and without a time limit for statements.
     *
     * @throws StartupException when the driver rejects the URL
     */
    PGSimpleDataSource dataSource() {
        PGSimpleDataSource source = withUrl(url);
        source.setUser(user);
        source.setPassword(password);
        source.setConnectTimeout(Math.toIntExact(connectTimeout.toSeconds()));
        source.setLoginTimeout(Math.toIntExact(connectTimeout.toSeconds()));
        source.setApplicationName("heddle");
        source.setTcpKeepAlive(true);
        return source;
    }

    /** Omits the password and the URL's options. */
    @Override
    public String toString() {
        return "PostgresSettings[" + address() + ", user=" + user + ", poolSize=" + poolSize + ", connectTimeout="
                + connectTimeout + ", queryTimeout=" + queryTimeout + "]";
    }
}
