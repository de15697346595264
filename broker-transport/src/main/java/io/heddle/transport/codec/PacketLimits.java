package io.heddle.transport.codec;

/**
 * Limits of the decoder.
 *
 * @param maximumPacketBytes the size of a packet with its fixed header; larger ones are rejected with 0x95 before they are read
 * @param maximumConnectBytes the same for a connection's first packet, before the client is authenticated
 * @param maximumTopicBytes the length of a topic name or topic filter in bytes, 1 to 65,535
 * @param maximumTopicLevels the number of levels of a topic name
 * @param maximumUserProperties the number of User Properties of one packet; those of a will are counted separately
 */
public record PacketLimits(
        int maximumPacketBytes,
        int maximumConnectBytes,
        int maximumTopicBytes,
        int maximumTopicLevels,
        int maximumUserProperties) {
    /** Defaults for devices: packets of 2 MiB, CONNECT of 64 KiB, topics of 4 KiB with 64 levels, 64 user properties. */
    public static final PacketLimits DEFAULTS = new PacketLimits(2 << 20, 1 << 16, 4096, 64, 64);

    /** The largest packet that the fixed header can announce. */
    public static final int LARGEST_PACKET_BYTES = 1 + 4 + VariableByteInteger.MAXIMUM;

    public PacketLimits {
        require("maximumPacketBytes", maximumPacketBytes, 128, LARGEST_PACKET_BYTES);
        require("maximumConnectBytes", maximumConnectBytes, 128, LARGEST_PACKET_BYTES);
        require("maximumTopicBytes", maximumTopicBytes, 1, 65_535);
        require("maximumTopicLevels", maximumTopicLevels, 1, 65_535);
        require("maximumUserProperties", maximumUserProperties, 0, 65_535);
    }

    private static void require(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must be between " + least + " and " + most + ", not " + value);
        }
    }
}
