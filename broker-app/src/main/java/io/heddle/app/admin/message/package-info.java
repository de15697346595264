/**
 * The commands of {@code heddle admin} about messages: published, retained, in the logs of APPLICATION clients, in the queues of DEVICE
 * clients, and in buckets.
 *
 * <p>A class is a command, or a group whose methods are its commands; picocli reads their options. Runs on the main thread of the command.
 * Invariant: a command makes the requests that its help names, and no decision of its own.
 */
@NullMarked
package io.heddle.app.admin.message;

import org.jspecify.annotations.NullMarked;
