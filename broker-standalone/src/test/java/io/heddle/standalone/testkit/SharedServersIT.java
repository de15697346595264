package io.heddle.standalone.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.standalone.Endpoints;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class SharedServersIT {
    @Test
    void sharedServersAreStartedOnceAndAcceptTheirUser() throws SQLException {
        Endpoints endpoints = TestServers.shared();

        assertThat(TestServers.shared()).isSameAs(endpoints);
        try (Connection connection = DriverManager.getConnection(
                endpoints.postgresUrl(), endpoints.postgresUser(), endpoints.postgresPassword())) {
            assertThat(connection.isValid(5)).isTrue();
        }
    }
}
