package io.heddle.persistence;

import java.io.FileNotFoundException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/** Summarises the fault of a store's client in one line for error messages. */
public final class FaultReason {
    private FaultReason() {}

    /** Returns the message of the root cause, or the name of its class. Never empty. */
    public static String of(Throwable fault) {
        Throwable root = fault;
        for (@Nullable Throwable cause = fault; cause != null; cause = cause.getCause()) {
            root = cause;
        }
        String message = firstLine(root);
        return switch (root) {
            // The messages of these exceptions contain only a name.
            case UnknownHostException _ -> "unknown host " + message;
            case NoSuchFileException _ -> "file not found: " + message;
            case AccessDeniedException _ -> "permission denied: " + message;
            case FileNotFoundException _ -> "file not found: " + message;
            case ClosedChannelException _ -> "the connection was closed";
            default -> message;
        };
    }

    public static boolean isCausedBy(Throwable fault, Class<? extends Throwable> kind) {
        for (@Nullable Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    private static String firstLine(Throwable fault) {
        String message = fault.getMessage();
        return message == null || message.isBlank()
                ? fault.getClass().getSimpleName()
                : message.strip().lines().findFirst().orElseThrow();
    }
}
