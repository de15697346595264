package io.heddle.persistence;

import java.io.FileNotFoundException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/** Why a store's client failed, in a few words for the brackets of a sentence. Never empty, one line. */
public final class FaultReason {
    private FaultReason() {}

    /** What the innermost cause says; its kind where it says nothing. */
    public static String of(Throwable fault) {
        Throwable root = fault;
        for (@Nullable Throwable cause = fault; cause != null; cause = cause.getCause()) {
            root = cause;
        }
        String message = firstLine(root);
        return switch (root) {
            // The messages of these are just the name.
            case UnknownHostException _ -> "unknown host " + message;
            case NoSuchFileException _ -> "there is no file " + message;
            case AccessDeniedException _ -> "permission denied: " + message;
            case FileNotFoundException _ -> "no file: " + message;
            case ClosedChannelException _ -> "the connection was closed";
            default -> message;
        };
    }

    /** Whether it, or something that it was caused by, is of that kind. */
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
