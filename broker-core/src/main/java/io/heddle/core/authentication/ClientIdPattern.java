package io.heddle.core.authentication;

import io.heddle.core.client.ClientId;

/**
 * A pattern of client ids: {@code *} stands for any characters or none, {@code ?} for exactly one, everything else for itself.
 */
public record ClientIdPattern(String glob) {
    public ClientIdPattern {
        if (glob.isBlank()) {
            throw new IllegalArgumentException("a client id pattern must not be blank");
        }
    }

    /** Whether the whole client id matches. Takes time in proportion to both lengths multiplied, whatever the pattern. */
    public boolean matches(ClientId clientId) {
        String text = clientId.value();
        int textAt = 0;
        int globAt = 0;
        int lastStar = -1;
        int textAtLastStar = 0;
        while (textAt < text.length()) {
            if (globAt < glob.length() && glob.charAt(globAt) == '*') {
                lastStar = globAt++;
                textAtLastStar = textAt;
            } else if (globAt < glob.length()
                    && (glob.charAt(globAt) == '?' || glob.charAt(globAt) == text.charAt(textAt))) {
                globAt++;
                textAt++;
            } else if (lastStar >= 0) {
                globAt = lastStar + 1;
                textAt = ++textAtLastStar;
            } else {
                return false;
            }
        }
        while (globAt < glob.length() && glob.charAt(globAt) == '*') {
            globAt++;
        }
        return globAt == glob.length();
    }
}
