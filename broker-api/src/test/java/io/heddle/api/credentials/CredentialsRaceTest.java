package io.heddle.api.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.api.audit.Audit;
import io.heddle.api.page.EntityTags;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.testkit.InMemoryAuditLog;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import io.heddle.core.testkit.PlainPasswordHash;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import tools.jackson.databind.json.JsonMapper;

/** Other administrators change the same credentials between the read and the change of a request. */
final class CredentialsRaceTest {
    private static final UUID ID = new UUID(0, 1);

    private final InMemoryCredentialsStore stored = new InMemoryCredentialsStore();
    private final EntityTags tags = new EntityTags(JsonMapper.shared());
    private int races;
    private int updates;
    private boolean isRemoval;

    @BeforeEach
    void store() {
        stored.put(credentials("pump", "hash"));
    }

    private static StoredCredentials credentials(String clientId, String hash) {
        return new StoredCredentials(ID, new ClientId(clientId), null, ClientType.DEVICE, hash);
    }

    private CredentialsController controller() {
        CredentialsStore raced = (CredentialsStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {CredentialsStore.class}, (_, method, arguments) -> {
                    if (method.getName().equals("update") && updates++ < races) {
                        if (isRemoval) {
                            stored.remove(ID);
                        } else {
                            stored.put(credentials("pump", "hash" + updates));
                        }
                    }
                    return method.invoke(stored, arguments);
                });
        return new CredentialsController(
                raced, new PlainPasswordHash(), new Audit(new InMemoryAuditLog(), JsonMapper.shared()), tags);
    }

    private static HttpServletRequest request(@Nullable String ifMatch) {
        return (HttpServletRequest) Proxy.newProxyInstance(
                CredentialsRaceTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (_, method, _) -> switch (method.getName()) {
                    case "getRemoteAddr" -> "10.0.0.9";
                    case "getHeaders" -> Collections.enumeration(ifMatch == null ? List.of() : List.of(ifMatch));
                    default -> null;
                });
    }

    private void rename(@Nullable String ifMatch) {
        var _ = controller()
                .replace(ID, new CredentialsBody("valve", null, "DEVICE", null, null, null, null), request(ifMatch));
    }

    private void assertRefused(@Nullable String ifMatch, HttpStatus status) {
        assertThatThrownBy(() -> rename(ifMatch))
                .isInstanceOfSatisfying(
                        RequestProblem.class,
                        problem -> assertThat(problem.status()).isEqualTo(status));
    }

    @Test
    void aChangeOfAnyVersionIsRepeatedAndKeepsTheNewPassword() {
        races = 4;

        rename(null);

        StoredCredentials renamed = Objects.requireNonNull(stored.get(ID));
        assertThat(renamed.clientId()).isEqualTo(new ClientId("valve"));
        assertThat(renamed.passwordHash()).isEqualTo("hash4");
    }

    @Test
    void aChangeThatNeverSucceedsIsAConflict() {
        races = 100;

        assertRefused(null, HttpStatus.CONFLICT);

        assertThat(updates).isEqualTo(5);
    }

    @Test
    void aChangeOfRemovedCredentialsFindsNothing() {
        races = 1;
        isRemoval = true;

        assertRefused(null, HttpStatus.NOT_FOUND);
    }

    @Test
    void aChangeOfOneVersionIsNotRepeated() {
        races = 1;
        StoredCredentials before = Objects.requireNonNull(stored.get(ID));

        assertRefused(tags.of(CredentialsResponse.of(before), before.passwordHash()), HttpStatus.PRECONDITION_FAILED);

        assertThat(updates).isEqualTo(1);
    }
}
