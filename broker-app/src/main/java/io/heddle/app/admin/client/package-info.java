/**
 * The commands of {@code heddle admin} about MQTT clients.
 *
 * <p>Each class is a group whose methods are its commands; picocli reads their options. Runs on the main thread of the command. Invariant:
 * a command makes the requests that its help names, and no decision of its own.
 */
@NullMarked
package io.heddle.app.admin.client;

import org.jspecify.annotations.NullMarked;
