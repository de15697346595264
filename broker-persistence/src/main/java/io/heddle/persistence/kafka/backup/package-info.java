/**
 * The compacted topics, to a backup and back.
 *
 * <p>Entry classes: {@link io.heddle.persistence.kafka.backup.TopicsBackup}, {@link io.heddle.persistence.kafka.backup.TopicsRestore}. Both
 * block the thread of the command. Invariants: a topic is restored as a whole, in one transaction, and only if it has no records; nothing
 * is restored while a node is alive. Records are copied as they are, except for references to offsets, and for
 * formats of earlier builds.
 */
@NullMarked
package io.heddle.persistence.kafka.backup;

import org.jspecify.annotations.NullMarked;
