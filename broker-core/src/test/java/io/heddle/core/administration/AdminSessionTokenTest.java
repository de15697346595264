package io.heddle.core.administration;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class AdminSessionTokenTest {
    private static final SecureRandom random = new SecureRandom();

    @Test
    void aTokenHas256RandomBits() {
        AdminSessionToken token = AdminSessionToken.draw(random);

        assertThat(token.text())
                .hasSize(43)
                .isNotEqualTo(AdminSessionToken.draw(random).text());
        assertThat(AdminSessionToken.parse(token.text())).isEqualTo(token);
        for (String other :
                new String[] {"", "x", token.text() + "A", token.text().substring(1) + "=", " " + token.text()}) {
            assertThat(AdminSessionToken.parse(other)).as(other).isNull();
        }
    }

    @Test
    void theHashIsThatOfTheCharacters() {
        assertThat(new AdminSessionToken("A".repeat(43)).hash())
                .isEqualTo("0f007385b6f9d4b7eeb2748605afe1a984a0a3bfa3f014d09e2a784ce9e5cd1a");
    }

    @Test
    void neitherTokensNorSessionsShowSecrets() {
        AdminSessionToken token = AdminSessionToken.draw(random);
        AdminUser user = new AdminUser(UUID.randomUUID(), "ada", "hash", AdminRole.ADMIN);
        AdminSession session = new AdminSession(
                UUID.randomUUID(),
                token.hash(),
                "ada",
                AdminSession.account(user),
                "::1",
                Instant.EPOCH,
                Instant.EPOCH,
                Instant.EPOCH);

        assertThat(token.toString()).doesNotContain(token.text());
        assertThat(session.toString()).contains("ada").doesNotContain(token.hash(), session.account());
    }

    @Test
    void anAccountChangesWithThePasswordAndTheAdministratorButNotWithTheRole() {
        UUID id = UUID.randomUUID();
        String account = AdminSession.account(new AdminUser(id, "ada", "hash", AdminRole.ADMIN));

        assertThat(AdminSession.account(new AdminUser(id, "ada", "hash", AdminRole.VIEWER)))
                .isEqualTo(account);
        assertThat(AdminSession.account(new AdminUser(id, "ada", "other", AdminRole.ADMIN)))
                .isNotEqualTo(account);
        assertThat(AdminSession.account(new AdminUser(UUID.randomUUID(), "ada", "hash", AdminRole.ADMIN)))
                .isNotEqualTo(account);
    }
}
