package io.heddle.app.authentication;

import java.util.Locale;

public enum MethodName {
    PASSWORD,
    JWT,
    CERTIFICATE,
    HTTP,
    SCRAM;

    /** Returns the name in settings and metrics. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
