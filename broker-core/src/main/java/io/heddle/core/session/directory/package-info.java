/**
 * A searchable copy of the persistent sessions, for administrators.
 *
 * <p>Enter at {@link io.heddle.core.session.directory.SessionDirectoryWriter}, which writes changed sessions to the port {@link
 * io.heddle.core.session.directory.SessionDirectory}. It runs on a housekeeping thread of its own, the only one here that may block.
 * Invariant: the copy lags behind and is never read to decide anything for a client. {@code session.persistent.DirtySessions} collects the
 * changes.
 */
@NullMarked
package io.heddle.core.session.directory;

import org.jspecify.annotations.NullMarked;
