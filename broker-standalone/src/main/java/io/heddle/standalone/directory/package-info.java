/**
 * The data directory of the bundled servers: its lock, permissions, secrets, free space, and atomic writes of its files.
 *
 * <p>Enter at {@link io.heddle.standalone.directory.DataDirectory}. The lowest package of the module, so
 * {@link io.heddle.standalone.directory.StandaloneException}, the module's only error for operators, is here.
 *
 * <p>Invariants: a directory that is not Heddle's is never changed; files are readable by the broker's user only.
 *
 * <p>Not here: the files of a single server, which the classes of {@code io.heddle.standalone} write.
 */
@NullMarked
package io.heddle.standalone.directory;

import org.jspecify.annotations.NullMarked;
