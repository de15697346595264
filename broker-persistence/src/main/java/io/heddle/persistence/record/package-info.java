/**
 * The binary formats of the records in Kafka and the values in Redis, one class for each, with the layout in its comment.
 *
 * <p>Entry class: {@link io.heddle.persistence.record.MessageFormat}. All formats are big endian and begin with a version byte, and each
 * has a golden file in the tests and an example in docs/data.md. Only the latest version is read, except in backups. Reading truncated bytes
 * or another version fails with the location of the record, which is never skipped. Stateless; any thread. The adapters know which topic or key holds which
 * format.
 */
@NullMarked
package io.heddle.persistence.record;

import org.jspecify.annotations.NullMarked;
