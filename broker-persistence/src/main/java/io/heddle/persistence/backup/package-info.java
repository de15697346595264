/**
 * The file of a backup: the tables of PostgreSQL and the compacted topics of Kafka, as they were stored.
 *
 * <p>Entry classes: {@link io.heddle.persistence.backup.BackupWriter}, {@link io.heddle.persistence.backup.BackupReader}. Confined to the
 * thread of the command. Invariant: a file without its last entry is rejected. The stores' own packages copy their data to and from a file;
 * the bytes of records stay as they are.
 */
@NullMarked
package io.heddle.persistence.backup;

import org.jspecify.annotations.NullMarked;
