package io.heddle.core.message.frame;

/** A frame of another node that this node cannot read: it is truncated, or of a version that the nodes have not agreed on. */
public final class MalformedFrameException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MalformedFrameException(String message) {
        super(message);
    }
}
