package io.heddle.core.administration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class AdminUserTest {
    private static final UUID ID = new UUID(0, 1);

    @Test
    void toStringOmitsTheHash() {
        assertThat(new AdminUser(ID, "admin", "$secret", AdminRole.ADMIN).toString())
                .contains("admin", "ADMIN")
                .doesNotContain("secret");
    }

    @Test
    void userNameLengthIsLimited() {
        assertThatThrownBy(() -> new AdminUser(ID, " ", "hash", AdminRole.ADMIN))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new AdminUser(ID, "x".repeat(256), "hash", AdminRole.ADMIN))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(new AdminUser(ID, "x".repeat(255), "hash", AdminRole.ADMIN).userName())
                .hasSize(255);
    }
}
