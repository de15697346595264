/**
 * The servers behind the stores, as administrators see them. Entry classes: the ports {@link io.heddle.core.operator.store.LogServers} and {@link
 * io.heddle.core.operator.store.QueueServers}, which adapters implement. Nothing is changed here.
 */
@NullMarked
package io.heddle.core.operator.store;

import org.jspecify.annotations.NullMarked;
