package io.heddle.transport.link;

import java.io.IOException;

/** A peer did not answer in time. Without a stack trace. */
final class LinkTimeoutException extends IOException {
    private static final long serialVersionUID = 1L;

    LinkTimeoutException(String message) {
        super(message);
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
