package io.heddle.api.node;

import io.heddle.core.lifecycle.StateChecksums;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * JSON representation of the checksums of a node: 16 hexadecimal digits each, because JSON numbers have 53 bits. Equal on all nodes while
 * nothing changes.
 *
 * @param sessions of the persistent sessions
 * @param subscriptions of the persistent sessions
 * @param retained of the retained messages
 */
record ChecksumsResponse(String sessions, String subscriptions, String retained) {
    static @Nullable ChecksumsResponse of(@Nullable StateChecksums of) {
        HexFormat hex = HexFormat.of();
        return of == null
                ? null
                : new ChecksumsResponse(
                        hex.toHexDigits(of.sessions()),
                        hex.toHexDigits(of.subscriptions()),
                        hex.toHexDigits(of.retained()));
    }
}
