package io.heddle.transport.codec;

/** Who sent the packets that a decoder reads. */
enum PacketSource {
    CLIENT,
    SERVER
}
