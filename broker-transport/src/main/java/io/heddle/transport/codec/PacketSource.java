package io.heddle.transport.codec;

/** The sender of the packets that a decoder reads. */
enum PacketSource {
    CLIENT,
    SERVER
}
