package io.heddle.transport.link;

/** A peer sent bytes that are not of the link protocol. The message completes the sentence "the link is malformed: ...". */
final class MalformedLinkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedLinkException(String message) {
        super(message);
    }
}
