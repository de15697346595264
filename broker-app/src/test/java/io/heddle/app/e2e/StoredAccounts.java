package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpResponse;

/** Credentials of a client, a further administrator, and the audit log of both. One test thread. */
final class StoredAccounts {
    private static final int CREATED = 201;
    private static final int OK = 200;

    private final String clientId = Library.newClientId();
    private final String userName = "user-" + clientId;
    private final String administrator = "viewer-" + clientId;
    private final String password = "secret of " + clientId;

    void store(ServingNodes nodes) throws Exception {
        created(nodes.send(
                0,
                "POST",
                "/api/v1/credentials",
                "{\"clientId\": \"" + clientId + "\", \"userName\": \"" + userName
                        + "\", \"type\": \"DEVICE\", \"password\": \"" + password + "\"}"));
        created(nodes.send(
                0,
                "POST",
                "/api/v1/administrators",
                "{\"userName\": \"" + administrator + "\", \"role\": \"VIEWER\", \"password\": \"" + password + "\"}"));
    }

    /** Asserts that a node refuses the client with another password. Refusals are delayed, so a test calls this once. */
    void assertGuarded(ServingNodes nodes, int node) {
        assertThatThrownBy(
                        () -> new RawConnect(clientId).user(userName, "wrong").open(nodes.port(node)))
                .hasMessageContaining("refused");
    }

    private static void created(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(CREATED);
    }

    /** Asserts that a node admits the client with its password, knows the administrator, and shows both changes. */
    void assertStored(ServingNodes nodes, int node) throws Exception {
        new RawConnect(clientId).user(userName, password).open(nodes.port(node)).leave();
        HttpResponse<String> account = nodes.send(node, "GET", "/api/v1/administrator?userName=" + administrator, "");
        assertThat(account.statusCode()).as(account.body()).isEqualTo(OK);
        assertThat(account.body()).contains("VIEWER");
        assertThat(nodes.get(node, "/api/v1/audit?limit=100").toString())
                .contains("CREATE_CREDENTIALS", clientId, administrator);
    }
}
