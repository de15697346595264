/**
 * The commands of {@code heddle admin} about those who may sign in: credentials and blocks of MQTT clients, rules, administrators, and
 * API keys.
 *
 * <p>Each class is a group whose methods are its commands; picocli reads their options. Runs on the main thread of the command. Invariant:
 * passwords are never arguments, which other users of the machine can see. {@code heddle credentials} works on the database instead.
 */
@NullMarked
package io.heddle.app.admin.access;

import org.jspecify.annotations.NullMarked;
