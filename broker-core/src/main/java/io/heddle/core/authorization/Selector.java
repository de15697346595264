package io.heddle.core.authorization;

import io.heddle.core.client.AddressRange;
import java.util.Locale;

/**
 * The clients that a rule is for.
 *
 * @param value the property of these clients; empty for a kind without a value
 */
public record Selector(Kind kind, String value) {
    /** Selects every client. */
    public static final Selector EVERYONE = new Selector(Kind.EVERYONE, "");

    /** Selects the clients without an authenticated user name. */
    public static final Selector ANONYMOUS = new Selector(Kind.ANONYMOUS, "");

    /** The property of a client that its rules name. */
    public enum Kind {
        EVERYONE,
        /** The absence of an authenticated user name. */
        ANONYMOUS,
        /** The client id. */
        CLIENT,
        /** The authenticated user name. */
        USER,
        /** The name of one of its groups. */
        GROUP,
        /** The name of an attribute, {@code =}, and its value. */
        ATTRIBUTE,
        /** An {@link AddressRange} that contains its address. */
        ADDRESS;

        /** Returns the word in the text of a rule. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        boolean hasValue() {
            return this != EVERYONE && this != ANONYMOUS;
        }
    }

    /** @throws IllegalArgumentException with one sentence if no client can have this value */
    public Selector {
        if (kind == Kind.ADDRESS) {
            var _ = AddressRange.parse(value);
        } else if (kind == Kind.ATTRIBUTE && value.indexOf('=') < 1) {
            throw new IllegalArgumentException("write the attribute as NAME=VALUE");
        }
    }

    /** Selects the clients with a value of an attribute. */
    static Selector attribute(String name, String value) {
        return new Selector(Kind.ATTRIBUTE, name + "=" + value);
    }

    /** Returns the words behind {@code for} in the text of a rule. */
    @Override
    public String toString() {
        return kind.hasValue() ? kind.word() + " " + RuleWords.quoted(value) : kind.word();
    }
}
