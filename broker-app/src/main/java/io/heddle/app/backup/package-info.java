/**
 * The commands {@code heddle backup} and {@code heddle restore}.
 *
 * <p>Entry class: {@link io.heddle.app.backup.BackupCommand}. They run on the main thread of their own process with the settings of a node,
 * directly on Kafka and PostgreSQL: a backup while nodes run or not, a restore only while none runs. What a backup contains is decided in
 * {@code persistence}.
 */
@NullMarked
package io.heddle.app.backup;

import org.jspecify.annotations.NullMarked;
