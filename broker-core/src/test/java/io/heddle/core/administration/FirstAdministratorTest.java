package io.heddle.core.administration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.testkit.InMemoryAdminUsers;
import io.heddle.core.testkit.PlainPasswordHash;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class FirstAdministratorTest {
    private final InMemoryAdminUsers users = new InMemoryAdminUsers();
    private final PlainPasswordHash passwordHash = new PlainPasswordHash();
    private final List<String> announced = new ArrayList<>();
    private final FirstAdministrator first = new FirstAdministrator(users, passwordHash, new SecureRandom());

    @Test
    void firstStartCreatesAnAdministratorWithTheAnnouncedPassword() {
        assertThat(first.createIfNone(announced::add)).isTrue();
        String password = announced.getFirst();

        AdminUser admin = requireNonNull(users.find("admin"));
        assertThat(admin.role()).isEqualTo(AdminRole.ADMIN);
        assertThat(passwordHash.matches(
                        BinaryData.wrap(password.getBytes(UTF_8)),
                        admin.passwordHash(),
                        SignInSource.of("192.0.2.1", "admin")))
                .isTrue();
        assertThat(admin.passwordHash()).doesNotContain(password);
    }

    @Test
    void passwordThatCannotBeAnnouncedIsNotStoredAndTheNextStartAnnouncesAnother() {
        assertThatThrownBy(() -> first.createIfNone(password -> {
                    announced.add(password);
                    throw new IllegalStateException("nobody reads this");
                }))
                .hasMessage("nobody reads this");
        assertThat(users.find("admin")).isNull();

        assertThat(first.createIfNone(announced::add)).isTrue();
        assertThat(announced).doesNotHaveDuplicates().hasSize(2);
    }

    @Test
    void laterStartsChangeAndAnnounceNothing() {
        first.createIfNone(announced::add);
        AdminUser created = requireNonNull(users.find("admin"));

        assertThat(first.createIfNone(announced::add)).isFalse();
        assertThat(announced).hasSize(1);
        assertThat(users.find("admin")).isEqualTo(created);
    }

    @Test
    void administratorWithAnotherNameIsEnough() {
        users.createIfNone(new AdminUser(UUID.randomUUID(), "ada", "hash", AdminRole.ADMIN), () -> {});

        assertThat(first.createIfNone(announced::add)).isFalse();
        assertThat(announced).isEmpty();
        assertThat(users.find("admin")).isNull();
    }

    @Test
    void aPasswordHasAtLeast120BitsInUnambiguousLettersAndDigits() {
        Set<Character> seen = new HashSet<>();
        Set<String> passwords = new HashSet<>();
        for (int i = 0; i < 500; i++) {
            String password = GeneratedPassword.draw(new SecureRandom());
            passwords.add(password);
            assertThat(password).matches("[A-Za-z0-9]+").doesNotContainPattern("[0OoIl1]");
            password.chars().forEach(character -> seen.add((char) character));
        }

        assertThat(passwords).hasSize(500);
        double bits = passwords.iterator().next().length() * Math.log(seen.size()) / Math.log(2);
        assertThat(bits).isGreaterThanOrEqualTo(120);
    }

    @Test
    void unavailableStoreIsNotTreatedAsEmpty() {
        InMemoryAdminUsers down = new InMemoryAdminUsers();
        down.setDown(true);

        assertThatThrownBy(() ->
                        new FirstAdministrator(down, passwordHash, new SecureRandom()).createIfNone(announced::add))
                .isInstanceOf(StoreUnavailableException.class);
    }
}
