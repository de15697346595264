package io.heddle.core.authentication;

import io.heddle.core.client.ClientId;

/** A pattern of client ids: {@code *} matches any number of characters, {@code ?} exactly one, any other character itself. */
public record ClientIdPattern(String glob) {
    public ClientIdPattern {
        if (glob.isBlank()) {
            throw new IllegalArgumentException("a client id pattern must not be blank");
        }
    }

    /** Returns whether the whole client id matches. Takes time proportional to the product of both lengths at most. */
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
