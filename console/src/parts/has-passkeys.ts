/** Browsers have passkeys only where the address is safe: HTTPS, or this machine. */
export const HAS_PASSKEYS = typeof window.PublicKeyCredential === 'function';
