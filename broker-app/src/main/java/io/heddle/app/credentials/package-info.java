/**
 * The commands {@code heddle credentials add|list|remove} and {@code heddle admin reset-password}.
 *
 * <p>Entry classes: {@link io.heddle.app.credentials.CredentialsCommand}, {@link io.heddle.app.credentials.ResetPassword}. They run on the
 * main thread of their own process, with or without a running broker, directly on PostgreSQL. A password is read from the terminal or from
 * standard input, never from the arguments, which other users of the machine can read.
 */
@NullMarked
package io.heddle.app.credentials;

import org.jspecify.annotations.NullMarked;
