/**
 * Import of credentials from CSV and from files of other brokers, for the REST interface and the command line.
 *
 * <p>Entry class: {@link io.heddle.core.authentication.csv.CredentialsImport}, which reads the
 * {@link io.heddle.core.authentication.csv.ImportLines} of one format. Used by one thread that may block; the hashes are computed on an executor
 * of the caller. Invariants: the memory does not depend on the size of the input; no report contains a password; a wrong line does not prevent
 * the others.
 */
@NullMarked
package io.heddle.core.authentication.csv;

import org.jspecify.annotations.NullMarked;
