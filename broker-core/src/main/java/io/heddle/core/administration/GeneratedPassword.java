package io.heddle.core.administration;

import java.security.SecureRandom;

/** A password that nobody has to invent. */
public final class GeneratedPassword {
    // Without 0 O o, 1 I l: nobody has to guess what a terminal's font meant. 22 of 56 characters are 127 bits.
    private static final String ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz";
    private static final int LENGTH = 22;

    private GeneratedPassword() {}

    /** Letters and digits that cannot be taken for each other. */
    public static String draw(SecureRandom random) {
        StringBuilder password = new StringBuilder(LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            password.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return password.toString();
    }
}
