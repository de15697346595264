package io.heddle.app.settings;

import io.heddle.persistence.postgres.PostgresSettings;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Connection to PostgreSQL.
 *
 * @param url jdbc:postgresql://host:port/database, options of the driver after a ?
 * @param user owner of the tables
 * @param password password of the user
 * @param poolSize maximum number of connections
 * @param connectTimeout maximum time to wait for a connection
 * @param queryTimeout maximum time to wait for the result of a query
 */
public record PostgresConnection(
        @DefaultValue("jdbc:postgresql://localhost:5432/heddle")
        String url,

        @DefaultValue("heddle") String user,
        @DefaultValue("") String password,
        @DefaultValue("8") int poolSize,
        @DefaultValue("5s") Duration connectTimeout,
        @DefaultValue("10s") Duration queryTimeout) {
    public PostgresSettings toPostgresSettings() {
        return new PostgresSettings(url, user, password, poolSize, connectTimeout, queryTimeout);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "PostgresConnection[" + url + ", user=" + user + ", poolSize=" + poolSize + "]";
    }
}
