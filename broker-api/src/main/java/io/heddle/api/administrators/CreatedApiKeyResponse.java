package io.heddle.api.administrators;

/**
 * The answer to the creation of an API key.
 *
 * @param token what requests send; no other answer has it
 */
record CreatedApiKeyResponse(ApiKeyResponse key, String token) {
    /** Omits the token. */
    @Override
    public String toString() {
        return "CreatedApiKeyResponse[" + key + "]";
    }
}
