/**
 * The nonce of this page. A style that is added at run time needs it. Otherwise, the page's policy rejects the style.
 */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
