package io.heddle.app.settings;

import io.heddle.persistence.postgres.PostgresSettings;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where PostgreSQL is and how it is used.
 *
 * @param url jdbc:postgresql://host:port/database, options of the driver after a ?
 * @param user the owner of the tables
 * @param password that user's password
 * @param poolSize connections at most
 * @param connectTimeout how long to wait for a connection
 * @param queryTimeout how long to wait for an answer
 */
public record PostgresConnection(
        @DefaultValue("jdbc:postgresql://localhost:5432/heddle")
        String url,

        @DefaultValue("heddle") String user,
        @DefaultValue("") String password,
        @DefaultValue("8") int poolSize,
        @DefaultValue("5s") Duration connectTimeout,
        @DefaultValue("10s") Duration queryTimeout) {
    /** What the PostgreSQL adapter takes. */
    public PostgresSettings toPostgresSettings() {
        return new PostgresSettings(url, user, password, poolSize, connectTimeout, queryTimeout);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "PostgresConnection[" + url + ", user=" + user + ", poolSize=" + poolSize + "]";
    }
}
