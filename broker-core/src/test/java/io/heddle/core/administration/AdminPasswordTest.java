package io.heddle.core.administration;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AdminPasswordTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "eleven char",
                "            ",
                "aaaaaaaaaaaaa",
                "121212121212",
                "Password1234",
                "qwertyuiop12",
                "Ada.Lovelace",
                "ada.lovelace ",
                "AdaLovelace1815AdaLovelace",
                "administrator ",
                "1q2w3e4r5t6y7u8i",
                "P@ssw0rd-P@ssw0rd",
                "123456789012 ",
                "with a \n line break",
                "\uD83D\uDE00\uD83D\uDE01\uD83D\uDE02\uD83D\uDE03\uD83D\uDE04\uD83D\uDE05"
            })
    void weakOrUnusable(String password) {
        assertThat(AdminPassword.fault("ada.lovelace", password)).endsWith(".");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "twelve chars",
                "correct horse battery",
                "ein längeres Wörtchen",
                "password of the pump house",
                "ad 2718281828 ad",
                "271828182845"
            })
    void strongEnough(String password) {
        assertThat(AdminPassword.fault("ada", password)).isNull();
    }

    @Test
    void theLongestIsAllowed() {
        String longest = "0123456789abcdef".repeat(AdminPassword.MAXIMUM_LENGTH / 16);

        assertThat(AdminPassword.fault("ada", longest)).isNull();
        assertThat(AdminPassword.fault("ada", longest + "x")).isNotNull();
    }

    @Test
    void generatedPasswordsAreAllowed() {
        assertThat(AdminPassword.fault("admin", GeneratedPassword.draw(new SecureRandom())))
                .isNull();
    }
}
