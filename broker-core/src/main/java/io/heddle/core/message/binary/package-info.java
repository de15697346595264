/**
 * Reading and writing of the binary formats: those of records in the stores and of frames between nodes.
 *
 * <p>Entry classes: {@link io.heddle.core.message.binary.BinaryReader} and {@link io.heddle.core.message.binary.BinaryWriter}. Both are
 * big endian and confined to one thread. {@link io.heddle.core.message.binary.PropertiesFormat} is the part that records and frames share;
 * all other formats are in the packages that store or send them. A change of these bytes needs a new version of every format.
 */
@NullMarked
package io.heddle.core.message.binary;

import org.jspecify.annotations.NullMarked;
