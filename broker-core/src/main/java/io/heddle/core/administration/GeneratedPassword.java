package io.heddle.core.administration;

import java.security.SecureRandom;

public final class GeneratedPassword {
    // Without 0 O o and 1 I l, which look alike in some terminal fonts. 22 of 56 characters are 127 bits.
    private static final String ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz";
    private static final int LENGTH = 22;

    private GeneratedPassword() {}

    /** Returns a random password of letters and digits that are not easily confused. */
    public static String draw(SecureRandom random) {
        StringBuilder password = new StringBuilder(LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            password.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return password.toString();
    }
}
