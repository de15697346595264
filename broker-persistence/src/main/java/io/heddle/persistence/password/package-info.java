/**
 * How passwords are kept: Argon2id, in the PHC string format that other tools read and write.
 *
 * <p>Entry class: {@link io.heddle.persistence.password.Argon2PasswordHash}. Any thread may call it, but it costs tens of
 * milliseconds and 19 MiB each time, so virtual threads should; a semaphore bounds how many compute at once, and for clients {@link
 * io.heddle.persistence.password.RememberingPasswordHash} spares what was computed before. Whose turn it is, is core's to decide. Invariants: no text that somebody
 * planted in the database makes it take more memory or time than the bounds in {@link io.heddle.persistence.password.PhcString};
 * no password is kept. Who may sign in is not decided here.
 */
@NullMarked
package io.heddle.persistence.password;

import org.jspecify.annotations.NullMarked;
